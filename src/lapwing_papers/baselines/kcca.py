"""Kernel canonical correlation analysis for several labels."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh
from sklearn.base import BaseEstimator, ClassifierMixin

from lapwing.kernels import get_kernel
from lapwing.parameters.checks import check_weight

from .multilabel_graph import split_labels


class KCCAClassifier(ClassifierMixin, BaseEstimator):
    """max_α αᵀK P_Y Kα  subject to  αᵀ(K² + ridge·l·K)α = 1; labels by least squares on Kα.

    K is the centered Gram matrix of the labeled rows and P_Y projects onto the centered labels: the
    canonical directions of the input that correlate most with the labels. Scores are the least
    squares prediction of the labels from the canonical variates. Unlabeled rows are ignored.

    Parameters
    ----------
    kernel : as in :class:`lapwing.LapSVC`, default="rbf"
    ridge : float, default=1e-3
        At 0 the smallest directions of K are left out instead.

    Attributes
    ----------
    correlations_ : array of shape (r,)
        r at most the number of labels.

    References
    ----------
    Sun, Ji, Ye 2011, *Canonical Correlation Analysis for Multi-Label Classification*; VV Table 1.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing_papers.baselines import KCCAClassifier
    >>> X = np.random.default_rng(0).normal(size=(60, 4))
    >>> model = KCCAClassifier(kernel="linear").fit(X, (X[:, :2] > 0).astype(float))
    >>> model.decision_function(X).shape
    (60, 2)
    """

    def __init__(self, *, kernel="rbf", ridge=1e-3):
        self.kernel = kernel
        self.ridge = ridge

    def fit(self, X, Y):
        """Fit to the rows of X whose labels are known (Y is NaN elsewhere).

        Returns
        -------
        self
        """
        check_weight("ridge", self.ridge)
        Y, known = split_labels(Y)
        self._X = X[known]
        Y = Y[known]
        self._kernel = get_kernel(self.kernel).build(X)
        K = self._kernel(self._X)
        self._row_mean = K.mean(axis=0)
        Kc = K - self._row_mean - self._row_mean[:, None] + K.mean()
        self._grand_mean = K.mean()
        alpha, self.correlations_ = _directions(Kc, Y - Y.mean(axis=0), self.ridge)
        self._alpha = alpha
        A = np.column_stack([Kc @ alpha, np.ones(len(Y))])
        self._coef = np.linalg.lstsq(A, Y, rcond=None)[0]
        return self

    def decision_function(self, X):
        """Scores of the labels, (m, q)."""
        K = self._kernel(X, self._X)
        Kc = K - K.mean(axis=1, keepdims=True) - self._row_mean + self._grand_mean
        return np.column_stack([Kc @ self._alpha, np.ones(len(Kc))]) @ self._coef


def _directions(K: np.ndarray, Y: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """α (l, r) and the canonical correlations, largest first."""
    values, V = eigh(K)
    keep = values > 1e-8 * values[-1]
    values, V = values[keep], V[:, keep]
    # with α = Vβ/√(s(s + ridge·l)): βᵀβ = 1, and K α = V √(s/(s + ridge·l)) β
    scale = np.sqrt(values / (values + ridge * len(K)))
    B = (V * scale).T @ Y
    G = Y.T @ Y
    G[np.diag_indices_from(G)] += 1e-10 * np.trace(G) / len(G)
    rho2, beta = eigh(B @ cho_solve(cho_factor(G), B.T))
    r = min(Y.shape[1], len(values))
    beta, rho2 = beta[:, ::-1][:, :r], rho2[::-1][:r]
    alpha = V @ (beta / np.sqrt(values * (values + ridge * len(K)))[:, None])
    return alpha, np.sqrt(np.clip(rho2, 0.0, 1.0))
