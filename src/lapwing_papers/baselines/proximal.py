"""Accelerated proximal gradients with a duality gap."""

from __future__ import annotations

import numpy as np

from .penalties import Penalty
from .squares import LeastSquares

CHECK_EVERY = 10


class ProximalProblem:
    """P(W) = (1/2l)‖Y − XW‖² + Ω(W), over the observed entries of Y.

    For θ = c (Y − XW)/l, with c such that the conjugate is finite,

        D(θ) = ⟨Y, θ⟩ − (l/2)‖θ‖² − Ω*(Xᵀθ) ≤ min P.

    Parameters
    ----------
    squares : LeastSquares
        The first term.
    penalty : Penalty
        Ω.
    """

    def __init__(self, squares: LeastSquares, penalty: Penalty):
        self.squares, self.penalty = squares, penalty
        self.zero = np.zeros(squares.shape)
        self.step = 1.0 / squares.curvature if squares.curvature > 0 else 0.0

    def forward_backward(self, W: np.ndarray) -> np.ndarray:
        """A step down the first term, then the prox of the second."""
        return self.penalty.prox(W - self.step * self.squares.gradient(W), self.step)

    def gap(self, W: np.ndarray) -> float:
        """(P − D)/max(P, P(0))."""
        s = self.squares
        R = s.residual(W)
        G = s.X.T @ R / s.l
        c = self.penalty.shrink(G)
        squares = float(np.vdot(R, R)) / s.l
        primal = 0.5 * squares + self.penalty.value(W)
        dual = c * float(np.vdot(R, s.Y)) / s.l - 0.5 * c**2 * squares
        dual -= self.penalty.conjugate(c * G)
        scale = max(primal, s.at_zero)
        return max(0.0, primal - dual) / scale if scale > 0 else 0.0


def minimize(
    problem: ProximalProblem, tol: float, max_iter: int, start: np.ndarray | None = None
) -> tuple[np.ndarray, float, int]:
    """Nesterov's method, restarted where it overshoots, until the relative gap is below tol.

    Parameters
    ----------
    problem : ProximalProblem
    tol : float
    max_iter : int
    start : array of shape (d, t), optional
        The solution of a problem nearby; None, or where 0 has the smaller gap, is 0.

    Returns
    -------
    W : array of shape (d, t)
    gap : float
    n_iter : int
    """
    W, gap = _better(problem, start)
    ahead, t, n_iter = W, 1.0, 0
    while gap > tol and n_iter < max_iter:
        n_iter += 1
        moved = problem.forward_backward(ahead)
        forward = moved - W
        if np.vdot(ahead - moved, forward) > 0:  # momentum points uphill: drop it
            t = 1.0
        t_next = 0.5 * (1.0 + (1.0 + 4.0 * t**2) ** 0.5)
        ahead = moved + (t - 1.0) / t_next * forward
        W, t = moved, t_next
        if n_iter % CHECK_EVERY == 0 or n_iter == max_iter:
            gap = problem.gap(W)
    return W, gap, max(1, n_iter)


def _better(problem: ProximalProblem, start: np.ndarray | None) -> tuple[np.ndarray, float]:
    """The start or 0, whichever has the smaller gap, and its gap."""
    starts = [problem.zero] if start is None else [problem.zero, start]
    gaps = [problem.gap(W) for W in starts]
    best = int(np.argmin(gaps))
    return starts[best], gaps[best]
