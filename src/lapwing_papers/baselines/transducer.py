"""The spectral graph transducer: a normalized cut that respects the labels."""

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigvals
from scipy.sparse.linalg import LinearOperator, eigsh

from lapwing.graphs import KNN
from lapwing.linalg.eigenpairs import last_eigenpairs
from lapwing.parameters.checks import check_count, check_weight

from .semi_supervised import TransductiveClassifier

DENSE = 2500  # rows up to which all eigenvectors are cheaper than Lanczos


class SpectralGraphTransducer(TransductiveClassifier):
    """min zᵀLz + c(z − γ)ᵀC(z − γ)  subject to  zᵀ1 = 0, zᵀz = n, over the smoothest d functions.

    γ_i = +√(l₋/l₊) for positive and −√(l₊/l₋) for negative rows, C weighs both classes alike. L is
    the normalized Laplacian of a neighbor graph with its smallest eigenvalues (√degree apart)
    replaced by 1², 2², …, d². The global minimum comes from one eigenvalue problem of order 2d.

    Parameters
    ----------
    graph : Graph, optional
        None is ``KNN(100, weight="cosine", metric="cosine")``.
    n_eigenvectors : int, default=80
        d.
    c : float, default=3200
        The weight of the labels.

    Attributes
    ----------
    classes_, scores_, transduction_ : as in the other transductive comparators

    References
    ----------
    Joachims 2003, *Transductive Learning via Spectral Graph Partitioning*, §4 and its settings
    (d = 80, c = 3200, spectrum i²).

    Examples
    --------
    >>> from lapwing_papers.baselines import SpectralGraphTransducer
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.graphs import KNN
    >>> X, y, truth = make_two_moons(200, labels_per_class=2, random_state=0)
    >>> model = SpectralGraphTransducer(graph=KNN(8), n_eigenvectors=10).fit(X, y)
    >>> float((model.transduction_ == truth).mean())
    1.0
    """

    def __init__(self, *, graph=None, n_eigenvectors=80, c=3200.0):
        self.graph = graph
        self.n_eigenvectors = n_eigenvectors
        self.c = c

    def _fit_columns(self, X, targets):
        check_count("n_eigenvectors", self.n_eigenvectors)
        check_weight("c", self.c, positive=True)
        rule = KNN(100, weight="cosine", metric="cosine") if self.graph is None else self.graph
        V = smooth_functions(rule.build(X).W, self.n_eigenvectors)
        return np.column_stack([self._cut(V, target) for target in targets.T])

    def _cut(self, V: np.ndarray, target: np.ndarray) -> np.ndarray:
        n, d = V.shape
        plus, minus = target > 0, target < 0
        l, a, b = (target != 0).sum(), plus.sum(), minus.sum()
        gamma = np.sqrt(b / a) * plus - np.sqrt(a / b) * minus
        weight = l / (2 * a) * plus + l / (2 * b) * minus
        G = np.diag(np.arange(1.0, d + 1) ** 2) + self.c * V.T @ (weight[:, None] * V)
        g = self.c * V.T @ (weight * gamma)
        z = V @ _on_the_sphere(G, g, np.sqrt(n))
        # the middle of the labeled values of both classes, not 0, tells them apart
        return z - 0.5 * (np.sqrt(b / a) - np.sqrt(a / b))


def smooth_functions(W: sp.csr_array, d: int) -> np.ndarray:
    """The d smoothest eigenvectors of I − D^−½WD^−½ beside √degree, shape (n, d).

    √degree is moved to the rough end first: where the graph falls into pieces it is one of several
    eigenvectors of the eigenvalue 0, and dropping any other would lose a piece.
    """
    n = W.shape[0]
    d = min(d, n - 1)
    degrees = np.asarray(W.sum(axis=1)).ravel()
    scale = 1.0 / np.sqrt(np.where(degrees > 0, degrees, 1.0))
    S = sp.diags_array(scale) @ W @ sp.diags_array(scale)
    u = np.sqrt(degrees / degrees.sum())
    if n <= DENSE:
        _, vectors = last_eigenpairs(S.toarray() - 2.0 * np.outer(u, u), d)
    else:
        shifted = LinearOperator((n, n), matvec=lambda v: S @ v - 2.0 * u * (u @ v))
        _, vectors = eigsh(shifted, k=d, which="LA", v0=np.ones(n))
    return vectors[:, ::-1]


def _on_the_sphere(G: np.ndarray, g: np.ndarray, radius: float) -> np.ndarray:
    """argmin wᵀGw − 2gᵀw over ‖w‖ = radius: (G − λI)w = g with the smallest real λ there is."""
    d = len(g)
    block = np.block([[G, -np.eye(d)], [-np.outer(g, g) / radius**2, G]])
    values = eigvals(block)
    real = values.real[np.abs(values.imag) <= 1e-6 * np.abs(values).max()]
    w = np.linalg.solve(G - real.min() * np.eye(d), g)
    return w * (radius / np.linalg.norm(w))
