"""K̃ at some rows by Galerkin's method, from one approximate function per row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import scipy.linalg

from ..linalg.blocks import batches
from ..linalg.memory import require_bytes
from ..linalg.panels import column_norms, unit_columns
from .sections import Sections

GLANCE = 0.01
"""Residual of a section that only helps to choose the next row to label."""

ROUGH = 1e-4
"""Residual down to which an engine's own stopping rule is trusted. For a smaller goal the residual
is computed and the solution refined. Sections that miss ROUGH have lost their digits."""

SPANNING = 100
"""The number of sections that span the smoothest functions; each costs a product with n numbers."""

LENT_SHARE = 0.03  # the goal is relative to no less than this share of the right-hand side


class Engine(Protocol):
    """A = P + V, solved approximately: P holds all penalties, V gives a weight v to some rows.

    Attributes
    ----------
    tols : (float, float)
        Residuals of a section, and of the function that is returned, relative to their right-hand
        sides. The residual of a section enters K̃ squared.
    least : float
        A lower bound of 1 − v s, for the eigenvalues s of A⁻¹ among the rows.
    gram : array of shape (n, n)
        K with F = K C; empty where the values of a function are its coefficients.
    dtype : numpy type
        The type of the sections that are stored.
    """

    tols: tuple[float, float]
    least: float
    gram: Any
    dtype: Any

    def rough(self, R: np.ndarray, tol: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        """About A⁻¹R to the relative residual ``tol``: coefficients C and values F, (n, t)."""
        ...

    def apply(self, C: np.ndarray, F: np.ndarray) -> np.ndarray:
        """A times the functions with coefficients C and values F, (n, t)."""
        ...


class Galerkin(Sections):
    """K̃ = P⁻¹ at any rows, from a function A⁻¹e_i for every row i that was ever asked for.

    Without labels only the small γ penalizes the smoothest functions, and P⁻¹ has entries of size
    1/γ. The rows of the first call therefore get a weight v, which they keep: A = P + V is well
    conditioned. With E the unit vectors of the rows, C ≈ A⁻¹E is solved approximately, and F are
    the values of C. Among the combinations of C, the matrix A⁻¹ at the rows is

        S = F_E (FᵀAC)⁺ F_Eᵀ,    with an error that is the *square* of the error of C, and
        K̃ = (S⁻¹ − V)⁻¹,         K̃β = A⁻¹(β + V f),  f = K̃β at the rows.

    No formula subtracts large numbers from each other. The function that is returned is refined. A
    new row costs one solution with the factor, or with the preconditioner, of the first call.

    Parameters
    ----------
    make : callable
        The weights of the n rows, (n,) ↦ :class:`Engine`.
    n : int
        The number of rows of the readout.
    """

    def __init__(self, make: Callable[[np.ndarray], Engine], n: int):
        super().__init__(n)
        self.make = make
        self.worst = 0.0  # the largest residual of a section, where it is computed
        self._energy = np.empty((0, 0))

    def gram(self, rows):
        self._ask(rows)
        at = self._at(rows)
        kernel = self._kernel[np.ix_(at, at)]
        return 0.5 * (kernel + kernel.T)

    def columns(self, points, rows):
        out = np.empty((len(points), len(rows)))
        known = np.isin(rows, self.rows)
        moved = np.eye(len(self.rows)) + self.lent[self.rows, None] * self._kernel
        F = self.F[points].astype(np.float64)
        out[:, known] = F @ (self._project @ moved[:, self._at(rows[known])])
        new = rows[~known]
        if len(new):
            _, values = self.engine.rough(unit_columns(new, self.n), GLANCE)
            lent = np.zeros((len(self.rows), len(new)))
            lent[: self._first] = self._moved(values[self.rows[: self._first]])
            out[:, ~known] = values[points] + F @ (self._project @ lent)
        return out

    def lift(self, R):
        self._ask(np.flatnonzero(R.any(axis=1)))
        beta = R[self.rows]
        moved = beta + self.lent[self.rows, None] * (self._kernel @ beta)
        right = np.zeros(R.shape)
        right[self.rows] = moved
        C, self.values, _ = self._refined(right, *self._combined(moved), self._goal(beta, moved))
        return C, self.values

    def energies(self, R: np.ndarray) -> np.ndarray:
        """⟨r, K̃r⟩ of each column r of R, (t,), to the digits of one approximate solution."""
        F = self.engine.rough(R, GLANCE)[1]
        f = F[self.rows[: self._first]]
        return np.einsum("it,it->t", R, F) + np.einsum("it,it->t", f, self._moved(f))

    def solve(self, R):
        """P⁻¹R for any R of shape (n, t), from A x = R + V x at the rows of the first call."""
        goal, first = self._goal(R, R), self.rows[: self._first]
        C, F, _ = self._refined(R, *self.engine.rough(R, self.engine.tols[1]), goal)
        moved = np.zeros((len(self.rows), R.shape[1]))
        moved[: self._first] = self._moved(F[first])
        right = np.array(R)
        right[self.rows] += moved
        c, f = self._combined(moved)
        return self._refined(right, C + c, F + f, self._goal(R, right))[:2]

    # The sections.

    def _ask(self, rows: np.ndarray) -> None:
        """Compute a section for each of the rows that has none."""
        new = np.setdiff1d(rows, self.rows)
        if not len(new) and len(self.rows):
            return
        if not len(self.rows):
            self._begin(new)
        l, held = len(self.rows), self.C.itemsize * (2 if len(self.engine.gram) else 1)
        require_bytes(
            held * self.n * (l + len(new)) + 2 * min(2**29, 28 * self.n * len(new)),
            f"One function for each of {l + len(new)} labeled points over {self.n} points",
            "Use a smooth loss such as 'squared_hinge', warm_start=False, or fewer labeled rows.",
        )
        self._grow(new)
        energy = np.zeros((l + len(new),) * 2)
        energy[:l, :l] = self._energy
        kind = np.float64 if self._exacting else self.C.dtype
        for some in self._batches(l, l + len(new)):
            C, F = (np.ascontiguousarray(part[:, some], dtype=kind) for part in (self.C, self.F))
            energy[:, some] = self.F.T @ self.engine.apply(C, F)
        energy[l:, :l] = energy[:l, l:].T
        energy[l:, l:] = 0.5 * (energy[l:, l:] + energy[l:, l:].T)
        if not np.isfinite(energy).all():
            raise ValueError(
                "The deformed kernel at the labeled rows is not finite: the weights are beyond "
                "what float arithmetic can hold. Raise gamma_A or lower gamma_I."
            )
        self._energy = energy
        self._take_back()

    def _begin(self, rows: np.ndarray) -> None:
        self.lent = np.zeros(self.n)
        self.lent[rows] = 1.0 / max(len(rows), 1)
        self.engine, self._first = self.make(self.lent), len(rows)
        self.C = self.F = np.empty((self.n, 0), dtype=self.engine.dtype)

    def _grow(self, new: np.ndarray) -> None:
        l = len(self.rows)
        self.rows = np.concatenate([self.rows, new])
        self.C, old = np.empty((self.n, len(self.rows)), dtype=self.C.dtype), (self.C, self.F)
        self.F = np.empty_like(self.C) if len(self.engine.gram) else self.C
        self.C[:, :l], self.F[:, :l] = old
        for some in self._batches(l, len(self.rows)):
            unit = unit_columns(self.rows[some], self.n)
            C, F = self.engine.rough(unit, self.engine.tols[0])
            if self._exacting:
                C, F, rest = self._refined(unit, C, F, self.engine.tols[0])
                self.worst = np.fmax(self.worst, np.linalg.norm(rest, axis=0).max())
            self.C[:, some], self.F[:, some] = C, F
            if self._exacting and len(self.engine.gram):
                # K sees little of what an iteration leaves but its smoothest part, which is common
                # to all sections and would add up: a combination of sections takes it away
                K = self.engine.gram[self.rows[:SPANNING]]
                weights = np.linalg.pinv(K[:, self.rows[:SPANNING]], 1e-4, True) @ (K @ rest)
                self.C[:, some] += self.C[:, :SPANNING] @ weights
                self.F[:, some] += self.F[:, :SPANNING] @ weights

    @property
    def _exacting(self) -> bool:
        """Whether rounding to the precision of the engine would exceed the goal for a section."""
        return self.engine.tols[0] < ROUGH

    def _batches(self, start: int, stop: int) -> list[slice]:
        """Slices of columns that are solved together, in half a gigabyte."""
        return batches(stop, max(1, 2**29 // (28 * self.n)), start)

    def _take_back(self) -> None:
        """K̃ = (S⁻¹ − V)⁻¹ = S + S₀ᵀ V(I − S₀₀V)⁻¹ S₀, S₀ being S at the rows of the first call."""
        at = self.F[self.rows].astype(np.float64)
        self._project = scipy.linalg.pinvh(self._energy) @ at.T
        # Sections of several labels in one component of a graph are nearly the same function.
        # Accurate sections therefore take the first term of Galerkin's series: no inverse.
        S = at + at.T - self._energy if self._exacting else at @ self._project
        self._shifted = 0.5 * (S + S.T)
        across = self._shifted[: self._first]
        self._kernel = self._shifted + across.T @ self._moved(across)

    def _moved(self, f: np.ndarray) -> np.ndarray:
        """V(I − S₀₀V)⁻¹f. Values of 1 − v s below ``least`` are rounding, and are raised to it."""
        v = float(self.lent[self.rows[0]]) if len(self.rows) else 0.0
        s, Q = scipy.linalg.eigh(self._shifted[: self._first, : self._first], check_finite=False)
        return (Q * (v / np.maximum(1.0 - v * s, self.engine.least))) @ (Q.T @ f)

    # The function that is returned.

    def _goal(self, asked: np.ndarray, right: np.ndarray) -> np.ndarray:
        """The largest norm of the residual that is accepted, for each column, (t,).

        It is relative to ``asked``. The right-hand side ``right`` with V f may be much larger.
        """
        norms = column_norms(asked), LENT_SHARE * column_norms(right)
        return self.engine.tols[1] * np.maximum(*norms)

    def _combined(self, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The combination of sections for A⁻¹ of ``moved`` at the rows: coefficients and values.

        Accurate sections are combined with the weights ``moved``, which is exact if the sections
        are. Galerkin's weights invert the small energies between nearly parallel sections, and lose
        three digits on a surface.
        """
        self.mix = mix = (moved if self._exacting else self._project @ moved).astype(self.C.dtype)
        C = (self.C @ mix).astype(np.float64)
        return C, (self.F @ mix).astype(np.float64) if len(self.engine.gram) else C

    def _refined(self, right, C, F, goal: np.ndarray | float, rounds: int = 12):
        """Coefficients, values and residuals after iterative refinement, (n, t) each.

        A round that does not halve any residual is the last.
        """
        rest = right - self.engine.apply(C, F)
        size = np.linalg.norm(rest, axis=0)
        for _ in range(rounds):
            if (size <= goal).all():
                break
            c, f = self.engine.rough(rest, 0.5 * goal / np.maximum(size, np.finfo(float).tiny))
            left = rest - self.engine.apply(c, f)
            before, size = size, np.linalg.norm(left, axis=0)
            if not (size < before).any():
                break
            C, F, rest = C + c, F + f, left
            if not (size < 0.5 * before).any():
                break
        return C, F, rest
