"""The Gaussian process of K̃ given what was observed: along directions, or over pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import scipy.linalg

from ..linalg.labeled import Labeled
from ..linalg.memory import require_bytes
from ..problem import Problem
from ..spaces import Deformation
from ..spaces.mixing import Alone


class Process(ABC):
    """f | y for q outputs, in units of the noise; abstract."""

    @abstractmethod
    def residuals(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """y_i minus what the fit without row i says, and the variance of that, (l, q) each.

        A whole row leaves, and the weights of the others are renormalized. The noise of an
        observation stays what it is, τ²/w_i with all rows: the variance is in units of that τ².
        0 where nothing was observed, NaN where nothing tells.
        """

    @abstractmethod
    def variance(self, X) -> np.ndarray:
        """Of f + Eb at each row of X, (n, q)."""

    @abstractmethod
    def left(self, X) -> np.ndarray:
        """K̃(x, x) − k̃ᵀC⁻¹k̃ summed over the outputs, (n,): free functions do not count."""


def process_of(objective: Problem) -> Process:
    """Single outputs, and related ones observed row by row, decouple; others are pairs."""
    return Directions.of(objective) or Pairs(objective)


class Pairs(Process):
    """One Gaussian process over the P observed pairs (row, output): C = K̃ + W⁻¹ of order P.

    Whatever relates the outputs and whichever entries are missing; P² memory and P³ work.

    Parameters
    ----------
    objective : Problem
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
        self.others = 1.0 - objective.w.max(axis=1)
        self.labeled = Labeled(kernel.pairs(i, output), weights[i, output], E)
        self.reader = self.deformation.reader(objective.rows[i], output, self.q)

    def residuals(self, y):
        residual, variance = np.zeros(self.shape), np.zeros(self.shape)
        rows = self.at[0]
        found = self.labeled.block_residuals(y[self.at], self.others[rows], rows)
        residual[self.at], variance[self.at] = found[0], found[1] / self.others[rows]
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
    """Outputs along V, (q, r), all with the kernel ``scale`` · K̃_p and the labeled rows ``at``."""

    scale: float
    V: np.ndarray
    at: np.ndarray
    labeled: Labeled = field(repr=False)
    part: Deformation = field(repr=False)
    sections: Callable = field(repr=False)
    free: Callable = field(repr=False)

    @property
    def share(self) -> np.ndarray:
        """Of the direction's variance in that of each output, (q,)."""
        return (self.V**2).sum(axis=1)


class Directions(Process):
    """One Gaussian process for each group of orthonormal directions between the outputs."""

    def __init__(self, directions: list[_Direction], w: np.ndarray, shape: tuple[int, int]):
        self.directions = directions
        self.others = 1.0 - w.max(axis=1)
        self.shape = shape

    @classmethod
    def of(cls, objective: Problem) -> Directions | None:
        """None where outputs do not decouple, or entries of related ones are missing."""
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
        if rest.shape[1]:  # between outputs that carry no function: the free ones alone
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
        total = np.zeros((X.shape[0], self.shape[1]))
        for d in self.directions:
            prior = d.scale * d.part.diagonal(X)
            along = d.labeled.variance(d.sections(X), prior, d.free(X))
            total += along[:, None] * d.share
        return total

    def left(self, X):
        total = np.zeros(X.shape[0])
        for d in self.directions:
            prior = d.scale * d.part.diagonal(X)
            left = np.maximum(prior - d.labeled.explained(d.sections(X)), 0.0)
            total += d.V.shape[1] * left
        return total


def _made(objective: Problem, groups) -> Iterator[_Direction]:
    """Directions of one objective; the functions behind each K̃_p are made once."""
    rows, shared = objective.rows, objective.deformation
    known: dict[int, tuple[np.ndarray, Callable]] = {}
    for part, scale, V in groups:
        if id(part) not in known:
            kernel = part.gram(rows).shared
            assert kernel is not None
            known[id(part)] = kernel, part.row_reader(rows)
        K, read = known[id(part)]
        sources = [part.free, shared.free] if scale and part.free.g else [shared.free]
        for at, w, axes in _observed(objective.w, V):
            E = np.hstack([source.rows for source in sources])
            labeled = Labeled(scale * K[np.ix_(at, at)], w, E[rows[at]])
            yield _Direction(
                scale, axes, at, labeled, part,
                lambda X, at=at, scale=scale, read=read: scale * read(X)[:, at],
                lambda X, sources=sources: np.hstack([source.at(X) for source in sources]),
            )  # fmt: skip


def _observed(w: np.ndarray, V: np.ndarray):
    """(labeled rows, weights, directions) of what was observed together."""
    if w.shape[1] == 1:
        yield np.arange(len(w)), w[:, 0], V
        return
    for v in V.T:
        own = w[:, np.abs(v).argmax()]
        at = np.flatnonzero(own)
        yield at, own[at], v[:, None]


def _groups(mixing: Alone, q: int) -> list[tuple[float, np.ndarray]]:
    """(|b|², unit directions) of the columns b of B, grouped by length."""
    B = mixing.directions(q)
    size = np.round((B**2).sum(axis=0), 12)
    return [
        (float(s), B[:, size == s] / np.sqrt((B[:, size == s] ** 2).sum(axis=0)))
        for s in np.unique(size[size > 0])
    ]


def _along_axes(V: np.ndarray) -> bool:
    """Whether each direction is a single output."""
    return bool(((np.abs(V) > 1e-12).sum(axis=0) == 1).all())
