"""The squared cluster norm: CMTL's convex relaxation with its inner matrix eliminated."""

import numpy as np
import scipy.linalg

from .penalties import Penalty


class SquaredClusterNorm(Penalty):
    """Ω(W) = (c/2) min_M tr(W (ηI + M)⁻¹ Wᵀ) over 0 ⪯ M ⪯ I, tr M = k.

    The best M shares W's right singular vectors, so with singular values s,

        Ω(W) = (c/2) min Σ_i s_i²/θ_i   over η ≤ θ_i ≤ 1 + η, Σ_i θ_i = tη + k,

    a function of s alone, and Ω*(G) = (1/2c)(η‖G‖² + the k largest squared singular values of
    G).

    Parameters
    ----------
    weight : float
        c > 0.
    eta : float
        η > 0.
    k : int
        Number of clusters, at most t.

    References
    ----------
    Zhou, Chen, Ye 2011, eq. 9; McDonald, Pontil, Stamos 2016 (the box norm and its proximity
    operator).
    """

    def __init__(self, weight: float, eta: float, k: int):
        self.weight, self.eta, self.k = weight, eta, k

    def value(self, W):
        s = padded_singular_values(W)
        return 0.5 * self.weight * float(np.sum(s**2 / self.theta(s, 0.0)))

    def prox(self, W, step):
        U, s, Vt = scipy.linalg.svd(W, full_matrices=False)
        lam = step * self.weight
        # With fewer features than targets the missing singular values are 0 and take θ = η.
        theta = self.theta(np.pad(s, (0, W.shape[1] - len(s))), lam)[: len(s)]
        return (U * (s * theta / (theta + lam))) @ Vt

    def shrink(self, G):
        return 1.0

    def conjugate(self, G):
        s = padded_singular_values(G)
        return (self.eta * float(np.sum(s**2)) + float(np.sum(s[: self.k] ** 2))) / (
            2 * self.weight
        )

    def theta(self, s: np.ndarray, lam: float) -> np.ndarray:
        """argmin Σ s_i²/(θ_i + λ) over the box and the sum: θ_i = clip(a s_i − λ, η, 1 + η).

        The sum grows with a and is linear between the points where an entry meets a bound.
        """
        low, high = self.eta, 1.0 + self.eta
        total = len(s) * self.eta + self.k
        positive = s[s > 1e-14 * s.max(initial=0.0)]
        if self.k >= len(s):
            return np.full(len(s), high)
        if not len(positive) or len(positive) <= self.k:
            # Entries that are 0 cost nothing, wherever they lie: the others take all they can.
            return np.where(s > 0, high, low)
        knots = np.unique(np.concatenate([(low + lam) / positive, (high + lam) / positive]))
        sums = np.clip(np.outer(knots, s) - lam, low, high).sum(axis=1)
        a = np.interp(total, sums, knots)
        return np.clip(a * s - lam, low, high)


def padded_singular_values(W: np.ndarray) -> np.ndarray:
    """The t singular values of W, (d, t), zeros where d < t."""
    s = scipy.linalg.svdvals(W)
    return np.pad(s, (0, W.shape[1] - len(s)))
