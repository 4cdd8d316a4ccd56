"""The contract of a regularizer."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose
from sklearn.base import clone

from ..regularizers import PSDOperator, Regularizer, get_regularizer

__all__ = ["check_operator", "check_regularizer"]


def check_operator(operator: PSDOperator) -> None:
    """Assert that an operator is symmetric, PSD, linear, and derives its value correctly.

    Parameters
    ----------
    operator : PSDOperator
        Over at most a few hundred points: M is formed.

    Examples
    --------
    >>> from lapwing.regularizers import ZeroOperator
    >>> check_operator(ZeroOperator(4))
    """
    M = operator.toarray()
    scale = max(float(np.abs(M).max()), np.finfo(float).tiny)
    _check_psd(M, scale)
    _check_linear(operator, M, scale)
    _check_derivatives(operator, scale)
    _check_single_precision(operator, M)
    if operator.graph is not None:
        _check_graph(operator, M, scale)


def check_regularizer(regularizer: Regularizer, X, y=None, equivariant: bool = True) -> None:
    """Assert that a regularizer builds a PSD operator, and always the same one.

    Everything in :func:`check_operator`; building leaves parameters and data alone; a clone
    builds the same M; permuted rows give the permuted M.

    Parameters
    ----------
    regularizer : Regularizer
    X : array of shape (n, d)
        At most a few hundred points, without ties between distances.
    y : integer array of shape (n,), optional
        Class codes, −1 for unlabelled rows.
    equivariant : bool
        False for a regularizer that holds a matrix over the rows: it does not see X.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.regularizers import Laplacian
    >>> check_regularizer(Laplacian(), np.random.default_rng(0).normal(size=(30, 2)))
    """
    assert get_regularizer(regularizer) is regularizer
    params, before = repr(regularizer.get_params()), X.copy()
    operator = regularizer.build(X, y)
    assert repr(regularizer.get_params()) == params, "build changed a parameter"
    assert_allclose(X, before, rtol=0, err_msg="build changed X")
    assert operator.n == len(X)
    check_operator(operator)
    M = operator.toarray()
    assert_allclose(clone(regularizer).build(X, y).toarray(), M, rtol=0, err_msg="clone differs")
    if equivariant:
        _check_equivariant(regularizer, X, y, M)


def _check_psd(M: np.ndarray, scale: float) -> None:
    assert np.isfinite(M).all()
    assert_allclose(M, M.T, atol=1e-8 * scale, err_msg="not symmetric")
    spectrum = np.linalg.eigvalsh((M + M.T) / 2)
    assert spectrum[0] >= -1e-8 * max(scale, spectrum[-1]), f"λ_min = {spectrum[0]:.3g}"


def _check_linear(operator: PSDOperator, M: np.ndarray, scale: float) -> None:
    """One column, many columns, Fortran order: the same M F."""
    F = np.random.default_rng(0).normal(size=(operator.n, 5))
    kept = F.copy()
    atol = 1e-10 * scale * operator.n
    assert_allclose(operator.apply(F), M @ F, rtol=1e-6, atol=atol)
    assert_allclose(F, kept, rtol=0, err_msg="apply changed F")
    assert_allclose(operator.apply(np.asfortranarray(F)), M @ F, rtol=1e-6, atol=atol)
    assert operator.apply(F[:, :1]).shape == (operator.n, 1)
    assert operator.apply(F[:, :0]).shape == (operator.n, 0)


def _check_derivatives(operator: PSDOperator, scale: float) -> None:
    """Central differences of a quadratic are exact but for rounding."""
    F, V = np.random.default_rng(1).normal(size=(2, operator.n, 3))
    atol = 1e-8 * scale * operator.n
    ahead, here, behind = (operator.value(F + h * V) for h in (0.5, 0.0, -0.5))
    assert here.shape == (3,)
    along = np.einsum("it,it->t", operator.gradient(F), V)
    assert_allclose(ahead - behind, along, rtol=1e-6, atol=atol)
    second = np.einsum("it,it->t", operator.curvature(F, V), V)
    assert_allclose(4 * (ahead - 2 * here + behind), second, rtol=1e-6, atol=atol)


def _check_single_precision(operator: PSDOperator, M: np.ndarray) -> None:
    F = np.random.default_rng(2).normal(size=(operator.n, 2))
    single = operator.apply(F.astype(np.float32))
    assert single.dtype == np.float32, "float32 in, float32 out"
    assert operator.apply(F).dtype == np.float64, "float64 in, float64 out"
    error = np.linalg.norm(single - M @ F)
    assert error <= 1e-4 * np.linalg.norm(M, 2) * np.linalg.norm(F) + 1e-300


def _check_graph(operator: PSDOperator, M: np.ndarray, scale: float) -> None:
    """Points in different components of the graph are not coupled."""
    assert operator.graph is not None
    components = operator.graph.components
    assert components.shape == (operator.n,)
    apart = components[:, None] != components[None, :]
    assert np.abs(M[apart]).max(initial=0.0) <= 1e-10 * scale


def _check_equivariant(regularizer: Regularizer, X, y, M: np.ndarray) -> None:
    order = np.random.default_rng(3).permutation(len(X))
    permuted = regularizer.build(X[order], None if y is None else y[order]).toarray()
    scale = max(float(np.abs(M).max()), np.finfo(float).tiny)
    assert_allclose(permuted, M[np.ix_(order, order)], rtol=1e-6, atol=1e-8 * scale)
