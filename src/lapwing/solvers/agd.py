"""Nesterov's accelerated gradient, as in Algorithm 1 of MT, for comparison with the paper."""

from dataclasses import dataclass

import numpy as np

from ..losses import QuadraticLoss
from ..problem import Problem, Progress, Solution, check_loss, no_progress, status_of
from ..spaces import Element, scalar
from .base import Solver
from .direct import row_weights


@dataclass(eq=False)
class AGD(Solver):
    """V_k = W_k + (k−1)/(k+2) (W_k − W_{k−1}),  W_{k+1} = V_k − ∇J(V_k)/C  (Nesterov).

    W are the coefficients and C is the constant of eq. 8. With C = 2(ρ(A) + γ_M ρ(L_m)) the
    gradient satisfies ‖∇J(P) − ∇J(Q)‖ ≤ C ‖P − Q‖. (Eq. 7 prints the norms squared, with C in place
    of C².) The iteration always starts at zero. The iterates then stay in the range of the Hessian,
    and the limit is the minimizer of least norm.

    The s × s matrix A is formed once, so that an iteration costs s²t. Where targets are missing
    entry by entry, each column has its own A.

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate ‖∇(W)‖/‖∇(0)‖.
    max_iter : int, default=100_000
        The most iterations.
    progress : callable, optional
        Called with (iteration, certificate), every ten iterations.

    References
    ----------
    MT Algorithm 1, eqs. 6–8.
    """

    requires = QuadraticLoss

    tol: float = 1e-8
    max_iter: int = 100_000
    progress: Progress = no_progress

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self)
        problem = _Quadratic(objective)
        W = np.zeros_like(problem.C)
        previous, step = W, 1.0 / problem.lipschitz if problem.lipschitz else 0.0
        history, n_iter = [problem.optimality(W)], 0
        while history[-1] > self.tol and n_iter < self.max_iter:
            n_iter += 1
            V = W + (n_iter - 1) / (n_iter + 2) * (W - previous)
            previous, W = W, V - step * problem.gradient(V)
            if n_iter % 10 == 0 or n_iter == self.max_iter:
                history.append(problem.optimality(W))
                self.progress(n_iter, history[-1])
        optimality = objective.optimality(objective.space.element(W))
        status = status_of(optimality, 1.01 * self.tol, at_limit=True)
        return Solution(W, status, n_iter, optimality, history)


class _Quadratic:
    """∇J/2 from small matrices: (A_k w_k)_k Λ + γ_A F μ − c, with W = F Λᵀ.

    F are the coordinates of the space. A_k = Z*(W_k + λM)Z over the features Z of the scalar space
    is the same for all columns, unless targets are missing entry by entry. F equals MT's W up to a
    rotation between the labels.
    """

    def __init__(self, objective: Problem):
        space, alone = objective.space, scalar(objective.space)
        unit = alone.element(np.eye(alone.n_coef))
        smooth = objective.lam * objective.operator.apply(unit.values) if objective.lam else 0.0
        weights, rhs = row_weights(objective), np.zeros((objective.n_rows, objective.n_columns))
        columns = weights.T[: objective.w.shape[1]]
        self.A = [alone.represent(smooth, w[:, None] * unit.readout) for w in columns]
        if any(
            np.abs(A - A.T).max(initial=0.0) > 1e-8 * np.abs(A).max(initial=0.0) for A in self.A
        ):
            raise TypeError(
                "The accelerated gradient needs coordinates whose metric is plain, such as the "
                f"Eigen space's or features', not {type(space).__name__}'s. Use solver='cg'."
            )
        rhs[objective.rows] = weights[objective.rows] * objective.y
        self.C = space.represent(0.0, rhs)
        self.mixing = space.mixing
        self.mixed = slice(space.n_coef - space.free.shape[1])
        self.penalty = objective.gamma_A * space.penalty * np.ones_like(self.C)
        self.objective = objective

    def gradient(self, F: np.ndarray) -> np.ndarray:
        W = self._outputs(F)
        if len(self.A) == 1:
            G = self.A[0] @ W
        else:
            G = np.column_stack([A @ w for A, w in zip(self.A, W.T, strict=True)])
        G[self.mixed] = self.mixing.pull(G[self.mixed])
        return 2.0 * (G + self.penalty * F - self.C)

    def _outputs(self, F: np.ndarray) -> np.ndarray:
        W = F.copy()
        W[self.mixed] = self.mixing.mix(F[self.mixed])
        return W

    def optimality(self, F: np.ndarray) -> float:
        """The certificate of the objective, with the gradient from the small matrices."""
        g = self.objective.space.element(self.gradient(F))
        return float(self.objective.relative(g).max())

    @property
    def lipschitz(self) -> float:
        """C of eq. 8."""
        radius = max(float(np.linalg.eigvalsh(A)[-1]) for A in self.A)
        return 2.0 * (radius + float(self.penalty.max(initial=0.0)))
