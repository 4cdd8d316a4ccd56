"""The closed form of the squared loss: one factorisation for all columns (MR eq. 8)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..linalg.gram_system import GramSystem
from ..linalg.normal_system import NormalSystem
from ..losses import QuadraticLoss
from ..objective import Objective
from ..spaces import Element, Exact, Features, Space, core_of
from .base import Progress, Solution, Solver, Status, no_progress
from .cg import CG

MAX_POLISH = 100  # conjugate gradient steps after a factor that misses the tolerance


class Direct(Solver):
    """(diag(w) K + (γ_I/n²) M K + γ_A I) α = w ∘ (y − b), with Σ w (f + b − y) = 0 for b.

    This is MR eq. 8 divided by l, with sample weights and, where the space has one, the
    intercept: b is eliminated by one more right-hand side. Over dense features Z the same
    equations are (γ_A I + Zᵀ(diag(w) + (γ_I/n²) M)Z) a = Zᵀ(w ∘ (y − b)).

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate above which the status says so.
    progress : callable, optional
    """

    requires = QuadraticLoss

    def __init__(self, tol: float = 1e-8, progress: Progress = no_progress):
        self.tol = tol
        self.progress = progress

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        if objective.w.shape[1] > 1:
            raise TypeError(
                "The direct solver needs the same rows observed in every column. "
                "Use solver='newton' or 'auto' for targets that are missing entry by entry."
            )
        found = objective.space.element(self._coefficients(objective))
        optimality = objective.optimality(found)
        self.progress(1, optimality)
        history = [1.0, optimality]
        if not optimality <= self.tol:
            coef, optimality = self._polished(objective, found.coef, optimality)
            found = objective.space.element(coef)
            history.append(optimality)
        status = Status.CONVERGED if optimality <= self.tol else Status.STALLED
        return Solution(found.coef, status, 1, optimality, history, found.values)

    def _polished(
        self, objective: Objective, coef: np.ndarray, optimality: float
    ) -> tuple[np.ndarray, float]:
        """A few conjugate gradient steps from there, if they help.

        The factor's rounding errors lie in the coefficients; the space's metric does not see
        those outside the kernel's range, and few steps remove what it does see.
        """
        if not np.isfinite(coef).all():
            return coef, optimality
        polished = CG(self.tol, MAX_POLISH).solve(objective, objective.space.element(coef))
        if polished.optimality < optimality:
            return polished.coef, polished.optimality
        return coef, optimality

    def _coefficients(self, objective: Objective) -> np.ndarray:
        core, intercept = core_of(objective.space)
        w = np.zeros((objective.n_rows, 1))
        w[objective.rows] = objective.w
        system = _system(core, objective, w[:, 0])
        rhs = np.zeros((objective.n_rows, objective.n_columns))
        rhs[objective.rows] = objective.w * objective.y
        none = np.zeros_like(rhs)
        if not intercept:
            return system.solve(core.represent(none, rhs))
        Z = system.solve(core.represent(none[:, :1], np.hstack([rhs, w])))
        slack = _slack(objective, core, Z, rhs, w)
        b = slack[:-1] / slack[-1] if slack[-1] != 0 else np.zeros(objective.n_columns)
        return np.vstack([Z[:, :-1] - Z[:, -1:] * b, b])


def _system(core: Space, objective: Objective, w: np.ndarray) -> GramSystem | NormalSystem:
    M, gamma, lam = objective.operator.apply, objective.gamma_A, objective.lam
    if isinstance(core, Exact):
        return GramSystem(core.gram, M, gamma, lam, w)
    if isinstance(core, Features) and not sp.issparse(core.Z):
        return NormalSystem(core.Z, M, gamma, lam, w)
    raise TypeError(
        f"The direct solver needs the Gram matrix of space='exact' or dense features, not "
        f"{type(core).__name__}. Use solver='cg'."
    )


def _slack(objective: Objective, core: Space, Z, rhs, w) -> np.ndarray:
    """wᵀ(y − f_z) for each column z, the last one's y being 1.

    In an exact space the summed rows of the system give 1ᵀ(γ_A z + λ M K z) for it, without
    the cancellation of wᵀ1 − wᵀK z where constants are nearly unpenalised.
    """
    F = core.evaluate(Z)
    if not isinstance(core, Exact):
        return np.append(rhs.sum(axis=0), w.sum()) - (w * F).sum(axis=0)
    slack = objective.gamma_A * Z.sum(axis=0)
    if objective.lam:
        slack += objective.lam * objective.operator.apply(F).sum(axis=0)
    return slack
