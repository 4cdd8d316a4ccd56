"""Check that a loss behaves as the solvers expect."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn.base import clone

from ..losses import DualLoss, Loss, QuadraticLoss, SmoothLoss, get_loss

_STEP = 1e-6


def check_loss(loss: Loss) -> None:
    """Assert that a loss has the properties that the solvers need.

    The loss must be convex, non-negative, and computed entry by entry. Its gradient must be a
    subgradient everywhere and agree with finite differences away from kinks. The curvature of a
    smooth loss must agree with finite differences. The curvature of a quadratic loss must be
    constant. A loss with a conjugate must satisfy the Fenchel–Young inequality, with equality at
    the gradient. ``clone`` must give the same loss.

    Parameters
    ----------
    loss : Loss

    Examples
    --------
    >>> from lapwing.losses import Hinge
    >>> check_loss(Hinge())
    """
    y, f, g = _sample(loss)
    _check_shapes(loss, y, f)
    _check_convex(loss, y, f, g)
    _check_gradient(loss, y, f)
    if isinstance(loss, SmoothLoss):
        _check_curvature(loss, y, f)
    if isinstance(loss, DualLoss):
        _check_conjugate(loss, y, f, g)
    _check_clone(loss, y, f)


def _sample(loss: Loss) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    f, g = rng.normal(scale=2.0, size=(2, 200, 3))
    signs = rng.choice([-1.0, 1.0], size=f.shape)
    return (rng.normal(size=f.shape) if loss.kind == "regression" else signs), f, g


def _check_shapes(loss: Loss, y, f) -> None:
    assert loss.kind in ("classification", "regression", "both")
    assert get_loss(loss) is loss
    value, gradient = loss.value(y, f), loss.gradient(y, f)
    assert value.shape in (f.shape, (len(f), 1))
    assert gradient.shape == f.shape
    single = loss.gradient(y.astype(np.float32), f.astype(np.float32))
    assert single.dtype == np.float32, "float32 in, float32 out"
    rows = slice(50, 60)
    assert_allclose(loss.value(y[rows], f[rows]), value[rows])
    far = np.array([[1e150], [-1e150]])
    assert np.isfinite(loss.gradient(np.ones((2, 1)), far)).all()


def _check_convex(loss: Loss, y, f, g) -> None:
    v_f, v_g = loss.value(y, f), loss.value(y, g)
    assert (v_f >= 0).all()
    for weight in (0.1, 0.5, 0.9):
        middle = loss.value(y, weight * f + (1 - weight) * g)
        assert (middle <= weight * v_f + (1 - weight) * v_g + 1e-10 * (1 + v_f + v_g)).all()
    support = loss.gradient(y, f) * (g - f)
    if v_f.shape != f.shape:
        support = support.sum(axis=1, keepdims=True)
    assert (v_g >= v_f + support - 1e-10 * (1 + v_f + v_g)).all(), "not a subgradient"


def _check_gradient(loss: Loss, y, f) -> None:
    for column in range(f.shape[1]):
        step = np.zeros_like(f)
        step[:, column] = _STEP
        change = loss.value(y, f + step) - loss.value(y, f - step)
        slope = change[:, column if change.shape[1] > 1 else 0] / (2 * _STEP)
        left, right = loss.gradient(y, f - step), loss.gradient(y, f + step)
        # The gradient jumps within the step at a kink. No difference quotient is compared there.
        calm = np.abs(left - right)[:, column] < 1e-4
        assert calm.mean() > 0.9
        assert_allclose(slope[calm], loss.gradient(y, f)[calm, column], rtol=1e-5, atol=1e-7)


def _check_curvature(loss: SmoothLoss, y, f) -> None:
    curvature = loss.curvature(y, f)
    assert curvature.shape == f.shape
    assert (curvature >= 0).all()
    slope = (loss.gradient(y, f + _STEP) - loss.gradient(y, f - _STEP)) / (2 * _STEP)
    calm = np.abs(loss.curvature(y, f + _STEP) - loss.curvature(y, f - _STEP)) < 1e-4
    assert calm.mean() > 0.9
    assert_allclose(slope[calm], curvature[calm], rtol=1e-5, atol=1e-7)
    if isinstance(loss, QuadraticLoss):
        assert np.ptp(curvature) == 0
        taylor = loss.value(y, 0 * f) + loss.gradient(y, 0 * f) * f + 0.5 * curvature * f**2
        assert_allclose(loss.value(y, f), taylor, atol=1e-10)


def _check_conjugate(loss: DualLoss, y, f, g) -> None:
    u = loss.clip(y, 2.0 * g)
    assert_allclose(loss.clip(y, u), u, atol=1e-12, err_msg="clip is not a projection")
    value, dual = loss.value(y, f), loss.conjugate(y, u)
    assert (value + dual >= u * f - 1e-10 * (1 + value)).all(), "Fenchel–Young fails"
    slope = loss.gradient(y, f)
    assert_allclose(loss.clip(y, slope), slope, atol=1e-12, err_msg="gradient outside dom V*")
    assert_allclose(value + loss.conjugate(y, slope), slope * f, atol=1e-9)


def _check_clone(loss: Loss, y, f) -> None:
    copy = clone(loss)
    assert copy.get_params() == loss.get_params()
    assert_allclose(copy.value(y, f), loss.value(y, f), rtol=0)
