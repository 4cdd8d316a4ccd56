"""The graph Laplacian and its powers. The name "laplacian" means the second power."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..graphs import KNN, Graph, WeightedGraph, build_laplacian
from ..graphs.given import is_networkx
from ..operators import PolynomialOperator, power
from ..parameters.checks import check_option, is_count
from ..types import MatrixLike, TargetLike
from .base import NoRegularizer, Regularizer
from .matrix import Matrix

SCALINGS = ("points", "weights", "none")


@dataclass(eq=False, repr=False)
class Laplacian(Regularizer):
    """M = L^p with L = D − W, or L = I − D^{−1/2} W D^{−1/2} if normalized, or I − S.

    W, shape (n, n), holds the edge weights of the graph, and the diagonal D holds its degrees. For
    L = D − W the penalty is ⟨f, L f⟩ = ½ Σ_ij W_ij (f_i − f_j)², so differences along edges are
    penalized. ``normalized="bistochastic"`` uses I − S, where S = diag(s)(W + εI)diag(s) has row
    sums 1. I − S is scaled like the normalized Laplacian. I − S does not penalize constants. The
    normalized Laplacian does not penalize the function √degree.

    Products with L^p apply L p times. L^p is never formed. A row without edges is not penalized.

    Parameters
    ----------
    graph : Graph, optional
        None is ``KNN()``.
    normalized : bool or "bistochastic"
        The form of L. True: normalized. False: D − W. "bistochastic": I − S.
    degree : int ≥ 1
        The power p.
    scaling : {"points", "weights", "none"}
        The divisor of the penalty. "points" divides by n², as everywhere in Lapwing. "weights"
        divides by the sum of all W_ij. "none" does not divide: the penalty is γ_I ⟨f, L f⟩, as in
        the papers VV, SO, MV and MT.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, §2.2 (1/ΣW_ij), Remark 1 item 1 (powers), Remark 3
    (normalized).

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.graphs import Given
    >>> W = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> M = Laplacian(Given(W), normalized=False, degree=2).build(np.zeros((2, 1)))
    >>> M.toarray()
    array([[ 2., -2.],
           [-2.,  2.]])
    """

    graph: Graph | None = None
    normalized: bool | str = True
    degree: int = 1
    scaling: str = "points"

    def build(self, X: MatrixLike, y: TargetLike = None) -> PolynomialOperator:
        self._check_parameters()
        graph, L = build_laplacian(self.graph, X, self.normalized)
        return power(L, self.degree, penalty_scale(graph, self.scaling), graph)

    def _check_parameters(self) -> None:
        if not is_count(self.degree):
            raise ValueError(
                f"degree must be an integer ≥ 1, got {self.degree!r}; "
                f"LaplacianPolynomial takes other functions of L."
            )
        check_scaling(self.scaling)


def check_scaling(scaling: str) -> None:
    """Raise an error if ``scaling`` is none of the three names."""
    check_option("scaling", scaling, SCALINGS)


def penalty_scale(graph: WeightedGraph, scaling: str) -> float:
    """The factor of M for a scaling. The objective divides by n², and the factor undoes this.

    It is 1 for "points". A graph without edges has L = 0 and a sum of weights of 0. "weights" then
    gives the factor 1.
    """
    if scaling == "none":
        return float(graph.n**2)
    total = float(graph.degrees.sum())
    return graph.n**2 / total if scaling == "weights" and total > 0 else 1.0


def get_regularizer(regularizer: Any) -> Regularizer:
    """Return the regularizer for the parameter ``regularizer`` of an estimator.

    ========================  ========================================
    given                     returned
    ========================  ========================================
    None                      ``NoRegularizer()``: no intrinsic term
    ``"laplacian"``           ``Laplacian(KNN(), degree=2)``
    a Regularizer             itself
    a dense or sparse matrix  ``Matrix(M)``, checked by build
    ========================  ========================================

    Parameters
    ----------
    regularizer : Regularizer, "laplacian", None, array or sparse matrix of shape (n, n)

    Returns
    -------
    Regularizer

    Examples
    --------
    >>> get_regularizer("laplacian")
    Laplacian(degree=2, graph=KNN())
    >>> get_regularizer(None)
    NoRegularizer()
    """
    if regularizer is None:
        return NoRegularizer()
    if isinstance(regularizer, str) and regularizer == "laplacian":
        return Laplacian(KNN(), degree=2)
    if isinstance(regularizer, Regularizer):
        return regularizer
    if isinstance(regularizer, Graph):
        raise TypeError(
            f"regularizer={regularizer!r} is a graph: write regularizer=Laplacian({regularizer!r})."
        )
    if is_networkx(regularizer):
        raise TypeError("regularizer is a networkx graph: write regularizer=Laplacian(Given(G)).")
    if sp.issparse(regularizer) or np.ndim(regularizer) > 0:  # a data frame or a list too
        return Matrix(regularizer)
    hint = f"; write {regularizer.__name__}()" if isinstance(regularizer, type) else ""
    raise TypeError(
        "regularizer must be a Regularizer such as Laplacian(KNN(n_neighbors=10)), 'laplacian', a "
        "positive semi-definite matrix over the rows of X, or None for no penalty on the graph, "
        f"got {regularizer!r}{hint}."
    )
