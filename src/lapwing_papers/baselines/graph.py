"""Graph-regularized multi-target regression (SGR): related targets have similar models."""

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, cg

from lapwing.graphs import label_laplacian
from lapwing.parameters.checks import check_weight

from .base import LinearBaseline


class GraphRegularizedRegressor(LinearBaseline):
    """min (1/2l)‖Y − XW‖² + (α/2) tr(W L Wᵀ), L = D − A over the targets.

    Solved exactly: (XᵀX/l) W + α W L = XᵀY/l is a symmetric Sylvester equation. Where the
    minimizer is not unique, the one of least norm is taken.

    Parameters
    ----------
    alpha : float, default=0.1
    label_graph : "correlation" or array of shape (t, t), default="correlation"
        Weights between the targets; "correlation" is the modulus of their correlations.
    fit_intercept : bool, default=True

    Attributes
    ----------
    coef_ : array of shape (d, t)
    intercept_ : array of shape (t,)
    optimality_ : float
        The norm of the gradient relative to that at zero.
    n_iter_ : int

    References
    ----------
    VV (Minh, Sindhwani 2011), cited by MT §IV.D as SGR.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing_papers.baselines import GraphRegularizedRegressor
    >>> X = np.random.default_rng(0).normal(size=(50, 4))
    >>> model = GraphRegularizedRegressor().fit(X, X[:, :2])
    >>> model.optimality_ < 1e-10
    True
    """

    def __init__(self, *, alpha=0.1, label_graph="correlation", fit_intercept=True):
        self.alpha = alpha
        self.label_graph = label_graph
        self.fit_intercept = fit_intercept

    def _check_parameters(self):
        check_weight("alpha", self.alpha)

    def _fit(self, X, Y, seen):
        L = label_laplacian(self.label_graph, Y, seen.mask if not seen.whole else seen.mask[:, :1])
        A, C = X.T @ X / len(X), X.T @ Y / len(X)
        if seen.whole:
            W = solve_symmetric_sylvester(A, self.alpha * L, C)
        else:
            W = self._over_seen(X, L, C, seen)
        gradient = X.T @ seen(X @ W) / len(X) + self.alpha * W @ L - C
        return W, float(np.linalg.norm(gradient) / (np.linalg.norm(C) or 1.0)), 1

    def _over_seen(self, X, L, C, seen) -> np.ndarray:
        """Xᵀseen(XW)/l + α W L = C by conjugate gradients: entries couple what Sylvester parts."""

        def apply(w):
            W = w.reshape(C.shape)
            return (X.T @ seen(X @ W) / len(X) + self.alpha * W @ L).ravel()

        system = LinearOperator((C.size, C.size), apply, dtype=float)
        return cg(system, C.ravel(), rtol=1e-13, maxiter=20 * C.size)[0].reshape(C.shape)


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
