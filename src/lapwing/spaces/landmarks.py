"""A reduced set of basis functions (MR, Efficiency Issues): m kernel sections instead of n."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from sklearn.utils import check_random_state

from ..kernels import Kernel
from ..linalg.blocks import BUFFER_BYTES, row_blocks
from ..linalg.cholesky import pivoted_cholesky
from ..linalg.memory import require_bytes
from ..parameters.checks import check_count, check_option
from ..parameters.spelling import NamedParameters
from .features import Features
from .landmark_choice import CHOICES

RANK_TOL = 1e-12
"""Of the largest k(z, z): below it, what is left of a landmark beside the others counts as none."""


class Landmarks(NamedParameters):
    """f = Σ_{j ≤ m} c_j k(z_j, ·), the z_j chosen among the rows; configuration.

    With K_mm = C Cᵀ and Z = K_nm C^{−T}, the features' norm is the kernel's: ‖w‖² = ‖f‖²_K. The
    factor is pivoted: landmarks that are combinations of others, to rounding, are left out.

    Parameters
    ----------
    n_components : int, default=1000
        m, the number of landmarks; all rows where there are fewer.
    choice : {"uniform", "k-means++", "leverage", "greedy"}
        How they are chosen (:mod:`lapwing.spaces.landmark_choice`).
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

    def __init__(self, n_components=1000, choice="uniform", random_state=0):
        self.n_components = n_components
        self.choice = choice
        self.random_state = random_state

    def build(self, kernel: Kernel, X) -> Features:
        """The space over the rows of X."""
        n, m = X.shape[0], self.check(kernel, X.shape[0])
        advice = "Use fewer, or space='graph'."
        require_bytes(8 * n * m + _blocks(n, m), f"{m} landmarks for {n} points", advice)
        phi = self.features(kernel, X)
        return Features(phi.at(X), phi, X)

    def check(self, kernel: Kernel, n: int) -> int:
        """How many landmarks there will be; an error where there can be none."""
        check_count("n_components of Landmarks", self.n_components)
        check_option("choice of Landmarks", self.choice, tuple(CHOICES))
        if kernel.precomputed:
            raise ValueError("Landmarks need points, not a precomputed Gram matrix.")
        m = min(self.n_components, n)
        needed = 24 * m * m + _blocks(n, m)
        require_bytes(needed, f"The factor of {m} landmarks", "Use fewer.")
        return m

    def features(self, kernel: Kernel, X) -> LandmarkMap:
        """φ, of landmarks chosen among the rows of X."""
        m = self.check(kernel, X.shape[0])
        rows = CHOICES[self.choice](kernel, X, m, check_random_state(self.random_state))
        return LandmarkMap(kernel, X[np.sort(rows)])


class LandmarkMap:
    """φ(x) = C^{−1} (k(z_1, x), …, k(z_r, x)), C the pivoted Cholesky factor of K_mm.

    Attributes
    ----------
    rank : int
        r ≤ m, the landmarks that count.
    """

    def __init__(self, kernel: Kernel, landmarks):
        self.kernel = kernel
        C, kept = pivoted_cholesky(np.asarray(kernel(landmarks), dtype=np.float64), RANK_TOL)
        if not len(kept):  # a kernel that is zero at every landmark
            C, kept = np.ones((len(C), 1)), np.zeros(1, dtype=int)
        self.landmarks = landmarks[kept]
        self.C = C[kept]
        self.rank = len(kept)

    def __call__(self, X):
        K = np.asarray(self.kernel(self.landmarks, X), dtype=np.float64)
        Zt = scipy.linalg.solve_triangular(self.C, K, lower=True, overwrite_b=True)
        return np.ascontiguousarray(Zt.T)

    def at(self, X) -> np.ndarray:
        """φ of all rows, (n, r), computed in blocks."""
        Z = np.empty((X.shape[0], self.rank))
        for rows in row_blocks(*Z.shape):
            Z[rows] = self(X[rows])
        return Z

    def sections(self, coef: np.ndarray) -> np.ndarray:
        """c with φ(x) w = Σ_j c_j k(x, z_j): c = C^{−T} w."""
        return scipy.linalg.solve_triangular(self.C, coef, lower=True, trans="T")


def _blocks(n: int, m: int) -> int:
    """Bytes of a block of features on its way: kernel values, and a copy."""
    return 2 * min(BUFFER_BYTES, 8 * n * m)
