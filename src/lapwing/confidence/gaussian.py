"""A Gaussian process given some of its values, with free functions beside it."""

import numpy as np
import scipy.linalg


class Gaussian:
    """f ~ GP(0, K), y_i = f(x_i) + (Eb)_i + noise of variance 1/w_i, b without a prior.

    With C = K + W⁻¹ and A = EᵀC⁻¹E, the mean at x is k_xᵀβ + h_xᵀb, the variance

        K(x, x) − k_xᵀC⁻¹k_x + r_xᵀA⁻¹r_x,    r_x = h_x − EᵀC⁻¹k_x,

    and G = C⁻¹ − C⁻¹EA⁻¹EᵀC⁻¹ gives β = Gy and the leave-one-out residuals β_i/G_ii, whose variance
    is 1/G_ii. Everything is in units of the noise: one factor τ² scales all variances.

    Parameters
    ----------
    K : array of shape (m, m)
    w : array of shape (m,)
        w > 0.
    E : array of shape (m, g) or None

    References
    ----------
    Rasmussen, Williams 2006, *Gaussian Processes for Machine Learning*, (2.42) and (5.12).

    Examples
    --------
    >>> import numpy as np
    >>> p = Gaussian(np.eye(2), np.ones(2))
    >>> p.variance(np.zeros((1, 2)), np.ones(1)), p.variance(np.eye(2)[:1], np.ones(1))
    (array([1.]), array([0.5]))
    """

    def __init__(self, K: np.ndarray, w: np.ndarray, E: np.ndarray | None = None):
        self.inverse = _inverse(K + np.diag(1.0 / w), float(np.min(1.0 / w, initial=np.inf)))
        self.G, self.CE = self.inverse, None
        if E is not None:
            self.CE = self.inverse @ E
            # pinv: a free function that vanishes on these rows stays unknown, at no price
            self.A = np.linalg.pinv(E.T @ self.CE, hermitian=True)
            self.G = self.inverse - self.CE @ self.A @ self.CE.T

    def covariance(self, k: np.ndarray, other: np.ndarray, prior: np.ndarray, h=None, h_other=None):
        """cov(f(x), f(z)) for rows k of K(x, ·) and ``other`` of K(z, ·), prior = K(x, z)."""
        cov = prior - k @ self.inverse @ other.T
        if self.CE is None:
            return cov
        return cov + (h - k @ self.CE) @ self.A @ (h_other - other @ self.CE).T

    def explained(self, k: np.ndarray) -> np.ndarray:
        """k_xᵀC⁻¹k_x: what the labels take off the variance at each x, (n,)."""
        return np.einsum("nm,nm->n", k @ self.inverse, k)

    def variance(self, k: np.ndarray, prior: np.ndarray, h: np.ndarray | None = None):
        """Of f + Eb at each x, (n,), from k, (n, m), K(x, x), (n,), and h, (n, g)."""
        left = np.maximum(prior - self.explained(k), 0.0)
        if self.CE is None:
            return left
        r = h - k @ self.CE
        return left + np.einsum("ng,ng->n", r @ self.A, r)


def _inverse(C: np.ndarray, least: float) -> np.ndarray:
    """C⁻¹; no eigenvalue of C = K̃ + W⁻¹ is below the least of W⁻¹, whatever rounding says."""
    try:
        return scipy.linalg.cho_solve(scipy.linalg.cho_factor(C), np.eye(len(C)))
    except np.linalg.LinAlgError:
        values, V = scipy.linalg.eigh(0.5 * (C + C.T))
        return (V / np.maximum(values, least)) @ V.T
