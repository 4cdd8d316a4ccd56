"""Polynomials in the graph Laplacian."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial

from ..graphs import Graph, build_laplacian, spectrum_bound
from ..operators import PolynomialOperator, PSDOperator
from ..types import MatrixLike, TargetLike
from .base import Regularizer
from .laplacian import check_scaling, penalty_scale


@dataclass(eq=False, repr=False)
class LaplacianPolynomial(Regularizer):
    """M = Σ_p c_p L^p, by Horner's rule.

    M is PSD if and only if the polynomial is ≥ 0 on the spectrum of L. The spectrum lies in [0, b],
    and ``build`` checks this interval. b is 2 if L is normalized, and twice the largest degree if
    not.

    Parameters
    ----------
    graph : Graph, optional
        None is ``KNN()``.
    coefficients : sequence of float
        c_0, c_1, …. Some may be negative.
    normalized : bool or "bistochastic"
        The form of L, as in :class:`Laplacian`.
    scaling : {"points", "weights", "none"}
        As in :class:`Laplacian`.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, Remark 1, item 1: linear combinations of iterated Laplacians.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.graphs import Given
    >>> W = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> LaplacianPolynomial(Given(W), (1.0, 0.0, 1.0)).build(np.zeros((2, 1))).toarray()
    array([[ 3., -2.],
           [-2.,  3.]])
    """

    graph: Graph | None = None
    coefficients: Sequence[float] = (0.0, 1.0)
    normalized: bool | str = True
    scaling: str = "points"

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        check_scaling(self.scaling)
        c = _check_coefficients(self.coefficients)
        if self.normalized is not False:  # The bound is known: fail before the graph is built.
            _check_non_negative(c, 2.0)
        graph, L = build_laplacian(self.graph, X, self.normalized)
        _check_non_negative(c, spectrum_bound(graph, self.normalized))
        return PolynomialOperator(L, penalty_scale(graph, self.scaling) * c, graph)


def _check_coefficients(coefficients) -> np.ndarray:
    c = np.asarray(coefficients, dtype=np.float64)
    if c.ndim != 1 or c.size == 0 or not np.isfinite(c).all():
        raise ValueError(
            f"coefficients must be a non-empty sequence of finite numbers c_0, c_1, …, "
            f"got {coefficients!r}."
        )
    return c


def _check_non_negative(c: np.ndarray, bound: float) -> None:
    """Raise an error if the polynomial is negative on [0, bound].

    Its minimum is at one of the two ends or at a root of the derivative.
    """
    p = Polynomial(c).trim()
    critical = p.deriv().roots().real  # Extra points of complex roots do no harm.
    where = np.concatenate([[0.0, bound], np.clip(critical, 0.0, bound)])
    values = p(where)
    rounding = 64 * np.finfo(float).eps * Polynomial(np.abs(c))(bound)
    worst = int(np.argmin(values))
    if values[worst] < -rounding:
        raise ValueError(
            f"Σ_p c_p λ^p with coefficients {tuple(c.tolist())} is {values[worst]:.3g} at "
            f"λ = {where[worst]:.3g}, within the bound [0, {bound:.3g}] on the Laplacian's "
            f"spectrum: M would not be positive semi-definite. Raise c_0 or the higher "
            f"coefficients."
        )
