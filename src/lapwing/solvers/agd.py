"""The accelerated gradient of MT's Algorithm 1, for fidelity and comparison."""

from __future__ import annotations

import numpy as np

from ..losses import QuadraticLoss
from ..objective import Objective
from ..spaces import Element
from .base import Progress, Solution, Solver, Status, no_progress
from .label_system import layers

CHECK_EVERY = 10


class AGD(Solver):
    """V_k = W_k + (k−1)/(k+2) (W_k − W_{k−1}),  W_{k+1} = V_k − ∇J(V_k)/C  (Nesterov).

    C is eq. 8: with C = 2(ρ(A) + γ_M ρ(L_m)), ‖∇J(P) − ∇J(Q)‖ ≤ C ‖P − Q‖ (eq. 7 prints the
    norms squared with C in place of C²). Starting from zero, the iterates stay in the range of
    the Hessian, and the limit is the minimiser of least norm; of a given start, the part that
    the objective does not see is removed, so the limit does not depend on it.

    The s × s matrix A is formed once, so an iteration costs s²t. Targets missing entry by entry
    make A differ between the columns: each then has its own.

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate ‖∇(W)‖/‖∇(0)‖.
    max_iter : int, default=100_000
    progress : callable, optional

    References
    ----------
    MT Algorithm 1, eqs. 6–8.
    """

    requires = QuadraticLoss

    def __init__(
        self, tol: float = 1e-8, max_iter: int = 100_000, progress: Progress = no_progress
    ):
        self.tol = tol
        self.max_iter = max_iter
        self.progress = progress

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        problem = _Quadratic(objective)
        W = problem.zero if start is None else problem.project(start.coef)
        previous, step = W, 1.0 / problem.lipschitz if problem.lipschitz else 0.0
        history, n_iter = [problem.optimality(W)], 0
        while history[-1] > self.tol and n_iter < self.max_iter:
            n_iter += 1
            V = W + (n_iter - 1) / (n_iter + 2) * (W - previous)
            previous, W = W, V - step * problem.gradient(V)
            if n_iter % CHECK_EVERY == 0 or n_iter == self.max_iter:
                history.append(problem.optimality(W))
                self.progress(n_iter, history[-1])
        optimality = objective.optimality(objective.space.element(W))
        status = Status.CONVERGED if optimality <= 1.01 * self.tol else Status.MAX_ITER
        return Solution(W, status, n_iter, optimality, history)


class _Quadratic:
    """∇J(W)/2 = A_k w_k + γ_M (W L_m)_k − c_k, with one A for all columns or one for each."""

    def __init__(self, objective: Objective):
        space, laplacian, intercept = layers(objective.space)
        self.objective = objective
        Z = space.vectors[objective.rows] * space.scale
        if intercept:
            Z = np.column_stack([Z, np.ones(len(Z))])
        smooth = np.zeros((Z.shape[1], Z.shape[1]))
        s = space.n_coef
        if objective.lam:
            features = space.vectors * space.scale
            smooth[:s, :s] = objective.lam * (features.T @ objective.operator.apply(features))
        self.A = [Z.T @ (w[:, None] * Z) + smooth for w in objective.w.T]
        self.C = Z.T @ (objective.w * objective.y)
        self.B: np.ndarray | None = None
        if laplacian is not None and objective.gamma_A > 0:
            self.B = np.asarray(objective.gamma_A * laplacian)
        self.coupled_rows = s
        self.zero = np.zeros_like(self.C)
        self._scale = np.linalg.norm(self.C) or 1.0

    def gradient(self, W: np.ndarray) -> np.ndarray:
        if len(self.A) == 1:
            G = self.A[0] @ W - self.C
        else:
            G = np.column_stack([A @ w for A, w in zip(self.A, W.T, strict=True)]) - self.C
        if self.B is not None:
            s = self.coupled_rows
            G[:s] += W[:s] @ self.B
        return 2.0 * G

    def optimality(self, W: np.ndarray) -> float:
        """The objective's certificate from the small matrices: the worst column, or all."""
        G = 0.5 * self.gradient(W)
        if self.B is not None:
            return float(np.linalg.norm(G) / self._scale)
        scale = np.linalg.norm(self.C, axis=0)
        floor = scale.max() or 1.0
        scale = np.where(scale > 1e-14 * floor, scale, floor)
        return float((np.linalg.norm(G, axis=0) / scale).max())

    @property
    def lipschitz(self) -> float:
        """C of eq. 8."""
        radius = max(float(np.linalg.eigvalsh(A)[-1]) for A in self.A)
        between = 0.0 if self.B is None else float(np.linalg.eigvalsh(self.B)[-1])
        return 2.0 * (radius + between)

    def project(self, W: np.ndarray) -> np.ndarray:
        """W without its part in the null space of the Hessian, null(A) ⊗ null(L_m)."""
        W = np.array(W, dtype=float)
        free = np.eye(W.shape[1]) if self.B is None else _null_projection(self.B)
        if len(self.A) == 1:
            return W - _null_projection(self.A[0]) @ W @ free
        if self.B is None:
            parts = [_null_projection(A) @ w for A, w in zip(self.A, W.T, strict=True)]
            return W - np.column_stack(parts)
        # Masks and coupling together: only zero is known to have no part there.
        return self.zero


def _null_projection(A: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(A)
    N = vectors[:, values <= 1e-12 * max(values[-1], 0.0)]
    return N @ N.T
