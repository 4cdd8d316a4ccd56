"""The problem of a transductive support vector machine, and its solution by annealing."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.special import expit, xlogy


@dataclass(frozen=True)
class TransductiveProblem:
    """J(w, p) = γ_A‖w‖² + (1/l) Σ_l h(y f) + (c/u) Σ_u [p h(f) + (1 − p) h(−f)].

    h(m) = max(0, 1 − m)², f = Zw + b over all rows. Over w it is convex and smooth; over
    p ∈ [0, 1]^u with mean p = r it is linear; over both it is not convex.

    Attributes
    ----------
    Z : array of shape (n, r)
        Features, K = ZZᵀ.
    target : array of shape (n,)
        +1, −1, and 0 where unlabeled.
    gamma_A, weight : float
        γ_A and c.
    share : float
        r, the share of positives among the unlabeled rows.
    """

    Z: np.ndarray
    target: np.ndarray
    gamma_A: float
    weight: float
    share: float

    @property
    def free(self) -> np.ndarray:
        return self.target == 0

    def losses(self, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """h(f) and h(−f) at the unlabeled rows."""
        f = f[self.free]
        return np.maximum(0.0, 1.0 - f) ** 2, np.maximum(0.0, 1.0 + f) ** 2

    def weights(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How much h(f) and h(−f) count at each row."""
        plus, minus = np.zeros(len(self.target)), np.zeros(len(self.target))
        known = ~self.free
        plus[known] = (self.target[known] > 0) / known.sum()
        minus[known] = (self.target[known] < 0) / known.sum()
        plus[self.free] = self.weight * p / len(p)
        minus[self.free] = self.weight * (1.0 - p) / len(p)
        return plus, minus

    def value(self, w: np.ndarray, p: np.ndarray) -> float:
        """J; w has the intercept as its last entry."""
        f = self.Z @ w[:-1] + w[-1]
        plus, minus = self.weights(p)
        up, down = np.maximum(0.0, 1.0 - f), np.maximum(0.0, 1.0 + f)
        return float(self.gamma_A * w[:-1] @ w[:-1] + plus @ up**2 + minus @ down**2)

    def minimize_w(self, w: np.ndarray, p: np.ndarray, tol: float = 1e-6) -> np.ndarray:
        """The convex problem over w by Newton's method, from a start."""
        A = np.column_stack([self.Z, np.ones(len(self.Z))])
        penalty = np.append(np.full(self.Z.shape[1], 2.0 * self.gamma_A), 0.0)
        plus, minus = self.weights(p)
        first = 0.0
        for _ in range(50):
            f = A @ w
            up, down = np.maximum(0.0, 1.0 - f), np.maximum(0.0, 1.0 + f)
            gradient = penalty * w + A.T @ (2.0 * (minus * down - plus * up))
            size = float(np.linalg.norm(gradient))
            first = first or size
            if size <= tol * max(first, 1e-12):
                break
            curvature = 2.0 * (plus * (up > 0) + minus * (down > 0))
            rows = curvature > 0
            H = A[rows].T @ (curvature[rows, None] * A[rows])
            # the intercept is not penalized: a little ridge where no row holds it
            H[np.diag_indices_from(H)] += penalty + 1e-10 * max(H.trace() / len(H), 1e-12)
            step = scipy.linalg.cho_solve(scipy.linalg.cho_factor(H), -gradient)
            w = self._walk(w, step, p, gradient @ step)
        return w

    def _walk(self, w, step, p, slope) -> np.ndarray:
        """Back from the full step until J falls enough (Armijo)."""
        here, t = self.value(w, p), 1.0
        while t > 1e-8 and self.value(w + t * step, p) > here + 1e-4 * t * slope:
            t *= 0.5
        return w + t * step

    def minimize_p(self, f: np.ndarray, temperature: float) -> np.ndarray:
        """p of least J − T·entropy with mean r: σ((h(−f) − h(f) − ν)/T), ν by bisection."""
        up, down = self.losses(f)
        gain = down - up
        if temperature == 0.0:
            p = np.zeros(len(gain))
            p[np.argsort(-gain, kind="stable")[: round(self.share * len(gain))]] = 1.0
            return p
        low, high = gain.min() - 40 * temperature, gain.max() + 40 * temperature
        for _ in range(100):
            middle = 0.5 * (low + high)
            if expit((gain - middle) / temperature).mean() > self.share:
                low = middle
            else:
                high = middle
        return expit((gain - 0.5 * (low + high)) / temperature)


def anneal(problem: TransductiveProblem, w, p, temperatures) -> tuple[np.ndarray, np.ndarray]:
    """w and p in turn while the temperature falls, then hard labels until none changes.

    At each temperature both steps are exact, so that J − T·entropy falls; at the end no balanced
    relabeling of the unlabeled rows lowers J with f fixed, nor another f with the labels fixed.
    """
    for temperature in (*temperatures, 0.0):
        for _ in range(10 if temperature else 50):
            w = problem.minimize_w(w, p)
            f = problem.Z @ w[:-1] + w[-1]
            new = problem.minimize_p(f, temperature)
            change = _divergence(new, p)
            p = new
            if change < 1e-3:
                break
    return problem.minimize_w(w, p), p


def _divergence(p: np.ndarray, q: np.ndarray) -> float:
    """The mean relative entropy of two vectors of probabilities, in nats."""
    q = np.clip(q, 1e-12, 1 - 1e-12)
    return float(np.mean(xlogy(p, p / q) + xlogy(1 - p, (1 - p) / (1 - q))))
