"""Half the mean squared error of a linear model, and what its minimizers ask of it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .seen import ObservedMask


class LeastSquares:
    """(1/2l)‖Y − XW‖² over the observed entries of Y.

    Parameters
    ----------
    X : array of shape (l, d)
    Y : array of shape (l, t)
    seen : ObservedMask, optional
        What residuals count; None is all of them, of centered data. Y is already so.
    reduced : bool, default=False
        X = Z Vᵀ with V orthonormal, and Z, of as few columns as X has rank at most, in place of
        X. Penalties that see only singular values keep their minimizer W = V B in the row space
        of X, and Ω(V B) = Ω(B): with fewer rows than features the problem shrinks.
    """

    def __init__(
        self,
        X: np.ndarray,
        Y: np.ndarray,
        seen: ObservedMask | None = None,
        *,
        reduced: bool = False,
    ):
        self.V = None
        if reduced and X.shape[1] > X.shape[0]:
            U, s, Vt = np.linalg.svd(X, full_matrices=False)
            X, self.V = U * s, Vt.T
        self.X, self.Y = X, Y
        self.seen = None if seen is None or seen.whole else seen
        self.l = len(X)
        self.shape = X.shape[1], Y.shape[1]
        self.at_zero = float(np.sum(Y**2)) / (2 * self.l)

    @cached_property
    def curvature(self) -> float:
        """The largest eigenvalue of XᵀX/l."""
        return float(np.linalg.norm(self.X, 2)) ** 2 / self.l if self.X.size else 0.0

    @cached_property
    def gram(self) -> np.ndarray | None:
        """XᵀX/l where that is the shorter way to gradients."""
        few = self.shape[0] <= self.l and self.seen is None
        return self.X.T @ self.X / self.l if few else None

    @cached_property
    def right(self) -> np.ndarray:
        """XᵀY/l."""
        return self.X.T @ self.Y / self.l

    def residual(self, W: np.ndarray) -> np.ndarray:
        """Y − XW where it counts, (l, t)."""
        R = self.Y - self.X @ W
        return R if self.seen is None else self.seen(R)

    def gradient(self, W: np.ndarray) -> np.ndarray:
        """(d, t)."""
        if self.gram is not None:
            return self.gram @ W - self.right
        return -self.X.T @ self.residual(W) / self.l

    def expanded(self, B: np.ndarray) -> np.ndarray:
        """W over all features, of a model over the reduced ones."""
        return B if self.V is None else self.V @ B
