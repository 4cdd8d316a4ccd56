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
"""Rows up to which clusters and embeddings are found in the kernel's own space.

There both spaces find the same (moons, noisy moons, circles, digits, 500 to 2,000 rows); beyond,
the norm of a function that is constant on a cluster grows with the rows and drowns the graph:
circles of 3,000 rows are cut in half (``benchmarks/clusters.py``).
A penalty whose products are costly (``Heat``, ``KernelNorm``, ``HessianEnergy``) stays there up to
8,000 rows and takes landmarks above, which find the same: values on the graph have no factor for
it, and conjugate gradients in each of Lanczos' steps took minutes at 262 and at 8,400 rows.
"""


@parameters
class SpectralModel(PointCloudModel):
    """The smoothest mean-free unit functions over a point cloud; abstract.

    Parameters
    ----------
    kernel : str, Kernel, callable or None, default=None
        The ambient kernel K, as for the classifiers; None is ``RBF("local")``: without labels only
        the shape of the data speaks, and a kernel wider than its gaps would blur it.
    regularizer : Regularizer, matrix, "laplacian" or "auto", default="auto"
        M; "auto" is ``Laplacian(KNN())``.
    gamma_A : float or "auto", default="auto"
        Weight of ‖f‖²_K; "auto" is 1e-6 · mean k(x, x). Only γ_A/γ_I matters.
    gamma_I : float or "auto", default="auto"
        Weight of ⟨f, M f⟩/n²; "auto" is 1e-3 · n², divided by ‖M‖/4 where that is above 1.
    tol : float, default=1e-6
        Bound on the eigenpairs' residual; a ConvergenceWarning tells of a larger one.
    space : str, Landmarks or GraphValues, default="auto"
        Which functions are searched. "exact" holds the Gram matrix. "graph" takes the values at the
        rows themselves, as sparse as the graph: γ_A weighs their mean square, and new rows are
        answered by a function on landmarks that learned these values. "auto" is "exact" up to 2,000
        rows and "graph" above; with ``Heat``, ``KernelNorm`` and ``HessianEnergy``, for which a
        graph has no factor, "exact" up to 8,000 rows and "landmarks" above. "landmarks", "linear"
        and "blockwise" are those of the classifiers.
    random_state : int, RandomState or None, default=None
        Seeds the median width's subsample and k-means; None is a fixed seed, so that fits repeat.

    Attributes
    ----------
    coef_, eigenvalues_, solution_, regularizer_, kernel_
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
        """Without labels nothing is chosen: a narrow kernel and a first-order graph."""
        p = Settings(self, {**DEFAULTS, "regularizer": Laplacian()})
        return p.with_(kernel=RBF("local")) if self.kernel is None else p

    def _over(self, X) -> Settings:
        """With the space by the number of rows."""
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
            # between landmarks, not between all rows, neighbors are to be near
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
    """Spectral clustering by functions of a kernel's space, so that new points have a cluster.

    min γ ‖f‖²_K + ⟨f, M f⟩ over Σ f(x_i) = 0, Σ f(x_i)² = 1, γ = γ_A n²/γ_I. Two clusters are the
    signs of the first f; more are found by k-means on the directions of the rows
    (n^{−1/2}, f_1(x), …, f_{k−1}(x)), k = n_clusters.

    Parameters
    ----------
    n_clusters : int, default=2
        One cluster holds all points, wherever they are.
    {parameters}

    Attributes
    ----------
    labels_ : array of shape (n,)
        Cluster of each training row, 0 … n_clusters − 1.
    embedding_ : array of shape (n, max(1, n_clusters − 1))
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
        """The cluster of new points, (n,)."""
        return self._assign(self._embed(X))


@with_parameters()
class RegularizedLaplacianEigenmaps(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, SpectralModel
):
    """Laplacian eigenmaps with an extension to new points.

    The first n_components functions of min γ ‖f‖²_K + ⟨f, M f⟩ over Σ f(x_i) = 0,
    Σ f(x_i)² = 1, each orthogonal at the points to those before it.

    Parameters
    ----------
    n_components : int, default=2
    {parameters}

    Attributes
    ----------
    embedding_ : array of shape (n, n_components)
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
        """The embedding of new points, (n, n_components)."""
        return self._embed(X)


def _directions(embedding: np.ndarray, n: int) -> np.ndarray:
    """The rows beside the constant n^{−1/2}, scaled to length one (Ng, Jordan, Weiss 2001).

    Rows of separate clusters are then orthogonal whatever the clusters' sizes.
    """
    rows = np.column_stack([np.full(len(embedding), n**-0.5), embedding])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
