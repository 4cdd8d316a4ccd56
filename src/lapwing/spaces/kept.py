"""K̃ that is kept while labels come and go: one factor, and one section for each label ever seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
import scipy.linalg

from ..linalg.columns import units
from ..linalg.factor import LU
from ..linalg.memory import require_bytes
from ..linalg.product import product
from ..linalg.quadratic_form import QuadraticForm
from ..operators import Operator
from .deformation import CallableSystem, Deformation, MixedKernel, PlainDeformation
from .point_systems import (
    EARLY_STOPPED,
    FEW_POINTS,
    LENT_SHARE,
    PointDeformation,
    PointSolver,
)

if TYPE_CHECKING:
    from .base import Space
    from .exact import Exact
    from .graph_values import GraphValuesSpace

MIXED_FROM = 1000
"""Points from which the factor is made in float32 and its solutions are refined."""

EVERY_DIGIT = (1e-7, 1e-9)
"""Residuals of a section and of the function that is answered, relative to their right-hand sides.
That of a section enters K̃ squared, and what nothing but a tiny γ_A holds magnifies it."""

ROUGH = 1e-4
"""Residual at which conjugate gradients in float32 stop, before the next refinement."""

GLANCE = 0.03
"""Residual of a section that only tells which row to label next."""

TINY = np.finfo(float).tiny
ROUNDS = 12
"""Refinements at most; a round that gains less than half of what is left is the last."""


class Engine(Protocol):
    """A = P + V: all penalties, and a weight v lent to the rows that were labeled first."""

    least: float
    tols: tuple[float, float]
    dense: bool

    def rough(self, R: np.ndarray, tol: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        """About A⁻¹R, to a relative residual: coefficients C and values F, (n, t)."""
        ...

    def apply(self, C: np.ndarray, F: np.ndarray) -> np.ndarray:
        """A times the functions with coefficients C and values F."""
        ...


class DenseEngine:
    """A = γ I + (V + λM)K of an exact space, by an LU factor."""

    dense = True

    def __init__(self, space: Exact, operator: Operator, gamma_A: float, lam: float, lent):
        n = space.n_points
        self.K, self.gamma, self.form = space.gram, gamma_A, QuadraticForm(operator, lam, lent)
        dtype = np.float32 if n >= MIXED_FROM else np.float64
        require_bytes(
            2 * np.dtype(dtype).itemsize * n * n,
            f"The factor of a system of order {n}",
            "Use warm_start=False, or fewer rows.",
        )
        A = np.array(self.form.apply(np.asarray(self.K, dtype=dtype)), order="C")
        A.flat[:: n + 1] += gamma_A
        self.factor = LU(A)
        self.tols = EVERY_DIGIT
        most = float(self.K.diagonal()[lent > 0].sum()) / gamma_A
        self.least = 1.0 / (1.0 + float(lent.max(initial=0.0)) * most)

    def rough(self, R, tol):
        C = self.factor.solve(R)
        return C, product(self.K, C)

    def apply(self, C, F):
        return self.gamma * C + self.form.apply(F)


class PointEngine:
    """A = γ_A/n + V + λM of values on the points, by conjugate gradients in float32."""

    dense = False

    def __init__(
        self, space: GraphValuesSpace, operator: Operator, gamma_A: float, lam: float, lent, precise
    ):
        space.keep_features()
        self.solver = PointSolver(space, gamma_A, QuadraticForm(operator, lam, lent))
        precise = precise or space.n_points <= FEW_POINTS
        # sections so good that a mixture of them seldom needs a further step
        self.tols = EVERY_DIGIT if precise else (EARLY_STOPPED, 3.0 * EARLY_STOPPED)
        ridge = gamma_A / space.n_points
        self.least = ridge / (ridge + float(lent.max(initial=0.0)))

    def rough(self, R, tol):
        scale = np.abs(R).max(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        right = (R / scale).astype(np.float32)
        C = self.solver.solve(right, np.maximum(tol, ROUGH)).astype(np.float64) * scale
        return C, C

    def apply(self, C, F):
        return self.solver.apply(F)


class KeptSections:
    """K̃ at any rows, from A⁻¹ at all rows that ever had a label.

    Without labels nothing holds the smoothest functions. A weight v is lent to the rows that are
    labeled first, for good, and taken back on the small matrix: with E the unit vectors of the
    rows, S = EᵀΦA⁻¹Φ*E and V the weights among them,

        K̃ = (S⁻¹ − V)⁻¹,    K̃β = A⁻¹(β + V f),  f = K̃β at the rows.

    Sections A⁻¹e_i are solved roughly, S is wrong by the square of their error, and the one
    function that is answered is refined. A new label costs one solve with the factor that is there.

    Parameters
    ----------
    engine : Engine
    lent : array of shape (n,)
        V: the weight lent to the rows that are labeled first, 0 elsewhere.
    rows : integer array of shape (l,)
        Those rows.
    precise : bool or None
        None: a few per cent are enough.
    """

    def __init__(self, engine: Engine, lent: np.ndarray, rows: np.ndarray, precise: bool | None):
        self.engine = engine
        self.n_rows = len(lent)
        self.dense = engine.dense
        if precise is None:
            self.engine.tols = (GLANCE, GLANCE)
        self.lent = lent
        self.values = np.empty((self.n_rows, 0))
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
        sure = np.full(len(new), self.engine.tols[0])
        C, F, rest = self._refined(unit, *self.engine.rough(unit, sure), sure)
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
        """(S⁻¹ − V)⁻¹ = S + S₀ᵀ V(I − S₀₀V)⁻¹ S₀, 0 being the rows that were labeled first."""
        across = self.S[self._base]
        return self.S + across.T @ self._moved(across)

    @property
    def _base(self) -> np.ndarray:
        """Where the rows with a lent weight are: the first ones."""
        return np.arange(int(np.count_nonzero(self.lent)))

    def _moved(self, f: np.ndarray) -> np.ndarray:
        """V(I − S₀₀V)⁻¹f; rounding may hide that 1 − v s ≥ ``least``."""
        base = self._base
        v = float(self.lent[self.rows[0]])
        s, Q = scipy.linalg.eigh(self.S[np.ix_(base, base)], check_finite=False)
        return (Q * (v / np.maximum(1.0 - v * s, self.engine.least))) @ (Q.T @ f)

    def gram(self, rows: np.ndarray) -> np.ndarray:
        """K̃ among the rows, (l, l)."""
        self._add(rows)
        at = self._at(rows)
        kernel = self._kernel[np.ix_(at, at)]
        return 0.5 * (kernel + kernel.T)

    def columns(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """K̃ between points and rows, (m, l): to a few per cent at rows that never had a label."""
        out = np.empty((len(points), len(rows)))
        known = np.isin(rows, self.rows)
        moved = np.eye(len(self.rows)) + self.lent[self.rows, None] * self._kernel
        out[:, known] = self.F[points] @ moved[:, self._at(rows[known])]
        new = rows[~known]
        if len(new):
            _, F = self.engine.rough(units(new, self.n_rows), GLANCE)
            base = self.rows[self._base]
            lent = self.F[points][:, self._base] @ self._moved(F[base])
            out[:, ~known] = F[points] + lent
        return out

    def _at(self, rows: np.ndarray) -> np.ndarray:
        order = np.argsort(self.rows)
        return order[np.searchsorted(self.rows, rows, sorter=order)]

    def lift(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and values of K̃R, (n, t) each, for an R that is zero at other rows."""
        self._add(np.flatnonzero(R.any(axis=1)))
        beta = R[self.rows]
        moved = beta + self.lent[self.rows, None] * (self._kernel @ beta)
        right = np.zeros(R.shape)
        right[self.rows] = moved
        C, F, _ = self._refined(right, *self._combined(moved), self._goal(beta, moved))
        self.values = F
        return C, F

    def solve(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """P⁻¹R for any R: A x = R + V x at the rows that were labeled first."""
        base = self._base
        goal = self._goal(R, R)
        C, F, _ = self._refined(R, *self.engine.rough(R, self.engine.tols[1]), goal)
        moved = np.zeros((len(self.rows), R.shape[1]))
        moved[base] = self._moved(F[self.rows[base]])
        right = np.array(R)
        right[self.rows] += moved
        c, f = self._combined(moved)
        return self._refined(right, C + c, F + f, self._goal(R, right))[:2]

    def _goal(self, asked: np.ndarray, right: np.ndarray) -> np.ndarray:
        """What is lent may be much larger than what has to be answered."""
        norms = np.linalg.norm(asked, axis=0), LENT_SHARE * np.linalg.norm(right, axis=0)
        return self.engine.tols[1] * np.maximum(*norms)

    def _refined(self, right, C, F, goal: np.ndarray):
        """Coefficients, values and what is left of the right-hand sides, (n, t) each."""
        rest = right - self.engine.apply(C, F)
        size = np.linalg.norm(rest, axis=0)
        for _ in range(ROUNDS):
            if (size <= goal).all():
                break
            c, f = self.engine.rough(rest, 0.5 * goal / np.maximum(size, TINY))
            left = rest - self.engine.apply(c, f)
            before, size = size, np.linalg.norm(left, axis=0)
            if not (size < before).any():
                break
            C, F, rest = C + c, F + f, left
            if not (size < 0.5 * before).any():
                break
        return C, F, rest

    def _combined(self, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        C = self.C @ moved.astype(self.C.dtype)
        F = self.F @ moved if self.dense else C
        return C.astype(np.float64), F.astype(np.float64)


class KeptPlain(PlainDeformation):
    """K̃ of an exact space whose factor and sections are kept."""

    def __init__(self, kept: KeptSections, space: Exact, operator: Operator, gamma_A, lam):
        def solve(R):
            return space.element(*kept.solve(R))

        super().__init__(space, operator, gamma_A, lam, CallableSystem(solve))
        self.kept = kept

    def gram(self, rows):
        return MixedKernel(self, np.asarray(rows), [(self.kept.gram(np.asarray(rows)), None)])

    def lift(self, R):
        return self.kept.lift(R)[0]


class KeptPoint(PointDeformation):
    """K̃ of values on the points whose sections are kept."""

    def __init__(self, kept: KeptSections, space: GraphValuesSpace, operator, gamma_A, lam):
        super().__init__(space, operator, gamma_A, lam)
        self.kept = kept

    def gram(self, rows):
        return MixedKernel(self, np.asarray(rows), [(self.kept.gram(np.asarray(rows)), None)])

    def lift(self, R):
        return self.kept.lift(R)[0]


Kept = tuple[Deformation, KeptSections]
"""K̃ of a space, and the sections within it that are kept."""


def kept_plain(space: Exact, operator: Operator, gamma_A: float, lam: float, rows, precise) -> Kept:
    """Of an exact space."""
    lent = _lent(space.n_points, rows)
    engine = DenseEngine(space, operator, gamma_A, lam, lent)
    kept = KeptSections(engine, lent, rows, precise)
    return KeptPlain(kept, space, operator, gamma_A, lam), kept


def kept_point(space: GraphValuesSpace, operator: Operator, gamma_A, lam, rows, precise) -> Kept:
    """Of values on the points of a graph."""
    lent = _lent(space.n_points, rows)
    engine = PointEngine(space, operator, gamma_A, lam, lent, bool(precise))
    kept = KeptSections(engine, lent, rows, precise)
    return KeptPoint(kept, space, operator, gamma_A, lam), kept


def _lent(n: int, rows: np.ndarray) -> np.ndarray:
    lent = np.zeros(n)
    lent[rows] = 1.0 / max(len(rows), 1)
    return lent


def kept_deformation(
    space: Space, operator: Operator, gamma_A: float, lam: float, rows, precise: bool | None = False
) -> Kept | None:
    """K̃ of a space, and the sections within it that are kept; None where there is no such way.

    Parameters
    ----------
    space : Space
    operator : Operator
    gamma_A, lam : float
    rows : integer array of shape (l,)
        The labeled rows.
    precise : bool or None
        Whether every digit counts also where values on many points settle earlier; None: a few per
        cent are enough.
    """
    return space.kept(operator, gamma_A, lam, rows, precise) if lam else None
