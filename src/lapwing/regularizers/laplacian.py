"""The graph Laplacian and its powers, the second of which is meant where none is named."""

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

    W holds the weights of the graph and D its degrees. ⟨f, L f⟩ = ½ Σ_ij W_ij (f_i − f_j)² for
    L = D − W: f pays for differences along edges. S = diag(s)(W + εI)diag(s) has row sums 1
    (``normalized="bistochastic"``). I − S is scaled like the normalized Laplacian, and it does not
    penalize constants. The normalized Laplacian does not penalize √degree instead.

    L is applied p times; L^p is never formed. A vertex without edges is not penalized.

    Parameters
    ----------
    graph : Graph, optional
        None is ``KNN()``.
    normalized : bool or "bistochastic"
    degree : int ≥ 1
        The power p.
    scaling : {"points", "weights", "none"}
        What the penalty is divided by. "points": n², as everywhere in Lapwing. "weights": the
        sum of all W_ij. "none": nothing, so that it is γ_I ⟨f, L f⟩ as in VV, SO, MV and MT.

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
    """An error for any other word."""
    check_option("scaling", scaling, SCALINGS)


def penalty_scale(graph: WeightedGraph, scaling: str) -> float:
    """The factor on M: the objective divides by n² already.

    Without edges "weights" leaves M as it is: L = 0 there, and nothing could be divided by.
    """
    if scaling == "none":
        return float(graph.n**2)
    total = float(graph.degrees.sum())
    return graph.n**2 / total if scaling == "weights" and total > 0 else 1.0


def get_regularizer(regularizer: Any) -> Regularizer:
    """The regularizer that an estimator's parameter means.

    ========================  ========================================
    given                     meant
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
