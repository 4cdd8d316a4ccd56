"""The Gaussian process of K̃ given what was observed: along directions, or over pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import scipy.linalg

from ..linalg.memory import require_bytes
from ..objective import Objective
from ..spaces import Deformation
from .gaussian import Gaussian


class Process(ABC):
    """f | y for q outputs, in units of the noise; abstract."""

    @abstractmethod
    def dual(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """β and the diagonal of G at each observed (row, output), (l, q); 0 elsewhere."""

    @abstractmethod
    def variance(self, X) -> np.ndarray:
        """Of f + Eb at each row of X, (n, q)."""

    @abstractmethod
    def left(self, X) -> np.ndarray:
        """K̃(x, x) − k̃ᵀC⁻¹k̃ summed over the outputs, (n,): free functions do not count."""


def process_of(objective: Objective) -> Process:
    """Single outputs, and related ones observed row by row, decouple; others are pairs."""
    return Directions.of(objective) or Pairs(objective)


class Pairs(Process):
    """One Gaussian process over the P observed pairs (row, output): C = K̃ + W⁻¹ of order P.

    Whatever relates the outputs and whichever entries are missing; P² memory and P³ work.

    Parameters
    ----------
    objective : Objective
    """

    def __init__(self, objective: Objective):
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
        self.gaussian = Gaussian(kernel.pairs(i, output), weights[i, output], E)
        self.reader = self.deformation.reader(objective.rows[i], output, self.q)

    def dual(self, y):
        beta, diagonal = np.zeros(self.shape), np.zeros(self.shape)
        beta[self.at] = self.gaussian.G @ y[self.at]
        diagonal[self.at] = np.diagonal(self.gaussian.G)
        return beta, diagonal

    def variance(self, X):
        prior, free = self.deformation.variances(X, self.q), self.deformation.free_pairs(X, self.q)
        h = iter([None] * self.q) if free is None else free
        known = zip(self.reader(X), prior.T, h, strict=True)
        return np.column_stack([self.gaussian.variance(*one) for one in known])

    def left(self, X):
        prior = self.deformation.variances(X, self.q)
        explained = [self.gaussian.explained(k) for k in self.reader(X)]
        return np.maximum(prior - np.column_stack(explained), 0.0).sum(axis=1)


@dataclass(frozen=True)
class _Direction:
    """Outputs along V, (q, r), all with the kernel ``scale`` · K̃_p and the labeled rows ``at``."""

    scale: float
    V: np.ndarray
    at: np.ndarray
    gaussian: Gaussian = field(repr=False)
    part: Deformation = field(repr=False)
    sections: Callable = field(repr=False)
    free: Callable = field(repr=False)

    @property
    def share(self) -> np.ndarray:
        """Of the direction's variance in that of each output, (q,)."""
        return (self.V**2).sum(axis=1)


class Directions(Process):
    """One Gaussian process for each group of orthonormal directions between the outputs."""

    def __init__(self, directions: list[_Direction], shape: tuple[int, int]):
        self.directions = directions
        self.shape = shape

    @classmethod
    def of(cls, objective: Objective) -> Directions | None:
        """None where outputs do not decouple, or entries of related ones are missing."""
        components, q = objective.deformation.components, objective.n_columns
        if components is None:
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
        return cls(list(_made(objective, groups)), objective.y.shape)

    def dual(self, y):
        beta, diagonal = np.zeros(self.shape), np.zeros(self.shape)
        for d in self.directions:
            beta[d.at] += d.gaussian.G @ (y[d.at] @ d.V) @ d.V.T
            diagonal[d.at] += np.diagonal(d.gaussian.G)[:, None] * d.share
        return beta, diagonal

    def variance(self, X):
        total = np.zeros((X.shape[0], self.shape[1]))
        for d in self.directions:
            prior = d.scale * d.part.diagonal(X)
            along = d.gaussian.variance(d.sections(X), prior, d.free(X))
            total += along[:, None] * d.share
        return total

    def left(self, X):
        total = np.zeros(X.shape[0])
        for d in self.directions:
            prior = d.scale * d.part.diagonal(X)
            left = np.maximum(prior - d.gaussian.explained(d.sections(X)), 0.0)
            total += d.V.shape[1] * left
        return total


def _made(objective: Objective, groups) -> Iterator[_Direction]:
    """Directions of one objective; the functions behind each K̃_p are made once."""
    rows, shared = objective.rows, objective.deformation
    known: dict[int, tuple[np.ndarray, Callable]] = {}
    for part, scale, V in groups:
        if id(part) not in known:
            kernel = part.gram(rows).shared
            assert kernel is not None
            known[id(part)] = kernel, part.row_reader(rows)
        K, read = known[id(part)]
        sources = [part, shared] if scale and part.free_rows is not None else [shared]
        for at, w, axes in _observed(objective.w, V):
            E = _beside([source.free_rows for source in sources])
            gaussian = Gaussian(scale * K[np.ix_(at, at)], w, None if E is None else E[rows[at]])
            yield _Direction(
                scale, axes, at, gaussian, part,
                lambda X, at=at, scale=scale, read=read: scale * read(X)[:, at],
                lambda X, sources=sources: _beside([source.free_at(X) for source in sources]),
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


def _beside(blocks: list[np.ndarray | None]) -> np.ndarray | None:
    known = [block for block in blocks if block is not None]
    return np.hstack(known) if known else None


def _groups(B: np.ndarray | None, q: int) -> list[tuple[float, np.ndarray]]:
    """(|b|², unit directions) of the columns b of B, grouped by length."""
    if B is None:
        return [(1.0, np.eye(q))]
    size = np.round((B**2).sum(axis=0), 12)
    return [
        (float(s), B[:, size == s] / np.sqrt((B[:, size == s] ** 2).sum(axis=0)))
        for s in np.unique(size[size > 0])
    ]


def _along_axes(V: np.ndarray) -> bool:
    """Whether each direction is a single output."""
    return bool(((np.abs(V) > 1e-12).sum(axis=0) == 1).all())
