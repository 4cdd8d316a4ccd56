"""Check that a regularizer behaves as the library expects."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn.base import clone

from ..operators import Operator
from ..regularizers import Regularizer, get_regularizer
from ..types import MatrixLike, TargetLike


def check_operator(operator: Operator) -> None:
    """Assert that an operator is symmetric, PSD and linear, and that its gradient is correct.

    Parameters
    ----------
    operator : Operator
        An operator over at most a few hundred points. M is formed.

    Examples
    --------
    >>> from lapwing.operators import ZeroOperator
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


def check_regularizer(
    regularizer: Regularizer, X: MatrixLike, y: TargetLike = None, equivariant: bool = True
) -> None:
    """Assert that a regularizer builds a PSD operator, and always the same one.

    All checks of :func:`check_operator` apply. ``build`` must not change parameters or data. A
    clone must build the same M. Permuted rows must give the permuted M.

    Parameters
    ----------
    regularizer : Regularizer
    X : array of shape (n, d)
        At most a few hundred rows. All distances must differ.
    y : integer array of shape (n,), optional
        Class codes, −1 for unlabeled rows.
    equivariant : bool
        False for a regularizer that is given as a matrix. It does not read X.

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


def _values(operator: Operator, seed: int, t: int) -> np.ndarray:
    """Random values with t columns, or with as many columns as the operator couples."""
    t = t if operator.n_outputs == 1 else operator.n_outputs
    return np.random.default_rng(seed).normal(size=(operator.n, t))


def _product(operator: Operator, M: np.ndarray, F: np.ndarray) -> np.ndarray:
    return M @ F if operator.n_outputs == 1 else (M @ F.ravel()).reshape(F.shape)


def _check_psd(M: np.ndarray, scale: float) -> None:
    assert np.isfinite(M).all()
    assert_allclose(M, M.T, atol=1e-8 * scale, err_msg="not symmetric")
    spectrum = np.linalg.eigvalsh((M + M.T) / 2)
    assert spectrum[0] >= -1e-8 * max(scale, spectrum[-1]), f"λ_min = {spectrum[0]:.3g}"


def _check_linear(operator: Operator, M: np.ndarray, scale: float) -> None:
    """Check that one column, many columns and Fortran order give the same M F."""
    F = _values(operator, 0, 5)
    kept, expected = F.copy(), _product(operator, M, F)
    atol = 1e-10 * scale * operator.n
    assert_allclose(operator.apply(F), expected, rtol=1e-6, atol=atol)
    assert_allclose(F, kept, rtol=0, err_msg="apply changed F")
    assert_allclose(operator.apply(np.asfortranarray(F)), expected, rtol=1e-6, atol=atol)
    if operator.n_outputs == 1:
        assert operator.apply(F[:, :1]).shape == (operator.n, 1)
        assert operator.apply(F[:, :0]).shape == (operator.n, 0)


def _check_derivatives(operator: Operator, scale: float) -> None:
    """Check the gradient. Central differences of a quadratic function are exact up to rounding."""
    F, V = _values(operator, 1, 3), _values(operator, 4, 3)
    atol = 1e-8 * scale * operator.n
    ahead, here, behind = (operator.value(F + h * V) for h in (0.5, 0.0, -0.5))
    together = operator.n_outputs > 1
    assert here.shape == ((1,) if together else (3,))
    along = (operator.gradient(F) * V).sum(axis=None if together else 0)
    assert_allclose(ahead - behind, along, rtol=1e-6, atol=atol)
    second = (operator.curvature(F, V) * V).sum(axis=None if together else 0)
    assert_allclose(4 * (ahead - 2 * here + behind), second, rtol=1e-6, atol=atol)


def _check_single_precision(operator: Operator, M: np.ndarray) -> None:
    F = _values(operator, 2, 2)
    single = operator.apply(F.astype(np.float32))
    assert single.dtype == np.float32, "float32 in, float32 out"
    assert operator.apply(F).dtype == np.float64, "float64 in, float64 out"
    error = np.linalg.norm(single - _product(operator, M, F))
    assert error <= 1e-4 * np.linalg.norm(M, 2) * np.linalg.norm(F) + 1e-300


def _check_graph(operator: Operator, M: np.ndarray, scale: float) -> None:
    """Check that M does not couple points in different components of the graph."""
    assert operator.graph is not None
    components = operator.graph.components
    assert components.shape == (operator.n,)
    components = np.repeat(components, operator.n_outputs)
    apart = components[:, None] != components[None, :]
    assert np.abs(M[apart]).max(initial=0.0) <= 1e-10 * scale


def _check_equivariant(regularizer: Regularizer, X, y, M: np.ndarray) -> None:
    order = np.random.default_rng(3).permutation(len(X))
    permuted = regularizer.build(X[order], None if y is None else y[order]).toarray()
    scale = max(float(np.abs(M).max()), np.finfo(float).tiny)
    assert_allclose(permuted, M[np.ix_(order, order)], rtol=1e-6, atol=1e-8 * scale)
