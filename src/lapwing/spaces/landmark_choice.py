"""Which rows become landmarks.

==============  ================================================================================
"uniform"       at random, all alike
"k-means++"     each with probability ∝ its squared distance to those there are: spread out
"leverage"      with probability ∝ its ridge leverage score, estimated from uniform landmarks:
                rows that the others do not explain
"greedy"        one by one, the row whose k(x, x) the landmarks so far explain worst: the pivots
                of K's Cholesky factor (sparse greedy approximation, MR "Efficiency Issues")
==============  ================================================================================

All but the first look at 20 rows per landmark at most, drawn at random.
"""

import numpy as np
import scipy.linalg
from sklearn.cluster import kmeans_plusplus

from ..kernels import Kernel

CANDIDATES = 20
PILOT = 500
LEVERAGE_RIDGE = 1e-3  # of the number of rows


def uniform(kernel: Kernel, X, m: int, random) -> np.ndarray:
    """m rows, (m,)."""
    return random.choice(X.shape[0], m, replace=False)


def plus_plus(kernel: Kernel, X, m: int, random) -> np.ndarray:
    rows = _candidates(X, m, random)
    return rows[kmeans_plusplus(X[rows], m, random_state=random)[1]]


def leverage(kernel: Kernel, X, m: int, random) -> np.ndarray:
    """diag Z (ZᵀZ + γ I)⁻¹ Zᵀ over the candidates, Z the features of a few uniform landmarks."""
    rows = _candidates(X, m, random)
    pilot = X[random.choice(rows, min(PILOT, len(rows)), replace=False)]
    K = kernel(pilot, X[rows])
    inner = K @ K.T + LEVERAGE_RIDGE * len(rows) * kernel(pilot)
    inner.flat[:: len(inner) + 1] += 1e-10 * np.trace(inner) / len(inner)
    R = scipy.linalg.solve_triangular(scipy.linalg.cholesky(inner, lower=True), K, lower=True)
    # what the pilot does not see at all counts in full
    scores = np.einsum("ij,ij->j", R, R) + 1e-3 / len(rows)
    return random.choice(rows, m, replace=False, p=scores / scores.sum())


def greedy(kernel: Kernel, X, m: int, random) -> np.ndarray:
    rows = _candidates(X, m, random)
    points = X[rows]
    left = np.array(kernel.diagonal(points), dtype=np.float64)
    C = np.zeros((m, len(rows)))
    chosen: list[int] = []
    for j in range(m):
        i = int(left.argmax())
        if left[i] <= 0.0:  # all is explained: any other rows will do
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


CHOICES = {"uniform": uniform, "k-means++": plus_plus, "leverage": leverage, "greedy": greedy}
