"""The symmetric Sylvester equation by two eigendecompositions."""

import numpy as np
import scipy.linalg


def solve_symmetric_sylvester(
    A: np.ndarray, B: np.ndarray, C: np.ndarray, rtol: float = 1e-13
) -> np.ndarray:
    """W of least norm with A W + W B = C, A and B symmetric PSD.

    A = PαPᵀ and B = QβQᵀ give (PᵀWQ)_ij = (PᵀCQ)_ij / (α_i + β_j); where the sum is at most
    ``rtol`` times the largest, the entry is 0.

    Parameters
    ----------
    A : array of shape (s, s)
    B : array of shape (t, t)
    C : array of shape (s, t)

    Returns
    -------
    array of shape (s, t)

    Examples
    --------
    >>> import numpy as np
    >>> solve_symmetric_sylvester(np.eye(2), np.zeros((1, 1)), np.array([[1.0], [2.0]])).tolist()
    [[1.0], [2.0]]
    """
    alpha, P = scipy.linalg.eigh(A)
    beta, Q = scipy.linalg.eigh(B)
    sums = np.maximum(alpha, 0.0)[:, None] + np.maximum(beta, 0.0)
    known = sums > rtol * sums.max(initial=0.0)
    rotated = P.T @ C @ Q
    return P @ np.divide(rotated, sums, out=np.zeros_like(rotated), where=known) @ Q.T
