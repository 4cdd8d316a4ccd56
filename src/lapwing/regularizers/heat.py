"""The inverse heat kernel of a graph. Rough functions cost exponentially more than smooth ones."""

import numpy as np

from ..graphs import Graph, build_laplacian, spectrum_bound
from ..operators import HeatOperator, PSDOperator, ScaledOperator
from ..parameters.checks import check_weight
from ..types import MatrixLike, TargetLike
from .base import Regularizer
from .laplacian import check_scaling, penalty_scale

# e^{tλ} lies in [1, e^{t λ_max}]. Above 1/eps, rounding would hide the smooth functions.
_LARGEST_EXPONENT = float(-np.log(np.finfo(np.float64).eps))


class Heat(Regularizer):
    """M = e^{tL}, so that ⟨f, M f⟩ = Σ_i e^{tλ_i} f̂_i².

    L is the graph Laplacian, λ_i are its eigenvalues, and f̂_i are the coefficients of f in its
    eigenvectors. M is the inverse of the heat kernel e^{−tL}. A Chebyshev expansion computes
    products with M to machine precision; M is never formed. Constants are penalized too, because
    all eigenvalues of M are at least 1.

    Parameters
    ----------
    graph : Graph, optional
        None is ``KNN()``.
    t : float ≥ 0
        The diffusion time. t·λ_max may be at most 36, because double precision cannot hold a wider
        spectrum. λ_max is at most 2 if normalized, and at most twice the largest degree if not.
    normalized : bool or "bistochastic"
        The form of L, as in :class:`Laplacian`.
    scaling : {"points", "weights", "none"}
        As in :class:`Laplacian`.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, Remark 1, item 2.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.graphs import Given
    >>> W = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> M = Heat(Given(W), t=np.log(2.0)).build(np.zeros((2, 1)))
    >>> np.linalg.eigvalsh(M.toarray()).round(10)
    array([1., 4.])
    """

    costly = True

    def __init__(
        self,
        graph: Graph | None = None,
        t: float = 1.0,
        normalized: bool | str = True,
        scaling: str = "points",
    ) -> None:
        self.graph = graph
        self.t = t
        self.normalized = normalized
        self.scaling = scaling

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        check_weight("t", self.t)
        check_scaling(self.scaling)
        if self.normalized is not False:  # The bound is known: fail before the graph is built.
            self._check_exponent(2.0)
        graph, L = build_laplacian(self.graph, X, self.normalized)
        bound = spectrum_bound(graph, self.normalized)
        self._check_exponent(bound)
        heat = HeatOperator(L, float(self.t), bound, graph)
        scale = penalty_scale(graph, self.scaling)
        return heat if scale == 1.0 else ScaledOperator(heat, scale)

    def _check_exponent(self, bound: float) -> None:
        if self.t * bound <= _LARGEST_EXPONENT:
            return
        raise ValueError(
            f"e^(tL) exceeds double precision: t = {self.t:g} and λ_max ≤ {bound:.3g} give "
            f"t·λ_max up to {self.t * bound:.3g}, and {_LARGEST_EXPONENT:.0f} is the most. "
            f"Take t ≤ {_LARGEST_EXPONENT / bound:.3g}"
            + ("." if self.normalized else ", or the normalized Laplacian.")
        )
