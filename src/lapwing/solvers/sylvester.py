"""The closed form for vector-valued functions: VV's Sylvester equation (17), shift by shift."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..linalg.pencil import FeaturePencil, Pencil, choose_pencil
from ..losses import QuadraticLoss
from ..objective import Objective
from ..regularizers import PSDOperator, TensorOperator
from ..spaces import Element, Exact, Features, Separable, Space, core_of
from .base import Progress, Solution, Solver, Status, no_progress


class Sylvester(Solver):
    """γ_A A + (diag(w) + (γ_I/n²) M) K A Q + w bᵀ = diag(w) Y, with wᵀ(K A Q + 1bᵀ − Y) = 0.

    This is VV (15) divided by l, never formed: with Q = V diag(σ) Vᵀ the columns of A V are
    independent, (γ_A I + σ_i G K) a_i = w∘y_i, and one factorisation serves all shifts γ_A/σ_i
    (:mod:`lapwing.linalg.pencil`). Eliminating b first leaves the same equation with the loss
    centred: G = diag(w) − w wᵀ/Σw + (γ_I/n²) M. A direction with σ_i = 0 carries no function.

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate above which the status says so.
    progress : callable, optional

    References
    ----------
    VV §5, eqs. 15–17.
    """

    requires = QuadraticLoss

    def __init__(self, tol: float = 1e-8, progress: Progress = no_progress):
        self.tol = tol
        self.progress = progress

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        system = SylvesterSystem.of(objective)
        sigma, V = output_directions(separable_core(objective)[0].Q)
        gamma = np.full(len(sigma), objective.gamma_A)
        pencil = system.pencil(n_shifts=len(np.unique(sigma)))
        coef = system.coefficients(pencil, gamma, sigma, V)
        optimality = objective.optimality(objective.space.element(coef))
        self.progress(1, optimality)
        status = Status.CONVERGED if optimality <= self.tol else Status.STALLED
        return Solution(coef, status, 1, optimality, [1.0, optimality])


class SylvesterSystem:
    """The parts of the equation that do not depend on γ_A and Q.

    Parameters
    ----------
    scalar : Exact or Features
        The space of the scalar kernel k, its features dense.
    operator : PSDOperator
    lam : float
        γ_I/n².
    w : array of shape (n,)
        Weights of the rows in the loss.
    Y : array of shape (n, q)
        Targets, read where w > 0.
    intercept : bool
    """

    def __init__(self, scalar: Space, operator: PSDOperator, lam: float, w, Y, intercept: bool):
        self.scalar = scalar
        self.operator = operator
        self.lam = lam
        self.w = w
        self.intercept = intercept
        self.Y = np.where(w[:, None] > 0, Y, 0.0)
        self.rhs = self.loss_form(self.Y)

    @classmethod
    def of(cls, objective: Objective) -> SylvesterSystem:
        core, intercept = separable_core(objective)
        if objective.w.shape[1] > 1:
            raise TypeError(
                "The Sylvester solver needs the same rows observed in every column. "
                "Use solver='auto' for targets that are missing entry by entry."
            )
        w, Y = np.zeros(objective.n_rows), np.zeros((objective.n_rows, objective.n_columns))
        # V″ = 2 for (y − f)²; a quadratic loss of another curvature scales the weights
        bend = objective.loss.curvature(objective.y, objective.y)  # type: ignore[attr-defined]
        w[objective.rows] = objective.w[:, 0] * 0.5 * bend[:, 0]
        Y[objective.rows] = objective.y
        return cls(core.space, objective.operator, objective.lam, w, Y, intercept)

    def loss_form(self, F: np.ndarray) -> np.ndarray:
        """diag(w) F, centred by the weights where there is an intercept; keeps F's dtype."""
        w = self.w.astype(F.dtype, copy=False)[:, None]
        out = w * F
        if self.intercept:
            out -= w * (out.sum(axis=0) / w.sum())
        return out

    def form(self, F: np.ndarray) -> np.ndarray:
        """G F = (diag(w) − w wᵀ/Σw) F + λ M F."""
        out = self.loss_form(F)
        if self.lam:
            out += self.lam * self.operator.apply(F)
        return out

    def pencil(self, n_shifts: int) -> Pencil:
        if isinstance(self.scalar, Features):
            return FeaturePencil(self.scalar.Z, self.form)
        return choose_pencil(self.scalar.gram, self.form, n_shifts)  # type: ignore[attr-defined]

    def coefficients(self, pencil: Pencil, gamma, sigma, V: np.ndarray) -> np.ndarray:
        """A, (n, q), with b as one more row where there is an intercept."""
        a, f = pencil.solve(gamma, sigma, self.rhs @ V)
        A = a @ V.T
        return np.vstack([A, self.constants(f @ V.T)]) if self.intercept else A

    def constants(self, F: np.ndarray) -> np.ndarray:
        """b = wᵀ(Y − F)/Σw, shape (q,)."""
        return self.w @ (self.Y - F) / self.w.sum()


def separable_core(objective: Objective) -> tuple[Separable, bool]:
    """The separable space under an objective and whether it has an intercept; else TypeError."""
    core, intercept = core_of(objective.space)
    if isinstance(objective.operator, TensorOperator):
        raise TypeError(
            "The Sylvester solver needs an intrinsic penalty M ⊗ I, not one that weighs the "
            "outputs. Use solver='cg'."
        )
    if not (isinstance(core, Separable) and _has_matrix(core.space)):
        raise TypeError(
            "The Sylvester solver needs one separable kernel k·Q over space='exact' or dense "
            f"features, not {type(core).__name__}. Use solver='cg'."
        )
    return core, intercept


def _has_matrix(scalar: Space) -> bool:
    dense = isinstance(scalar, Features) and not sp.issparse(scalar.Z)
    return dense or isinstance(scalar, Exact)


def output_directions(Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """σ ≥ 0, ascending, and V with Q = V diag(σ) Vᵀ.

    Rounding is cleaned: eigenvalues that agree to rounding become equal (one shift instead of
    several), those at rounding level become zero.
    """
    sigma, V = np.linalg.eigh(0.5 * (Q + Q.T))
    rounding = 8 * len(Q) * np.finfo(np.float64).eps * max(abs(sigma[0]), abs(sigma[-1]))
    groups = np.concatenate([[0], np.cumsum(np.diff(sigma) > rounding)])
    means = np.bincount(groups, weights=sigma) / np.bincount(groups)
    means[means <= rounding] = 0.0
    return means[groups], V
