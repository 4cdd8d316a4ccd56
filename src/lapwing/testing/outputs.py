"""Check that an output structure behaves as the library expects."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from ..losses import StructuredHinge
from ..outputs import Outputs, Structure


def check_outputs(structure: Structure, Y: np.ndarray) -> None:
    """Assert the properties that cutting planes need, without listing all outputs.

    Δ must be non-negative, and zero for the true output. For both re-scalings, ``separate`` must
    attain the violation that it returns. This violation must not be below that of any given output,
    and must bound Δ(y, decode). ``decode`` and ``rank`` must return the best output first. The
    structured hinge loss must be convex, with a valid subgradient. The structure must allow
    ``clone`` and ``layout``.

    Parameters
    ----------
    structure : Structure
    Y : array of shape (m, q)
        Some outputs as indicator rows. At least two must differ.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.outputs import Ring
    >>> check_outputs(Ring(5), np.eye(5))
    """
    outputs = clone(structure).build(np.arange(Y.shape[1]))
    rng = np.random.default_rng(0)
    Y = Y[rng.integers(0, len(Y), 60)].astype(float)
    F, G = rng.normal(scale=0.5, size=(2, 60, outputs.n_features))
    _check_loss(outputs, Y)
    _check_decode(outputs, F, Y)
    for rescaling in ("slack", "margin"):
        _check_oracle(outputs, F, Y, rescaling)
        _check_hinge(StructuredHinge(outputs, rescaling), Y, F, G)
    layout = structure.layout()
    assert np.isfinite(layout.positions).all()
    assert len(layout.positions) == len(layout.names)


def _scores(outputs: Outputs, F, Z) -> np.ndarray:
    return np.einsum("mq,mq->m", outputs.features(Z), F)


def _violation(outputs: Outputs, F, Y, Z, rescaling) -> np.ndarray:
    rise = _scores(outputs, F, Z) - _scores(outputs, F, Y)
    delta = outputs.loss(Y, Z)
    return delta * (1.0 + rise) if rescaling == "slack" else delta + rise


def _check_loss(outputs: Outputs, Y) -> None:
    assert outputs.features(Y).shape == (len(Y), outputs.n_features)
    assert_array_equal(outputs.loss(Y, Y), np.zeros(len(Y)))
    for shift in range(1, 6):
        delta = outputs.loss(Y, np.roll(Y, shift, axis=0))
        assert np.all(delta >= 0)
        assert np.all(delta <= outputs.worst_loss(Y) + 1e-12)


def _check_decode(outputs: Outputs, F, Y) -> None:
    best = outputs.decode(F)
    assert best.shape == Y.shape
    for shift in range(6):
        other = np.roll(Y, shift, axis=0)
        assert np.all(_scores(outputs, F, other) <= _scores(outputs, F, best) + 1e-10)
    assert len(outputs.rank(F, 2)) == len(F)


def _check_oracle(outputs: Outputs, F, Y, rescaling) -> None:
    worst, xi = outputs.separate(F, Y, rescaling)
    assert np.all(xi >= 0)
    assert_allclose(_violation(outputs, F, Y, worst, rescaling), xi, atol=1e-10)
    for shift in range(6):
        other = np.roll(Y, shift, axis=0)
        assert np.all(_violation(outputs, F, Y, other, rescaling) <= xi + 1e-10)
    assert np.all(outputs.loss(Y, outputs.decode(F)) <= xi + 1e-10), "ξ bounds the risk"
    _, at_zero = outputs.separate(np.zeros_like(F), Y, rescaling)
    assert_allclose(at_zero, outputs.worst_loss(Y), atol=1e-12)


def _check_hinge(loss: StructuredHinge, Y, F, G) -> None:
    at_F, at_G = loss.value(Y, F), loss.value(Y, G)
    assert at_F.shape == (len(Y), 1)
    middle = loss.value(Y, 0.5 * (F + G))
    assert np.all(middle <= 0.5 * (at_F + at_G) + 1e-10), "convex"
    slope = np.sum(loss.gradient(Y, F) * (G - F), axis=1, keepdims=True)
    assert np.all(at_G >= at_F + slope - 1e-10), "a subgradient supports from below"
