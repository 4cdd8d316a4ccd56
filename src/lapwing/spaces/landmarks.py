"""A reduced set of basis functions (MR, "Efficiency Issues"): m kernel sections instead of n.

The parameter ``choice`` of :class:`Landmarks` decides which rows become landmarks:

==============  ================================================================================
"uniform"       rows drawn at random, all with the same probability
"k-means++"     each row with a probability ∝ its squared distance to the landmarks so far
"greedy"        one by one, the row whose k(x, x) the landmarks so far explain worst: the pivots
                of K's Cholesky factor (sparse greedy approximation, MR "Efficiency Issues")
==============  ================================================================================

"k-means++" and "greedy" look at 20 rows per landmark at most, drawn at random.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
from sklearn.cluster import kmeans_plusplus
from sklearn.utils import check_random_state

from ..kernels import Kernel
from ..linalg.blocks import BUFFER_BYTES, row_blocks
from ..linalg.cholesky import pivoted_cholesky
from ..linalg.memory import require_bytes
from ..parameters.checks import check_count, check_option
from ..parameters.spelling import NamedParameters
from .features import Features

CANDIDATES = 20


def uniform(kernel: Kernel, X, m: int, random) -> np.ndarray:
    """m row numbers of X, (m,)."""
    return random.choice(X.shape[0], m, replace=False)


def plus_plus(kernel: Kernel, X, m: int, random) -> np.ndarray:
    rows = _candidates(X, m, random)
    return rows[kmeans_plusplus(X[rows], m, random_state=random)[1]]


def greedy(kernel: Kernel, X, m: int, random) -> np.ndarray:
    rows = _candidates(X, m, random)
    points = X[rows]
    left = np.array(kernel.diagonal(points), dtype=np.float64)
    C = np.zeros((m, len(rows)))
    chosen: list[int] = []
    for j in range(m):
        i = int(left.argmax())
        if left[i] <= 0.0:  # the chosen rows span all others: the rest are drawn at random
            others = np.setdiff1d(np.arange(len(rows)), chosen)
            return rows[np.r_[chosen, random.choice(others, m - j, replace=False)].astype(int)]
        column = np.asarray(kernel(points[[i]], points)).ravel() - C[:j, i] @ C[:j]
        C[j] = column / np.sqrt(left[i])
        left -= C[j] ** 2
        left[i] = -np.inf
        chosen.append(i)
    return rows[chosen]


def _candidates(X, m: int, random) -> np.ndarray:
    n = X.shape[0]
    return np.sort(random.choice(n, min(n, CANDIDATES * m), replace=False))


CHOICES = {"uniform": uniform, "k-means++": plus_plus, "greedy": greedy}


class Landmarks(NamedParameters):
    """f = Σ_{j ≤ m} c_j k(z_j, ·) over m landmarks z_j, which are rows of X; configuration.

    The space is one of explicit features Z = K_nm C^{−T}, where K_mm = C Cᵀ is the Gram matrix of
    the landmarks. The norm of the weights w is then that of the kernel: ‖w‖² = ‖f‖²_K. The Cholesky
    factor C is pivoted. Landmarks that are combinations of others, to rounding, are left out.

    Parameters
    ----------
    n_components : int, default=1000
        m, the number of landmarks. Where X has fewer rows, all of them are landmarks.
    choice : {"uniform", "k-means++", "greedy"}
        How the landmarks are chosen: at random, spread out, or one by one where the kernel is
        explained worst. "k-means++" and "greedy" look at 20 rows per landmark at most.
    random_state : int, RandomState or None, default=0
        Seed of the draws.

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
        """The space over the rows of X, (n, d)."""
        n, m = X.shape[0], self.check(kernel, X.shape[0])
        advice = "Use fewer, or space='graph'."
        require_bytes(8 * n * m + _blocks(n, m), f"{m} landmarks for {n} points", advice)
        phi = self.features(kernel, X)
        return Features(phi.at(X), phi, X)

    def check(self, kernel: Kernel, n: int) -> int:
        """The number of landmarks for n rows; ValueError where there can be none."""
        check_count("n_components of Landmarks", self.n_components)
        check_option("choice of Landmarks", self.choice, tuple(CHOICES))
        if kernel.precomputed:
            raise ValueError("Landmarks need points, not a precomputed Gram matrix.")
        m = min(self.n_components, n)
        needed = 24 * m * m + _blocks(n, m)
        require_bytes(needed, f"The factor of {m} landmarks", "Use fewer.")
        return m

    def features(self, kernel: Kernel, X) -> LandmarkMap:
        """The feature map φ of landmarks that are chosen among the rows of X."""
        return LandmarkMap(kernel, self.chosen(kernel, X))

    def chosen(self, kernel: Kernel, X):
        """The landmarks, (m, d): rows of X in their order."""
        m = self.check(kernel, X.shape[0])
        rows = CHOICES[self.choice](kernel, X, m, check_random_state(self.random_state))
        return X[np.sort(rows)]


class LandmarkMap:
    """φ(x) = C⁻¹ (k(z_1, x), …, k(z_r, x)), C the pivoted Cholesky factor of K_mm.

    Attributes
    ----------
    rank : int
        r ≤ m, the number of landmarks that are not combinations of the others.
    """

    def __init__(self, kernel: Kernel, landmarks):
        self.kernel = kernel
        C, kept = pivoted_cholesky(np.asarray(kernel(landmarks), dtype=np.float64))
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
        """φ at all rows of X, (n, r), computed in blocks of rows."""
        Z = np.empty((X.shape[0], self.rank))
        for rows in row_blocks(*Z.shape):
            Z[rows] = self(X[rows])
        return Z

    def sections(self, coef: np.ndarray) -> np.ndarray:
        """The coefficients c = C^{−T} w with φ(x) w = Σ_j c_j k(x, z_j)."""
        return scipy.linalg.solve_triangular(self.C, coef, lower=True, trans="T")


def _blocks(n: int, m: int) -> int:
    """Bytes that one block of features takes while it is computed: kernel values and a copy."""
    return 2 * min(BUFFER_BYTES, 8 * n * m)
