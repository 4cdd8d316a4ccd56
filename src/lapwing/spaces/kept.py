"""K̃ that is kept while labels come and go: one factor, and one section for each label ever seen."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import scipy.linalg

from ..linalg.columns import units
from ..linalg.factor import LU
from ..linalg.form import Form
from ..linalg.memory import require_bytes
from ..linalg.product import product
from ..operators import Operator
from .base import Space
from .deformation import Deformation, MixedKernel
from .deformations import FreeDeformation
from .exact import Exact
from .on_points import PointValues
from .point_systems import SECTION_TOL, _Solved
from .with_offsets import WithOffsets

MIXED_FROM = 1000
"""Points from which the factor is made in float32 and its solutions are refined."""

GOAL = 1e-9
"""Residual of the function that is answered, relative to its right-hand side."""

ROUNDS = 12
"""Refinements at most; a round that gains less than half of what is left is the last."""


class Engine(Protocol):
    """A = P + V: all penalties, and a weight v lent to the rows that were labeled first."""

    least: float

    def rough(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """About A⁻¹R: coefficients C and values F, (n, t)."""
        ...

    def apply(self, C: np.ndarray, F: np.ndarray) -> np.ndarray:
        """A times the functions with coefficients C and values F."""
        ...


class DenseEngine:
    """A = γ I + (V + λM)K of an exact space, by an LU factor."""

    def __init__(self, space: Exact, operator: Operator, gamma_A: float, lam: float, lent):
        n = space.n_points
        self.K, self.gamma, self.form = space.gram, gamma_A, Form(operator, lam, lent)
        dtype = np.float32 if n >= MIXED_FROM else np.float64
        require_bytes(
            2 * np.dtype(dtype).itemsize * n * n,
            f"The factor of a system of order {n}",
            "Use warm_start=False, or fewer rows.",
        )
        A = np.array(self.form.apply(np.asarray(self.K, dtype=dtype)), order="C")
        A.flat[:: n + 1] += gamma_A
        self.factor = LU(A)
        most = float(self.K.diagonal()[lent > 0].sum()) / gamma_A
        self.least = 1.0 / (1.0 + float(lent.max(initial=0.0)) * most)

    def rough(self, R):
        C = self.factor.solve(R)
        return C, product(self.K, C)

    def apply(self, C, F):
        return self.gamma * C + self.form.apply(F)


class PointEngine:
    """A = γ_A/n + V + λM of values on the points, by conjugate gradients in float32."""

    def __init__(self, space: PointValues, operator: Operator, gamma_A: float, lam: float, lent):
        self.solver = _Solved(space, gamma_A, Form(operator, lam, lent))
        ridge = gamma_A / space.n_points
        self.least = ridge / (ridge + float(lent.max(initial=0.0)))

    def rough(self, R):
        scale = np.abs(R).max(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        C = self.solver.solve((R / scale).astype(np.float32), 1e-5).astype(np.float64)
        C *= scale
        return C, C

    def apply(self, C, F):
        return self.solver.apply(F)


class KeptDeformation(Deformation):
    """K̃ at any rows, from A⁻¹ at all rows that ever had a label.

    Without labels nothing holds the smoothest functions. A weight v is lent to the rows that are
    labeled first, for good, and taken back on the small matrix: with E the unit vectors of the
    rows, S = EᵀΦA⁻¹Φ*E and V the weights among them,

        K̃ = (S⁻¹ − V)⁻¹,    K̃β = A⁻¹(β + V f),  f = K̃β at the rows.

    Sections A⁻¹e_i are solved roughly, S is wrong by the square of their error, and the one
    function that is answered is refined. A new label costs one solve with the factor that is there.

    Parameters
    ----------
    space : Exact or PointValues
    operator : Operator
    gamma_A, lam : float
    rows : integer array of shape (l,)
        The rows that are labeled first.
    """

    factored = True

    def __init__(self, space, operator: Operator, gamma_A: float, lam: float, rows: np.ndarray):
        self.space = space
        self.n_rows = space.n_points
        lent = np.zeros(self.n_rows)
        lent[rows] = 1.0 / max(len(rows), 1)
        self.dense = isinstance(space, Exact)
        self.engine: Engine = (DenseEngine if self.dense else PointEngine)(
            space, operator, gamma_A, lam, lent
        )
        self.lent = lent
        self.rows = np.empty(0, dtype=int)
        self.C = np.empty((self.n_rows, 0), dtype=np.float64 if self.dense else np.float32)
        self.F = self.C
        self.S = np.empty((0, 0))
        self._add(np.asarray(rows))

    def _add(self, rows: np.ndarray) -> None:
        """One section more for each row that has none."""
        new = np.setdiff1d(rows, self.rows)
        if not len(new):
            return
        require_bytes(
            3 * self.C.itemsize * self.n_rows * (len(self.rows) + len(new)),
            f"One function for each of {len(self.rows) + len(new)} labels over {self.n_rows} rows",
            "Use warm_start=False.",
        )
        unit = units(new, self.n_rows)
        C, F = self.engine.rough(unit)
        rest = unit - self.engine.apply(C, F)
        rows = np.concatenate([self.rows, new])
        self.C = np.hstack([self.C, C.astype(self.C.dtype)])
        self.F = np.hstack([self.F, F]) if self.dense else self.C
        own = F[rows] + self.F.T @ rest  # S = EᵀF + Fᵀ(E − AC): the new columns
        l = len(self.rows)
        S = np.zeros((len(rows), len(rows)))
        S[:l, :l] = self.S
        S[:, l:] = own
        S[l:, :l] = own[:l].T
        S[l:, l:] = 0.5 * (own[l:] + own[l:].T)
        self.rows, self.S = rows, S
        self._kernel = self._taken_back()

    def _taken_back(self) -> np.ndarray:
        """(S⁻¹ − V)⁻¹; rounding may hide that 1 − v s ≥ ``least``."""
        lent = self.lent[self.rows]
        base = np.flatnonzero(lent)
        v = float(lent[base[0]])
        s, Q = scipy.linalg.eigh(self.S[np.ix_(base, base)], check_finite=False)
        across = self.S[:, base] @ Q
        return self.S + (across * (v / np.maximum(1.0 - v * s, self.engine.least))) @ across.T

    def gram(self, rows):
        rows = np.asarray(rows)
        self._add(rows)
        at = self._at(rows)
        kernel = self._kernel[np.ix_(at, at)]
        return MixedKernel(self, rows, [(0.5 * (kernel + kernel.T), None)])

    def _at(self, rows: np.ndarray) -> np.ndarray:
        order = np.argsort(self.rows)
        return order[np.searchsorted(self.rows, rows, sorter=order)]

    def lift(self, R):
        return self.element(R)[0]

    def element(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and values of K̃R, (n, t) each, for an R that is zero at other rows."""
        beta = R[self.rows]
        moved = beta + self.lent[self.rows, None] * (self._kernel @ beta)
        right = np.zeros(R.shape)
        right[self.rows] = moved
        C, F = self._combined(moved)
        rest = right - self.engine.apply(C, F)
        # what is lent may be much larger than R, and R is what has to be answered
        goal = GOAL * np.maximum(np.linalg.norm(beta, axis=0), 1e-3 * np.linalg.norm(moved, axis=0))
        size = np.linalg.norm(rest, axis=0)
        for _ in range(ROUNDS):
            if (size <= goal).all():
                break
            c, f = self.engine.rough(rest)
            left = rest - self.engine.apply(c, f)
            gained = np.linalg.norm(left, axis=0)
            if not (gained < size).any():
                break
            C, F, rest, before, size = C + c, F + f, left, size, gained
            if not (gained < 0.5 * before).any():
                break
        return C, F

    def _combined(self, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        C = self.C @ moved.astype(self.C.dtype)
        F = self.F @ moved if self.dense else C
        return C.astype(np.float64), F.astype(np.float64)


def kept_deformation(
    space: Space, operator: Operator, gamma_A: float, lam: float, rows: np.ndarray
) -> Deformation | None:
    """K̃ of a space that keeps its factor and sections; None where there is no such way.

    Parameters
    ----------
    space : Space
    operator : Operator
    gamma_A, lam : float
    rows : integer array of shape (l,)
        The labeled rows.
    """
    if isinstance(space, WithOffsets):
        inner = kept_deformation(space.space, operator, gamma_A, lam, rows)
        return None if inner is None else FreeDeformation(
            inner, space.E, lambda *parts: np.vstack(parts), space._at_new
        )
    if lam and type(space) in (Exact, PointValues):
        return KeptDeformation(space, operator, gamma_A, lam, rows)
    return None
