"""The Gaussian process of K̃ given the observed targets: along directions, or over pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np
import scipy.linalg

from ..linalg.labeled import Labeled
from ..linalg.memory import require_bytes
from ..linalg.panels import unit_columns
from ..linalg.quadratic_form import QuadraticForm
from ..problem import Problem
from ..spaces.mixing import Alone


class Process(ABC):
    """f given y for q outputs, in units of the noise; abstract."""

    @abstractmethod
    def residuals(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """y_i minus the prediction of the fit without row i, and its variance, (l, q) each.

        A whole row is left out, and the weights of the others are renormalized. The noise of an
        observation stays τ²/w_i with all rows; the variance is in units of that τ². The values are
        0 if nothing was observed, and NaN if nothing determines them.
        """

    @abstractmethod
    def variance(self, X) -> np.ndarray:
        """The variance of f + Eb at each row of X, (n, q)."""

    @abstractmethod
    def left(self, X) -> np.ndarray:
        """K̃(x, x) − k̃ᵀC⁻¹k̃ summed over the outputs, (n,). Free functions do not count."""


def process_of(objective: Problem) -> Process:
    """The process of a problem. Single outputs, and related ones observed row by row, decouple."""
    return Directions.of(objective) or Pairs(objective)


class Pairs(Process):
    """One Gaussian process over the P observed pairs (row, output): C = K̃ + W⁻¹ of order P.

    It works for any relation of the outputs and any missing entries. It needs P² memory and P³
    work.

    Parameters
    ----------
    objective : Problem
        The problem of the fit.
    """

    def __init__(self, objective: Problem):
        weights = np.broadcast_to(objective.w, objective.y.shape)
        self.shape = objective.y.shape
        self.at = i, output = np.nonzero(weights)
        P, self.q = len(i), objective.n_columns
        require_bytes(
            4 * 8 * P**2,
            f"Predictive variances over {P} observed (row, output) pairs",
            "Label fewer rows, or use output_kernel=None, where each output stands alone.",
        )
        self.deformation = objective.deformation
        kernel = self.deformation.gram(objective.rows)
        E = kernel.free_pairs(i, output, self.q)
        self.others = _others(objective.w)
        self.labeled = Labeled(kernel.pairs(i, output), weights[i, output], E)
        self.reader = self.deformation.reader(objective.rows[i], output, self.q)

    def residuals(self, y):
        residual, variance = np.zeros(self.shape), np.zeros(self.shape)
        rows = self.at[0]
        left = self.others[rows]
        found, spread = self.labeled.residuals(y[self.at][:, None], left=left, group=rows)
        residual[self.at], variance[self.at] = found[0, :, 0], spread[0] / left
        return residual, variance

    def variance(self, X):
        prior, free = self.deformation.variances(X, self.q), self.deformation.free_pairs(X, self.q)
        known = zip(self.reader(X), prior.T, free, strict=True)
        return np.column_stack([self.labeled.variance(*one) for one in known])

    def left(self, X):
        prior = self.deformation.variances(X, self.q)
        explained = [self.labeled.explained(k) for k in self.reader(X)]
        return np.maximum(prior - np.column_stack(explained), 0.0).sum(axis=1)


@dataclass(frozen=True)
class _Direction:
    """Outputs along V, (q, r), that share the kernel ``scale`` · K̃_p and the labeled rows."""

    scale: float
    V: np.ndarray
    at: np.ndarray
    w: np.ndarray
    rows: np.ndarray
    part: Any = field(repr=False)
    sources: list = field(repr=False)
    gram: Callable = field(repr=False)
    reader: Callable = field(repr=False)

    @property
    def share(self) -> np.ndarray:
        """The share of the direction's variance in that of each output, (q,)."""
        return (self.V**2).sum(axis=1)

    @cached_property
    def labeled(self) -> Labeled:
        K = self.gram(self.part).shared[np.ix_(self.at, self.at)]
        return Labeled(self.scale * K, self.w, self.free)

    @property
    def free(self) -> np.ndarray:
        """E, the free functions at the labeled rows."""
        return np.hstack([source.rows for source in self.sources])[self.rows]

    @cached_property
    def held(self) -> Any:
        """γ_A P + λM plus the weights of the labels. Its inverse is the posterior."""
        part = self.part
        if not (self.scale and part.system.told_by_factor):
            return None
        w = unit_columns(self.rows, part.n_rows) @ (self.scale * self.w)
        return part.space.system(part.gamma_A, QuadraticForm(part.operator, part.lam, w))

    def left(self, X) -> np.ndarray:
        """K̃(x, x) − k̃ᵀC⁻¹k̃, (n,)."""
        held, kernel = self.held, self.part.space.covariance
        if not held:
            return np.maximum(self._prior(X) - self.labeled.explained(self._read(X)), 0.0)
        own, system = kernel.diagonal(X), held.pencil.at(held.gamma, held.sigma)
        taken = system.energies(kernel.sections(X), own)
        return np.maximum(own - taken, 0.0) * (self.scale / held.gamma)

    def variance(self, X) -> np.ndarray:
        """The variance with free functions. The labels determine these: h − k_SWE remains of h."""
        h = np.hstack([source.at(X) for source in self.sources])
        if not self.held:
            return self.labeled.variance(self._read(X), self._prior(X), h)
        if not h.shape[1]:
            return self.left(X)
        space, WE = self.held.space, np.zeros((self.held.space.n_rows, h.shape[1]))
        WE[self.rows] = self.scale * self.w[:, None] * self.free
        e = self.held.solve(space.represent(0.0, WE))
        gap = h - space.evaluate_at(X, e.coef)
        known = WE.T @ (np.hstack([source.rows for source in self.sources]) - e.values)
        A = np.linalg.pinv(known / self.scale, hermitian=True)
        return self.left(X) + np.einsum("ng,ng->n", gap @ A, gap)

    def _prior(self, X) -> np.ndarray:
        return self.scale * self.part.diagonal(X)

    def _read(self, X) -> np.ndarray:
        return self.scale * self.reader(self.part)(X)[:, self.at]


class Directions(Process):
    """One Gaussian process for each group of orthonormal directions between the outputs."""

    def __init__(self, directions: list[_Direction], w: np.ndarray, shape: tuple[int, int]):
        self.directions = directions
        self.others = _others(w)
        self.shape = shape

    @classmethod
    def of(cls, objective: Problem) -> Directions | None:
        """The process; None if outputs do not decouple, or if entries of related outputs are
        missing.
        """
        components, q = objective.deformation.components, objective.n_columns
        if not components:
            return None
        groups = [(part, *g) for part, B in components for g in _groups(B, q)]
        V = np.hstack([v for _, _, v in groups]) if groups else np.zeros((q, 0))
        orthonormal = np.abs(V.T @ V - np.eye(V.shape[1])).max(initial=0.0) <= 1e-8
        by_rows = objective.w.shape[1] == 1
        if not orthonormal or not (by_rows or _along_axes(V)):
            return None
        rest = scipy.linalg.null_space(V.T) if V.shape[1] else np.eye(q)
        if rest.shape[1] and not (groups and by_rows):
            return None
        if rest.shape[1]:  # directions without a function: only the free functions
            groups.append((groups[0][0], 0.0, rest))
        return cls(list(_made(objective, groups)), objective.w, objective.y.shape)

    def residuals(self, y):
        residual, variance = np.zeros(self.shape), np.zeros(self.shape)
        for d in self.directions:
            found, spread = d.labeled.residuals(y[d.at] @ d.V, left=self.others[d.at])
            residual[d.at] += found[0] @ d.V.T
            variance[d.at] += (spread[0] / self.others[d.at])[:, None] * d.share
        return residual, variance

    def variance(self, X):
        zero = np.zeros((X.shape[0], self.shape[1]))
        return sum((d.variance(X)[:, None] * d.share for d in self.directions), start=zero)

    def left(self, X):
        return sum((d.V.shape[1] * d.left(X) for d in self.directions), np.zeros(X.shape[0]))


def _others(w: np.ndarray) -> np.ndarray:
    """The weight of the other rows, (l,); NaN if there are none."""
    left = 1.0 - w.max(axis=1)
    return np.where(left > 0, left, np.nan)


def _made(objective: Problem, groups) -> Iterator[_Direction]:
    """The directions of one problem. The functions behind each K̃_p are made once."""
    rows, shared = objective.rows, objective.deformation.free
    gram, reader = cache(lambda part: part.gram(rows)), cache(lambda part: part.row_reader(rows))
    for part, scale, V in groups:
        sources = [part.free, shared] if scale and part.free.g else [shared]
        for at, w, axes in _observed(objective.w, V):
            yield _Direction(scale, axes, at, w, rows[at], part, sources, gram, reader)


def _observed(w: np.ndarray, V: np.ndarray):
    """(labeled rows, weights, directions) that were observed together."""
    if w.shape[1] == 1:
        yield np.arange(len(w)), w[:, 0], V
        return
    for v in V.T:
        own = w[:, np.abs(v).argmax()]
        at = np.flatnonzero(own)
        yield at, own[at], v[:, None]


def _groups(mixing: Alone, q: int) -> list[tuple[float, np.ndarray]]:
    """``(|b|², unit directions)`` of the columns b of B, grouped by length."""
    B = mixing.directions(q)
    size = np.round((B**2).sum(axis=0), 12)
    return [
        (float(s), B[:, size == s] / np.sqrt((B[:, size == s] ** 2).sum(axis=0)))
        for s in np.unique(size[size > 0])
    ]


def _along_axes(V: np.ndarray) -> bool:
    """Whether each direction is a single output."""
    return bool(((np.abs(V) > 1e-12).sum(axis=0) == 1).all())
