"""Several functions at once, one per view, read out as their weighted sum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..linalg.resolvents.base import slices_of
from ..views import SplitRows
from .base import Element, Space


class Views(Space):
    """f = (f^1 … f^m), f^j in S_j; M sees their values stacked, the loss Σ_j a_j f^j.

    evaluate(c) = (S_j.evaluate(c_j))_j, represent(r) = (S_j.represent(r_j)/γ_j)_j,
    inner(a, b) = Σ_j γ_j S_j.inner(a_j, b_j). A row that lacks a view has no value there, and
    the other views share its weight in the readout.

    Parameters
    ----------
    spaces : sequence of Space
        S_j over the rows that view j has.
    points : SplitRows
        The n training rows, view by view.
    a : array of shape (m,)
        View weights.
    gammas : array of shape (m,)
        γ_j > 0.

    References
    ----------
    MV eq. 4.
    """

    def __init__(
        self,
        spaces: Sequence[Space],
        points: SplitRows,
        a: np.ndarray,
        gammas: np.ndarray,
    ):
        self.spaces = tuple(spaces)
        self.points = points
        self.rows = points.rows
        self.a = a
        self.gammas = gammas
        self.weights = points.readout_weights(a)
        self.value_slices = slices_of([space.n_points for space in spaces])
        self.coef_slices = slices_of([space.n_coef for space in spaces])
        self.n_points = self.value_slices[-1].stop
        self.n_coef = self.coef_slices[-1].stop

    def evaluate(self, coef):
        return np.vstack(
            [
                space.evaluate(coef[at])
                for space, at in zip(self.spaces, self.coef_slices, strict=True)
            ]
        )

    def readout(self, e):
        parts = [e.values[at] for at in self.value_slices]
        return combine(parts, self.points, self.weights)

    def evaluate_views(self, X: SplitRows, coef: np.ndarray) -> list[np.ndarray]:
        """f^j at the rows of X that have view j."""
        return [
            space.evaluate_at(block, coef[at])
            for space, at, block in zip(self.spaces, self.coef_slices, X.blocks, strict=True)
        ]

    def evaluate_at(self, X: SplitRows, coef):
        return combine(self.evaluate_views(X, coef), X, X.readout_weights(self.a))

    def represent(self, r_M, r_loss):
        parts = []
        for j, space in enumerate(self.spaces):
            rows = self.rows[j]
            r = self.weights[rows, j, None] * r_loss[rows]
            parts.append(space.represent(r_M[self.value_slices[j]], r) / self.gammas[j])
        return np.vstack(parts)

    def inner(self, a: Element, b: Element):
        return sum(
            self.gammas[j] * space.inner(self._part(a, j), self._part(b, j))
            for j, space in enumerate(self.spaces)
        )

    def penalized(self, coef):
        return np.vstack(
            [
                space.penalized(coef[at])
                for space, at in zip(self.spaces, self.coef_slices, strict=True)
            ]
        )

    def _part(self, e: Element, j: int) -> Element:
        """The j-th function, with its values where they are known."""
        return _Part(self.spaces[j], e, self.coef_slices[j], self.value_slices[j])


class _Part(Element):
    """One view's function of an element: its values are the element's, computed once for all."""

    __slots__ = ("_at", "_whole")

    def __init__(self, space: Space, whole: Element, coef_at: slice, value_at: slice):
        super().__init__(space, whole.coef[coef_at])
        self._whole = whole
        self._at = value_at

    @property
    def values(self) -> np.ndarray:
        return self._whole.values[self._at]


def combine(parts: Sequence[np.ndarray], X: SplitRows, weights: np.ndarray) -> np.ndarray:
    """Σ_j a_j f^j at each row, (n, t), from the values of f^j at the rows that have view j."""
    out = np.zeros((X.n, parts[0].shape[1]))
    for j, part in enumerate(parts):
        rows = X.rows[j]
        out[rows] += weights[rows, j, None] * part
    return out
