"""The dirty model's penalty: the cheapest way to share rows between targets, as one norm."""

from __future__ import annotations

import numpy as np

from .penalties import Penalty


class DirtyNorm(Penalty):
    """Ω(W) = min over B + S = W of α_B Σ_j max_k |B_jk| + α_S Σ_jk |S_jk|.

    An infimal convolution of two norms: its dual ball is what both allow, rows with
    Σ_k |G_jk| ≤ α_B and |G_jk| ≤ α_S, and the prox is what is left of W after projecting on it.

    Parameters
    ----------
    shared, own : float
        α_B, α_S > 0; ``own=inf`` is the norm L1,∞ alone.
    """

    def __init__(self, shared: float, own: float):
        self.shared, self.own = shared, own

    def value(self, W):
        B, S = self.parts(W)
        rest = self.own * float(np.abs(S).sum()) if S.any() else 0.0
        return self.shared * float(np.abs(B).max(axis=1, initial=0.0).sum()) + rest

    def prox(self, W, step):
        # Moreau
        return W - project_rows(W, step * self.shared, step * self.own)

    def shrink(self, G):
        size = np.abs(G)
        longest = float(size.sum(axis=1).max(initial=0.0)) / self.shared
        return 1.0 / max(1.0, longest, float(size.max(initial=0.0)) / self.own)

    def conjugate(self, G):
        return 0.0

    def parts(self, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """B and S: of each row, B takes what lies below the level at which sharing begins to pay.

        A level m costs α_B m + α_S Σ_k (|w_k| − m)₊, least where α_B/α_S entries lie above.
        """
        above = int(min(self.shared / self.own, W.shape[1]))
        if above >= W.shape[1]:
            return np.zeros_like(W), W
        level = -np.partition(-np.abs(W), above, axis=1)[:, above, None]
        B = np.clip(W, -level, level)
        return B, W - B


def project_rows(W: np.ndarray, radius: float, bound: float) -> np.ndarray:
    """Each row's nearest point with Σ_k |v_k| ≤ radius and |v_k| ≤ bound.

    Where cutting at the bound leaves too much, |v_k| = clip(|w_k| − θ, 0, bound) with the θ > 0
    that makes the sum equal to the radius.
    """
    P = np.clip(W, -bound, bound)
    if bound * W.shape[1] <= radius:  # the bound keeps every sum below the radius
        return P
    outside = np.flatnonzero(np.abs(P).sum(axis=1) > radius)
    if len(outside):
        size = np.abs(W[outside])
        # a bound of the radius or more has no part in it
        level = _level(size, radius) if bound >= radius else _bounded(size, radius, bound)
        P[outside] = np.sign(W[outside]) * np.clip(size - level, 0.0, bound)
    return P


def _level(size: np.ndarray, radius: float) -> np.ndarray:
    """θ of each row with Σ_k (size_k − θ)₊ = radius, (rows, 1)."""
    falling = -np.sort(-size, axis=1)
    excess = np.cumsum(falling, axis=1) - radius
    counts = np.arange(1, size.shape[1] + 1)
    last = np.maximum((falling * counts > excess).sum(axis=1, keepdims=True), 1)
    return np.take_along_axis(excess, last - 1, axis=1) / last


def _bounded(size: np.ndarray, radius: float, bound: float) -> np.ndarray:
    """θ of each row with Σ_k clip(size_k − θ, 0, bound) = radius, (rows, 1).

    The sum falls with θ, from t · bound, along lines that bend where an entry leaves the bound
    (one more falls) and where it reaches 0 (one less).
    """
    t = size.shape[1]
    knots = np.concatenate([size - bound, size], axis=1)
    order = np.argsort(knots, axis=1)
    knots = np.take_along_axis(knots, order, axis=1)
    falling = np.cumsum(np.where(order < t, 1.0, -1.0), axis=1)[:, :-1]
    drops = np.cumsum(falling * np.diff(knots, axis=1), axis=1)
    wanted = t * bound - radius
    at = np.minimum((drops < wanted).sum(axis=1, keepdims=True), 2 * t - 2)
    before = np.take_along_axis(drops, np.maximum(at - 1, 0), axis=1) * (at > 0)
    slope = np.maximum(np.take_along_axis(falling, at, axis=1), 1.0)
    return np.take_along_axis(knots, at, axis=1) + (wanted - before) / slope
