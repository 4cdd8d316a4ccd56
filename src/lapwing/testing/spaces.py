"""Check that a `Space` behaves as the library expects."""

import numpy as np
from numpy.testing import assert_allclose

from ..spaces import Element, Space
from ..types import MatrixLike

_COLUMNS = 3


def check_space(space: Space, X: MatrixLike = None, *, seed: int = 0, rtol: float = 1e-8) -> None:
    """Assert that the geometry of a space is consistent. Its gradients are then correct.

    ⟨represent(r_M, r_loss), h⟩ = ⟨r_M, evaluate(h)⟩ + ⟨r_loss, readout(h)⟩ must hold. The inner
    product must be symmetric, bilinear and positive. P must be a self-adjoint projection with P ≤
    I. evaluate, readout, represent and evaluate_at must be linear. At the training points
    ``evaluate_at`` must equal the readout. Values that an element has stored must be correct.

    Parameters
    ----------
    space : Space
        A space over at most a few hundred points.
    X : array or CSR matrix of shape (n, d), optional
        The training points. ``evaluate_at`` is compared with the readout there.
    seed : int
    rtol : float
        The largest error of each identity, relative to the size of its terms.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.spaces import linear, WithFreeFunctions
    >>> X = np.random.default_rng(0).normal(size=(8, 3))
    >>> check_space(WithFreeFunctions(linear(X)), X)
    """
    rng = np.random.default_rng(seed)
    a, b = map(space.element, rng.normal(size=(2, space.n_coef, _COLUMNS)))
    check_shapes(space, a)
    check_linear(space, a, b, rtol)
    check_adjoint(space, rng, a, rtol)
    check_metric(space, a, b, rtol)
    check_projection(space, a, b, rtol)
    check_elements(space, a, b, rtol)
    if X is not None:
        check_prediction(space, X, a, b, rtol)


def check_shapes(space: Space, a: Element) -> None:
    """Check the shapes: values and readout are (n, t), coefficients (m, t). Zero must give zero."""
    n, m = space.n_points, space.n_coef
    assert a.values.shape == (n, _COLUMNS) and a.readout.shape == (space.n_rows, _COLUMNS)
    assert space.represent(np.zeros((n, _COLUMNS)), 0.0).shape == (m, _COLUMNS)
    assert space.represent(0.0, np.zeros((space.n_rows, _COLUMNS))).shape == (m, _COLUMNS)
    zero = Element.zero(space, _COLUMNS)
    assert zero.coef.shape == (m, _COLUMNS)
    assert not zero.values.any() and not zero.readout.any() and not zero.norm.any()
    assert space.inner(a, a).shape in ((_COLUMNS,), (1,))


def check_linear(space: Space, a: Element, b: Element, rtol: float) -> None:
    """Check that evaluate and readout of a + 2b are those of a plus twice those of b."""
    both = space.element(a.coef + 2.0 * b.coef)
    _close(both.values, a.values + 2.0 * b.values, rtol)
    _close(both.readout, a.readout + 2.0 * b.readout, rtol)


def check_adjoint(space: Space, rng: np.random.Generator, h: Element, rtol: float) -> None:
    """Check linearity and ⟨represent(r, s), h⟩ = ⟨r, evaluate(h)⟩ + ⟨s, readout(h)⟩."""
    r_M, s_M = rng.normal(size=(2, space.n_points, _COLUMNS))
    r_loss, s_loss = rng.normal(size=(2, space.n_rows, _COLUMNS))
    pulled = space.represent(r_M, r_loss)
    left = space.inner(space.element(pulled), h)
    terms = np.vstack([r_M * h.values, r_loss * h.readout])
    right = terms.sum(axis=0) if len(left) == _COLUMNS else terms.sum(keepdims=True).ravel()
    _close(left, right, rtol, scale=np.abs(terms).sum())
    total = space.element(space.represent(r_M + 2.0 * s_M, r_loss + 2.0 * s_loss))
    parts = space.element(pulled + 2.0 * space.represent(s_M, s_loss))
    _close(total.readout, parts.readout, rtol)
    apart = space.represent(r_M, 0.0) + space.represent(0.0, r_loss)
    _close(space.element(apart).readout, space.element(pulled).readout, rtol)


def check_metric(space: Space, a: Element, b: Element, rtol: float) -> None:
    """Check that inner is symmetric, bilinear, and positive for every function with a readout."""
    inner = space.inner
    size = float(np.max(a.norm + b.norm) ** 2)
    _close(inner(a, b), inner(b, a), rtol, size)
    both = space.element(a.coef + 2.0 * b.coef)
    expanded = inner(a, a) + 4.0 * inner(a, b) + 4.0 * inner(b, b)
    _close(inner(both, both), expanded, rtol, size)
    assert (inner(a, a) > 0).all(), "a function that is not zero has no norm"
    assert (inner(a, b) ** 2 <= inner(a, a) * inner(b, b) * (1 + rtol)).all(), "Cauchy–Schwarz"


def check_projection(space: Space, a: Element, b: Element, rtol: float) -> None:
    """Check P P = P, ⟨a, P b⟩ = ⟨P a, b⟩ and 0 ≤ ⟨a, P a⟩ ≤ ⟨a, a⟩."""
    Pa, Pb = a.penalized(), b.penalized()
    _close(Pa.penalized().coef, Pa.coef, rtol)
    size = float(np.max(a.norm + b.norm) ** 2)
    _close(space.inner(a, Pb), space.inner(Pa, b), rtol, size)
    ambient = space.inner(a, Pa)
    assert (ambient >= -rtol * size).all()
    assert (ambient <= space.inner(a, a) + rtol * size).all()


def check_elements(space: Space, a: Element, b: Element, rtol: float) -> None:
    """Check that values belong to the coefficients after sums and after stored values are lost."""
    # if the metric couples the columns, evaluation may too: one step size for all columns
    step = np.linspace(-1.0, 2.0, len(space.inner(a, b)))
    total = a.plus(step, b)
    _close(total.values, space.evaluate(total.coef), rtol)
    _close(total.forget().values, total.values, rtol)


def check_prediction(space: Space, X: MatrixLike, a: Element, b: Element, rtol: float) -> None:
    """Check that evaluate_at is linear and equals the readout at training points."""
    _close(space.evaluate_at(X, a.coef), a.readout, rtol)
    _close(space.evaluate_at(X[1:3], a.coef), a.readout[1:3], rtol, np.abs(a.readout).max())
    both = space.evaluate_at(X, a.coef + 2.0 * b.coef)
    _close(both, a.readout + 2.0 * b.readout, rtol)


def _close(left, right, rtol: float, scale: float | None = None) -> None:
    scale = float(np.abs(right).max()) if scale is None else scale
    assert_allclose(left, right, rtol=0, atol=rtol * max(scale, np.finfo(float).tiny))
