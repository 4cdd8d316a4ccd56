"""A reduced set of basis functions (MR, Efficiency Issues): m kernel sections instead of n."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from ..kernels import Kernel
from ..linalg.memory import require_bytes
from ..linalg.numbers import is_count
from .features import Features

JITTER = 1e-10  # of the mean diagonal, so that K_mm has a Cholesky factor


class Landmarks(BaseEstimator):
    """f = Σ_{j ≤ m} c_j k(z_j, ·), the z_j drawn among the rows; configuration.

    With K_mm = C Cᵀ and Z = K_nm C^{−T}, the features' norm is the kernel's: ‖w‖² = ‖f‖²_K.

    Parameters
    ----------
    m : int, default=1000
        Number of landmarks; all rows where there are fewer.
    random_state : int, RandomState or None, default=0

    Examples
    --------
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.datasets import load_digits
    >>> from lapwing.spaces import Landmarks
    >>> X, y, truth = load_digits(random_state=0)
    >>> model = LapRLSClassifier(space=Landmarks(300)).fit(X, y)
    >>> model.coef_.shape
    (300, 10)
    """

    def __init__(self, m=1000, random_state=0):
        self.m = m
        self.random_state = random_state

    def build(self, kernel: Kernel, X) -> Features:
        """The space over the rows of X."""
        if not is_count(self.m):
            raise ValueError(f"Landmarks(m={self.m!r}): m must be a positive integer.")
        if kernel.precomputed:
            raise ValueError("Landmarks need points, not a precomputed Gram matrix.")
        n = X.shape[0]
        m = min(self.m, n)
        require_bytes(16 * n * m + 16 * m * m, f"{m} landmarks for {n} points", "Use fewer.")
        rows = np.sort(check_random_state(self.random_state).choice(n, m, replace=False))
        phi = LandmarkMap(kernel, X[rows])
        return Features(phi(X), phi)


class LandmarkMap:
    """φ(x) = C^{−1} (k(z_1, x), …, k(z_m, x)), C the Cholesky factor of K_mm."""

    def __init__(self, kernel: Kernel, landmarks):
        self.kernel = kernel
        self.landmarks = landmarks
        K_mm = kernel(landmarks)
        K_mm.flat[:: len(K_mm) + 1] += JITTER * (float(np.mean(np.diag(K_mm))) or 1.0)
        self.C = scipy.linalg.cholesky(K_mm, lower=True, check_finite=False)

    def __call__(self, X):
        K = self.kernel(self.landmarks, X)
        Zt = scipy.linalg.solve_triangular(self.C, K, lower=True, overwrite_b=True)
        return np.ascontiguousarray(Zt.T)
