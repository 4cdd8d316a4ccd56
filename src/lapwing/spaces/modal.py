"""K̃ on the points of a graph at any rows: smooth functions, and one short section for each row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..linalg.graph_factor import HIGHEST, FactorInverse, is_narrow
from ..linalg.memory import require_bytes
from ..linalg.panels import unit_columns
from ..linalg.smooth_modes import N_MODES, Inverse, ModalInverse, SmoothModes
from ..operators import Operator
from .sections import Sections

if TYPE_CHECKING:
    from .graph_values import GraphValuesSpace

FEW_POINTS, MANY_POINTS = 2_000, 200_000
"""Points between which eigenvectors pay: below, conjugate gradients find every digit; above, the
basis of the eigenvectors alone would take a gigabyte."""

ROUNDING = 1e-8
"""Rounding of K̃'s largest entry that answers of order 1 may carry."""


class ModalSections(Sections):
    """K̃ = Σ_j q_j q_jᵀ/A(θ_j) + R: one section of R is kept for each row ever asked for.

    What is large in K̃, up to 1/γ_A, lies along the smooth functions q_j and is known in closed
    form. A section of R costs about a hundred products with L, or one solution with a sparse
    factor where the graph is that of a curve or a surface.

    Parameters
    ----------
    inverse : Inverse
        (γ_A/n + λM)⁻¹.
    order : integer array of shape (n,) or None
        The order of the points that ``inverse`` knows; None: as they are.
    """

    def __init__(self, inverse: Inverse, order: np.ndarray | None):
        super().__init__(inverse.n)
        self.inverse = inverse
        self.order = np.arange(self.n) if order is None else order
        self.place = np.empty(self.n, dtype=int)
        self.place[self.order] = np.arange(self.n)
        self._R: np.ndarray = np.empty((self.n, 0), dtype=inverse.dtype, order="F")
        self._own = np.empty((0, 0))

    def gram(self, rows: np.ndarray) -> np.ndarray:
        """K̃ among the rows, (l, l)."""
        self._add(rows)
        at, own = self._at(rows), self._along(rows)
        return own @ self._weighted(own).T + self._own[np.ix_(at, at)]

    def columns(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """K̃ between points and rows, (m, l): to a few per cent at rows that never had a label."""
        out = self._along(points) @ self._weighted(self._along(rows)).T
        known, points = np.isin(rows, self.rows), self.place[points]
        out[:, known] += self._R[points][:, self._at(rows[known])]
        new = self.place[rows[~known]]
        out[:, ~known] += self.inverse.rest(unit_columns(new, self.n), rough=True)[points]
        return out

    def lift(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and values of K̃R, (n, t) each, for an R that is zero at other rows."""
        rows = np.flatnonzero(R.any(axis=1))
        self._add(rows)
        beta, at = R[rows], self._at(rows)
        F = self.inverse.smooth_at(self.place[rows], beta)
        weights = np.zeros((len(self.rows), R.shape[1]), dtype=self._R.dtype)
        weights[at] = beta
        F += self._sections @ weights
        self.values = F[self.place]
        return self.values, self.values

    def solve(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """K̃R for any R."""
        R = R[self.order]
        F = (self.inverse.smooth(R) + self.inverse.rest(R))[self.place]
        return F, F

    @property
    def _sections(self) -> np.ndarray:
        return self._R[:, : len(self.rows)]

    def _add(self, rows: np.ndarray) -> None:
        """One section more for each row that has none."""
        new = np.setdiff1d(rows, self.rows)
        l, more = len(self.rows), len(new)
        if not more:
            return
        self._make_room(l + more)
        found = self.inverse.rest(unit_columns(self.place[new], self.n))
        self._R[:, l : l + more] = found
        self.rows = np.concatenate([self.rows, new])
        across = found[self.place[self.rows]]
        own = np.zeros((l + more, l + more))
        own[:l, :l] = self._own
        own[:, l:], own[l:, :l] = across, across[:l].T
        own[l:, l:] = 0.5 * (across[l:] + across[l:].T)
        self._own = own

    def _make_room(self, l: int) -> None:
        """Memory for l sections and a few to come."""
        if l <= self._R.shape[1]:
            return
        room = l + max(8, l // 4)
        require_bytes(
            self._R.itemsize * self.n * (room + self._R.shape[1]),
            f"One function for each of {l} labels over {self.n} rows",
            "Give fewer labels, or warm_start=False.",
        )
        larger = np.empty((self.n, room), dtype=self._R.dtype, order="F")
        larger[:, : len(self.rows)] = self._sections
        self._R = larger

    def _along(self, rows: np.ndarray) -> np.ndarray:
        """The smooth functions at the rows, (l, c + m)."""
        return self.inverse.modes.at(self.place[rows])

    def _weighted(self, own: np.ndarray) -> np.ndarray:
        return own * self.inverse.weights


def modal_inverse(
    space: GraphValuesSpace, operator: Operator, gamma_A: float, lam: float
) -> tuple[Inverse, np.ndarray | None] | None:
    """(γ_A/n + λM)⁻¹ and the order of its points; None where M is no polynomial of a graph's L,
    where there are too few or too many points, or where float64 does not hold 1/γ_A."""
    n = space.n_points
    if not lam or not FEW_POINTS < n <= MANY_POINTS:
        return None
    if np.finfo(float).eps > ROUNDING * gamma_A:
        return None
    order, near = (None, operator) if operator.near is None else operator.near
    modes = space.modes(near)
    if modes is None or near.polynomial is None:
        return None
    powers = lam * np.asarray(near.polynomial[1])
    powers[0] += gamma_A / n
    found = (ModalInverse if modes.low else FactorInverse)(modes, powers)
    return (found, order) if found.holds() else None


def modes_of(operator: Operator) -> SmoothModes | None:
    """Of the graph behind an operator: on curves and surfaces its null space alone."""
    graph = operator.graph
    if operator.polynomial is None or graph is None:
        return None
    L, powers = operator.polynomial
    sparse = len(powers) <= HIGHEST + 1 and is_narrow(L)
    return SmoothModes.of(L, graph.degrees, 0 if sparse else N_MODES)
