"""Clustering and embedding: the equation without labels (MR §6.1)."""

from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ..exceptions import warn
from ..kernels import RBF
from ..linalg.blocks import some_rows
from ..parameters.arguments import first, is_auto, parameters, with_parameters
from ..parameters.checks import check_count
from ..problem import ambient_weight, on_values
from ..regularizers import Laplacian, get_regularizer
from ..solvers import smoothest_functions
from ..spaces import Landmarks, asks_for_graph, check_space, choose
from ..targets import Targets
from .fitting import all_or_nothing
from .point_cloud import PointCloudModel
from .points import Points, adds_points
from .recipes import Data, Recipe
from .settings import DEFAULTS, Settings

N_LANDMARKS = Landmarks().n_components

EXACT_CLUSTERS_UP_TO = 2_000
"""Number of rows up to which clusters and embeddings are found in the kernel's own space.

Up to this number both spaces find the same (moons, noisy moons, circles, digits, 500 to 2,000
rows). Beyond it, the norm of a function that is constant on a cluster grows with the rows, until it
outweighs the graph: circles of 3,000 rows are cut in half (``benchmarks/clusters.py``). A penalty
with costly products (``Heat``, ``KernelNorm``, ``HessianEnergy``) stays in the kernel's space up to
8,000 rows and uses landmarks above. Both find the same. Values on the graph have no factor for such
a penalty. Conjugate gradients in each Lanczos step took minutes at 262 and at 8,400 rows.
"""


@parameters
class SpectralModel(PointCloudModel):
    """The smoothest functions f with mean 0 and norm 1 over the rows; abstract.

    Parameters
    ----------
    kernel : str, Kernel, callable or None, default=None
        The kernel k(x, z), as for the classifiers. None is ``RBF("local")``. Without labels only
        the shape of the data counts, and a kernel wider than the gaps between clusters would blur
        it.
    regularizer : Regularizer, matrix, "laplacian" or "auto", default="auto"
        The matrix M, (n, n), of the penalty ⟨f, M f⟩. "auto" is ``Laplacian(KNN())``.
    gamma_A : float or "auto", default="auto"
        Weight γ_A of ‖f‖²_K. "auto" is 1e-6 · mean k(x, x). Only the ratio γ_A/γ_I matters.
    gamma_I : float or "auto", default="auto"
        Weight γ_I of ⟨f, M f⟩/n². "auto" is 1e-3 · n²; if ‖M‖ is above 4, it is divided by ‖M‖/4.
    tol : float, default=1e-6
        Upper bound on the residual of the eigenpairs. A larger residual gives a ConvergenceWarning.
    space : str, Landmarks or GraphValues, default="auto"
        The set of functions f to search. "exact" holds the Gram matrix in memory. "graph" takes the
        values of f at the rows as unknowns; its matrices are as sparse as the graph, and γ_A weighs
        the mean square of the values. A function on landmarks learns these values and predicts new
        rows. "auto" is "exact" up to 2,000 rows and "graph" above. With ``Heat``, ``KernelNorm``
        and ``HessianEnergy``, for which a graph has no factor, "auto" is "exact" up to 8,000 rows
        and "landmarks" above. "landmarks", "linear" and "blockwise" are as for the classifiers.
    random_state : int, RandomState or None, default=None
        Seed of k-means and of the subset of rows that sets the median kernel width. None is a fixed
        seed, so two fits give the same result.

    Attributes
    ----------
    coef_ : array of shape (m, k)
        The coefficients of the k functions in their space.
    eigenvalues_ : array of shape (k,)
        The values of γ ‖f‖²_K + ⟨f, M f⟩ of the functions, ascending.
    solution_ : SpectralSolution
        The eigenvectors, their residual and their values at the rows.
    regularizer_ : PSDOperator
        The matrix M, built from the rows.
    kernel_ : Kernel
        The kernel with its width as a number.
    """

    kernel: Any = None
    regularizer: Any = "auto"
    gamma_A: Any = "auto"
    gamma_I: Any = "auto"
    tol: Any = 1e-6
    space: Any = "auto"
    random_state: Any = None

    recipe = Recipe()
    fit_intercept = False  # the functions are mean-free

    def _fit_functions(self, X, n_functions: int) -> None:
        self._check_parameters()
        check_space(self.space)
        X = self._validate(X)
        n = X.shape[0]
        if n_functions > n - 1:
            raise ValueError(
                f"{n} points have at most {n - 1} mean-free functions, but n_samples={n} were to "
                f"give {n_functions}: ask for fewer."
            )
        p = self._over(X)
        data = Data(Points(X), Targets.none(n), np.zeros((n, 1)), np.arange(n))
        if not p.smooth:
            raise ValueError("gamma_I=0 leaves no manifold to follow: give a positive number.")
        functions = self.recipe.functions(p, data)
        terms = self.recipe.terms(p, data, functions)
        self.kernel_, self.space_ = functions.fitted["kernel_"], functions.space
        lam, self.regularizer_ = on_values(terms, self.space_.n_points)
        ratio = lam / ambient_weight(terms)
        self.solution_ = smoothest_functions(self.space_, self.regularizer_, ratio, n_functions)
        self.coef_, self.embedding_ = self.solution_.coef, self.solution_.values
        self.eigenvalues_ = self.solution_.eigenvalues
        learn, every = self.space_.out_of_sample, np.ones(n, dtype=bool)
        # the landmarks learn values of mean square one
        self.extension_ = learn and learn(n**0.5 * self.embedding_, every)[0]
        if not self.solution_.optimality <= self.tol:
            warn(
                f"The eigenvectors' residual {self.solution_.optimality:.1e} is above tol="
                f"{self.tol:.1e}: increase gamma_A, which conditions the problem.",
                ConvergenceWarning,
            )

    def _settings(self) -> Settings:
        """The default settings without labels: a narrow kernel and a first-order graph."""
        p = Settings(self, {**DEFAULTS, "regularizer": Laplacian()})
        return p.with_(kernel=RBF("local")) if self.kernel is None else p

    def _over(self, X) -> Settings:
        """The settings, with the space chosen by the number of rows."""
        p, n = self._settings(), X.shape[0]
        adds, costly = adds_points(p.regularizer), get_regularizer(p.regularizer).costly
        if costly and asks_for_graph(p.space):
            raise ValueError(
                f"Values on the graph have no factor for {p.regularizer!r}, and the smoothest of "
                "them would take minutes: use space='landmarks', 'exact', or a Laplacian."
            )
        if is_auto(self.space) and not (adds or p.precomputed):
            most = choose.EXACT_UP_TO if costly else EXACT_CLUSTERS_UP_TO
            above = "landmarks" if costly else "graph"
            p = p.with_(space=above if n > most else "exact")
        if self.kernel is None and (asks_for_graph(p.space) or p.space == "landmarks") and not adds:
            # the width follows the distances between landmarks, not between all rows
            near = RBF("local").build(X[some_rows(n, N_LANDMARKS)], self.random_state)
            p = p.with_(kernel=near)
        return p

    def _meant(self, name):
        typed = getattr(self._settings(), name)
        return typed if getattr(self, name) is None else super()._meant(name)

    def _embed(self, X) -> np.ndarray:
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        if self.extension_ is None:
            return self.space_.evaluate_at(X, self.coef_)
        return self.extension_(X) / len(self.embedding_) ** 0.5


@with_parameters()
class RegularizedSpectralClustering(ClusterMixin, SpectralModel):
    """Spectral clustering with functions of a kernel's space. It can assign new rows to a cluster.

    It minimizes γ ‖f‖²_K + ⟨f, M f⟩ over all f with Σ f(x_i) = 0 and Σ f(x_i)² = 1, where γ = γ_A
    n²/γ_I. Two clusters are the signs of the first f. For k = n_clusters > 2, k-means is run on the
    directions of the vectors (n^{−1/2}, f_1(x), …, f_{k−1}(x)).

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters. 1 puts all rows, also new ones, in one cluster.
    {parameters}

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each training row, 0 … n_clusters − 1.
    embedding_ : array of shape (n, max(1, n_clusters − 1))
        The values of the functions at the training rows.
    {attributes}

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7, §6.1, eqs. 13, 14 (solved
    on the range of P). Ng, Jordan, Weiss 2001, *On spectral clustering* (the directions).

    Examples
    --------
    >>> from lapwing import RegularizedSpectralClustering
    >>> from lapwing.datasets import make_two_moons
    >>> X, _, truth = make_two_moons(200, random_state=0)
    >>> labels = RegularizedSpectralClustering().fit_predict(X)
    >>> bool(max((labels == truth).mean(), (labels != truth).mean()) == 1.0)
    True
    """

    n_clusters: Any = first(2)

    def fit(self, X, y=None):
        """Cluster the rows of X; y is ignored."""
        check_count("n_clusters", self.n_clusters)
        with all_or_nothing(self):
            self._fit_functions(X, max(1, self.n_clusters - 1))
            if self.n_clusters > 2:
                seed = self.random_state or 0
                self.kmeans_ = KMeans(self.n_clusters, n_init=10, random_state=seed).fit(
                    _directions(self.embedding_, len(self.embedding_))
                )
            self.labels_ = self._assign(self.embedding_)
        return self

    def _assign(self, embedding: np.ndarray) -> np.ndarray:
        if self.n_clusters == 1:
            return np.zeros(len(embedding), dtype=int)
        if self.n_clusters == 2:
            return (embedding[:, 0] > 0).astype(int)
        return self.kmeans_.predict(_directions(embedding, len(self.embedding_)))

    def predict(self, X):
        """The cluster of each new row, (n,)."""
        return self._assign(self._embed(X))


@with_parameters()
class RegularizedLaplacianEigenmaps(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, SpectralModel
):
    """Laplacian eigenmaps that can also embed new rows.

    The embedding holds the first n_components functions that minimize γ ‖f‖²_K + ⟨f, M f⟩ with Σ
    f(x_i) = 0 and Σ f(x_i)² = 1, where γ = γ_A n²/γ_I. Each function is orthogonal at the rows to
    those before it.

    Parameters
    ----------
    n_components : int, default=2
        The number of functions, which is the dimension of the embedding.
    {parameters}

    Attributes
    ----------
    embedding_ : array of shape (n, n_components)
        The values of the functions at the training rows.
    {attributes}

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7, §6.1, Remark 2.

    Examples
    --------
    >>> from lapwing import RegularizedLaplacianEigenmaps
    >>> from sklearn.datasets import load_digits
    >>> X, _ = load_digits(n_class=3, return_X_y=True)
    >>> RegularizedLaplacianEigenmaps(n_components=2).fit_transform(X).shape
    (537, 2)
    """

    n_components: Any = first(2)

    def fit(self, X, y=None):
        """Embed the rows of X; y is ignored."""
        check_count("n_components", self.n_components)
        with all_or_nothing(self):
            self._fit_functions(X, self.n_components)
            self._n_features_out = self.n_components
        return self

    def transform(self, X):
        """The embedding of new rows, (n, n_components)."""
        return self._embed(X)


def _directions(embedding: np.ndarray, n: int) -> np.ndarray:
    """The rows (n^{−1/2}, f(x)), scaled to length one (Ng, Jordan, Weiss 2001).

    Rows of separate clusters are then orthogonal for all sizes of the clusters.
    """
    rows = np.column_stack([np.full(len(embedding), n**-0.5), embedding])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
