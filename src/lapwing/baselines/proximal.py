"""Accelerated proximal gradients with a duality gap, for sums of penalised parts."""

from collections.abc import Sequence

import numpy as np

from .penalties import Penalty
from .seen import Seen

CHECK_EVERY = 10


class ProximalProblem:
    """P(V) = (1/2l)‖Y − X Σ_p V_p‖² + Σ_p Ω_p(V_p), over the observed entries of Y.

    For θ = c (Y − XW)/l, with c such that every conjugate is finite,

        D(θ) = ⟨Y, θ⟩ − (l/2)‖θ‖² − Σ_p Ω_p*(Xᵀθ) ≤ min P.

    Parameters
    ----------
    X : array of shape (l, d)
    Y : array of shape (l, t)
    penalties : sequence of Penalty
        One per part; the model is the sum of the parts.
    seen : Seen, optional
        What residuals count; None is all of them, of centred data. Y is already so.
    """

    def __init__(
        self, X: np.ndarray, Y: np.ndarray, penalties: Sequence[Penalty], seen: Seen | None = None
    ):
        self.X, self.Y, self.penalties = X, Y, penalties
        self.seen = None if seen is None or seen.whole else seen
        self.l = len(X)
        self.zero = np.zeros((len(penalties), X.shape[1], Y.shape[1]))
        self.at_zero = float(np.sum(Y**2)) / (2 * self.l)
        # All parts see the same gradient: the curvature is that of one part, times their number.
        top = float(np.linalg.norm(X, 2)) if X.size else 0.0
        self.step = self.l / (len(penalties) * top**2) if top > 0 else 0.0
        few = X.shape[1] <= self.l and self.seen is None
        self._gram = X.T @ X / self.l if few else None
        self._right = X.T @ Y / self.l

    def gradient(self, V: np.ndarray) -> np.ndarray:
        """Of the smooth part, (d, t), the same for every part."""
        W = V.sum(axis=0)
        if self._gram is not None:
            return self._gram @ W - self._right
        return -self.X.T @ self.residual(W) / self.l

    def residual(self, W: np.ndarray) -> np.ndarray:
        """Y − XW where it counts, (l, t)."""
        R = self.Y - self.X @ W
        return R if self.seen is None else self.seen(R)

    def prox(self, V: np.ndarray, step: float) -> np.ndarray:
        return np.stack([p.prox(v, step) for p, v in zip(self.penalties, V, strict=True)])

    def gap(self, V: np.ndarray) -> float:
        """(P − D)/max(P, P(0))."""
        R = self.residual(V.sum(axis=0))
        G = self.X.T @ R / self.l
        c = min(p.shrink(G) for p in self.penalties)
        squares = float(np.sum(R**2)) / self.l
        primal = 0.5 * squares + sum(p.value(v) for p, v in zip(self.penalties, V, strict=True))
        dual = c * float(np.sum(R * self.Y)) / self.l - 0.5 * c**2 * squares
        dual -= sum(p.conjugate(c * G) for p in self.penalties)
        scale = max(primal, self.at_zero)
        return max(0.0, primal - dual) / scale if scale > 0 else 0.0


def minimise(problem: ProximalProblem, tol: float, max_iter: int) -> tuple[np.ndarray, float, int]:
    """Nesterov's method, restarted where it overshoots, until the relative gap is below tol.

    Returns
    -------
    parts : array of shape (p, d, t)
    gap : float
    n_iter : int
    """
    V, ahead, t = problem.zero, problem.zero, 1.0
    gap, n_iter = problem.gap(V), 0
    while gap > tol and n_iter < max_iter:
        n_iter += 1
        moved = problem.prox(ahead - problem.step * problem.gradient(ahead), problem.step)
        if np.sum((ahead - moved) * (moved - V)) > 0:  # momentum points uphill: drop it
            t = 1.0
        t_next = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t**2))
        ahead = moved + (t - 1.0) / t_next * (moved - V)
        V, t = moved, t_next
        if n_iter % CHECK_EVERY == 0 or n_iter == max_iter:
            gap = problem.gap(V)
    return V, gap, max(1, n_iter)


def row_space(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """X = Z Vᵀ with V orthonormal and as few columns as X has rank at most.

    Penalties that see only singular values keep their minimiser W = V B in the row space of X,
    and Ω(V B) = Ω(B): with fewer rows than features the problem shrinks.
    """
    if X.shape[1] <= X.shape[0]:
        return X, np.eye(X.shape[1])
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return U * s, Vt.T
