"""Transduction of several labels at once: SMSE2 and constrained factorization."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, cg
from sklearn.base import BaseEstimator
from sklearn.metrics.pairwise import cosine_similarity

from lapwing.graphs import KNN
from lapwing.kernels import get_kernel
from lapwing.parameters.checks import check_count, check_weight


def split_labels(Y) -> tuple[np.ndarray, np.ndarray]:
    """Y as floats, and which rows are labeled (no NaN)."""
    Y = np.asarray(Y, dtype=float)
    if Y.ndim != 2:
        raise ValueError(f"Y must hold one column per label, got an array of shape {Y.shape}.")
    known = ~np.isnan(Y).any(axis=1)
    if not known.any():
        raise ValueError("No row of Y is labeled: every row has NaN.")
    return Y, known


class SMSE2(BaseEstimator):
    """min ‖F − Y‖² + μ tr(FᵀL F) + ν tr(F H Fᵀ), a Sylvester equation (I + μL)F + νFH = Y.

    L and H are normalized Laplacians over the rows and over the labels; Y is ±1 on labeled and 0
    on unlabeled rows. Transductive: there is no prediction for new rows.

    Parameters
    ----------
    graph : Graph, optional
        Over the rows; None is ``KNN()``.
    mu, nu : float, default=1
        Smoothness over rows and over labels.

    Attributes
    ----------
    scores_ : array of shape (n, q)
        F.

    References
    ----------
    Chen, Song, Wang, Zhang 2008, *Semi-supervised Multi-label Learning by SolverParams a Sylvester
    Equation* (the second of their two methods); VV Table 1.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing_papers.baselines import SMSE2
    >>> X = np.linspace(0, 1, 20)[:, None]
    >>> Y = np.full((20, 2), np.nan)
    >>> Y[0], Y[-1] = (1, 0), (0, 1)
    >>> model = SMSE2(graph=KNN(2)).fit(X, Y)
    >>> bool(model.scores_[1, 0] > model.scores_[-2, 0])
    True
    """

    def __init__(self, *, graph=None, mu=1.0, nu=1.0):
        self.graph = graph
        self.mu = mu
        self.nu = nu

    def fit(self, X, Y):
        """Fit to all rows; NaN marks unlabeled rows of Y.

        Returns
        -------
        self
        """
        check_weight("mu", self.mu)
        check_weight("nu", self.nu)
        Y, known = split_labels(Y)
        S = normalized((KNN() if self.graph is None else self.graph).build(X).W)
        H = np.eye(Y.shape[1]) - normalized(sp.csr_array(_label_weights(Y[known]))).toarray()
        h, V = np.linalg.eigh(H)
        rhs = np.where(known[:, None], 2.0 * np.nan_to_num(Y) - 1.0, 0.0) @ V
        columns = []
        for value, b in zip(h, rhs.T, strict=True):
            d = 1.0 + self.mu + self.nu * max(value, 0.0)
            A = LinearOperator(S.shape, lambda v, d=d: d * v - self.mu * (S @ v), dtype=float)
            columns.append(cg(A, b, rtol=1e-8, maxiter=1000)[0])
        self.scores_ = np.column_stack(columns) @ V.T
        return self


class ConstrainedNMF(BaseEstimator):
    """min ‖A − T B Tᵀ‖² over T ≥ 0 whose labeled rows are Y: A between rows, B between labels.

    Multiplicative steps T ← T ∘ (A T B / (T B TᵀT B))^½ on the unlabeled rows keep T non-negative.
    Not convex: a stationary point from one start (every unlabeled row at the mean label).

    Parameters
    ----------
    kernel : as in :class:`lapwing.LapSVC`, default="rbf"
        A, negative values set to 0.
    max_iter : int, default=200

    Attributes
    ----------
    scores_ : array of shape (n, q)
        T.

    References
    ----------
    Liu, Jin, Yang 2006, *Semi-supervised Multi-label Learning by Constrained Non-negative Matrix
    Factorization*; VV Table 1.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing_papers.baselines import ConstrainedNMF
    >>> X = np.repeat([[0.0], [5.0]], 10, axis=0)
    >>> Y = np.full((20, 2), np.nan)
    >>> Y[0], Y[-1] = (1, 0), (0, 1)
    >>> scores = ConstrainedNMF().fit(X, Y).scores_
    >>> bool(scores[1, 0] > scores[1, 1] and scores[-2, 1] > scores[-2, 0])
    True
    """

    def __init__(self, *, kernel="rbf", max_iter=200):
        self.kernel = kernel
        self.max_iter = max_iter

    def fit(self, X, Y):
        """Fit to all rows; NaN marks unlabeled rows of Y.

        Returns
        -------
        self
        """
        check_count("max_iter", self.max_iter)
        Y, known = split_labels(Y)
        A = np.maximum(get_kernel(self.kernel).build(X)(X), 0.0)
        B = np.eye(Y.shape[1]) + _label_weights(Y[known])
        T = np.where(known[:, None], np.nan_to_num(Y), Y[known].mean(axis=0) + 1e-3)
        free, tiny = ~known, 1e-12
        A = A[free]
        for _ in range(self.max_iter):
            TB = T @ B
            ratio = (A @ TB) / (T[free] @ (B @ (T.T @ TB)) + tiny)
            T[free] *= np.sqrt(ratio)
        self.scores_ = T
        return self


def normalized(W: sp.csr_array) -> sp.csr_array:
    """D^−½WD^−½."""
    degrees = np.asarray(W.sum(axis=1)).ravel()
    scale = sp.diags_array(1.0 / np.sqrt(np.where(degrees > 0, degrees, 1.0)))
    return sp.csr_array(scale @ W @ scale)


def _label_weights(Y: np.ndarray) -> np.ndarray:
    """How often labels occur together: the cosine between their columns, 0 on the diagonal."""
    W = cosine_similarity(Y.T)
    np.fill_diagonal(W, 0.0)
    return W
