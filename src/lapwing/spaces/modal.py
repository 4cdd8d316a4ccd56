"""K̃ of a graph at any rows, from its smoothest functions and a polynomial of its Laplacian."""

from __future__ import annotations

import numpy as np

from ..linalg.graph_factor import HIGHEST, FactorInverse, is_narrow
from ..linalg.memory import require_bytes
from ..linalg.panels import unit_columns
from ..linalg.smooth_modes import EXACT, GLANCE, N_MODES, Inverse, ModalInverse, SmoothModes
from ..operators import Operator
from .sections import Sections

FEW_POINTS, MANY_POINTS = 2_000, 500_000
"""The numbers of points between which eigenvectors pay. Below, conjugate gradients find every
digit. Above, the sections of a hundred labels and their solution would take more than three
gigabytes. At 210,000 points a fit takes 1.8 times as long as with conjugate gradients, which stop
early, but the default call four fifths (clusters, 100 labels)."""

EVERY_DIGIT = 1e-8
"""The accepted error of answers of order 1: certificate on few points, rounding of K̃ on many."""


class ModalSections(Sections):
    """K̃ = Σ_j q_j q_jᵀ/A(θ_j) + R: a column for each row that was ever asked for.

    The large entries of K̃, up to 1/γ_A, lie along the smooth functions q_j. This part is known in
    closed form. A column of R costs about a hundred products with the Laplacian L. Where the graph
    is that of a curve or a surface, it costs one solution with a sparse factor.

    Parameters
    ----------
    inverse : Inverse
        (γ_A/n + λM)⁻¹.
    order : index of the n points
        ``inverse`` has the points in this order.
    tol : float
        The tolerance of the columns (:mod:`..linalg.smooth_modes`).
    """

    in_closed_form = True

    def __init__(self, inverse: Inverse, order: np.ndarray | slice, tol: float = EXACT):
        super().__init__(inverse.n)
        self.inverse, self.order, self.tol = inverse, order, tol
        self._blocks = [np.empty((self.n, 0))]  # blocks of columns: new ones copy no old ones

    def gram(self, rows):
        self._add(rows)
        found = self._read(rows)[:, self._at(rows)]
        return 0.5 * (found + found.T)

    def columns(self, points, rows):
        out, known = np.empty((len(points), len(rows))), np.isin(rows, self.rows)
        out[:, known] = self._read(points)[:, self._at(rows[known])]
        out[:, ~known] = self._solved(unit_columns(rows[~known], self.n), GLANCE)[points]
        return out

    def lift(self, R):
        self._add(np.flatnonzero(R.any(axis=1)))
        beta = np.split(R[self.rows], np.cumsum([block.shape[1] for block in self._blocks])[:-1])
        self.values = np.zeros(R.shape)
        for block, part in zip(self._blocks, beta, strict=True):
            self.values += block @ part
        return self.values, self.values

    def solve(self, R):
        F = self._solved(R, EXACT)
        return F, F

    def _solved(self, R: np.ndarray, tol: float) -> np.ndarray:
        out = np.empty(R.shape)
        out[self.order] = self.inverse.solve(R[self.order], tol)
        return out

    def _read(self, points: np.ndarray) -> np.ndarray:
        """All columns at some points, (m, l)."""
        return np.hstack([block[points] for block in self._blocks])

    def _add(self, rows: np.ndarray) -> None:
        """Compute a column for each of the rows that has none."""
        new = np.setdiff1d(rows, self.rows)
        if not len(new):
            return
        require_bytes(
            16.0 * self.n * len(new),
            f"One function for each of {len(new)} labels over {self.n} rows",
            "Give fewer labels, or warm_start=False.",
        )
        self._blocks.append(self._solved(unit_columns(new, self.n), self.tol))
        self.rows = np.concatenate([self.rows, new])


def modal_sections(
    operator: Operator, gamma_A: float, lam: float, tol: float = EXACT
) -> ModalSections | None:
    """K̃ = (γ_A/n + λM)⁻¹ by the smoothest functions of a graph, or None.

    The result is a :class:`ModalSections` only where M is a polynomial of the Laplacian of a graph,
    the number of points lies between the two limits above, and float64 can hold 1/γ_A.
    """
    n = operator.n
    if not lam or not FEW_POINTS < n <= MANY_POINTS:
        return None
    if np.finfo(float).eps > EVERY_DIGIT * gamma_A:
        return None
    order, near = operator.near or (slice(None), operator)
    modes = modes_of(near)
    if not (modes and near.polynomial):
        return None
    powers = lam * np.asarray(near.polynomial[1])
    powers[0] += gamma_A / n
    found = (ModalInverse if modes.low else FactorInverse)(modes, powers)
    return ModalSections(found, order, tol) if found.holds() else None


def modes_of(operator: Operator) -> SmoothModes | None:
    """The smoothest functions of the graph behind an operator, or None.

    On curves and surfaces these are the null space of L only. All polynomials of one L share them:
    a search over powers of L, and the fit after it, compute them once.
    """
    graph = operator.graph
    if not (operator.polynomial and graph):
        return None
    L, powers = operator.polynomial
    low = len(powers) <= HIGHEST + 1

    def make() -> SmoothModes | None:
        return SmoothModes.of(L, graph.degrees, 0 if low and is_narrow(L) else N_MODES)

    return graph.shelf.once(make, "modes", L, low)
