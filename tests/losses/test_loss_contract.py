"""Every loss fulfils the contract, and its formula."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from lapwing import losses
from lapwing.losses import (
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    Squared,
    SquaredHinge,
    get_loss,
)
from lapwing.testing.losses import check_loss
from naming import stable

LOSSES = [
    Squared(),
    Hinge(),
    SquaredHinge(),
    Logistic(),
    Huber(1.0),
    Huber(delta=np.float64(0.3)),
    EpsilonInsensitive(0.1),
    EpsilonInsensitive(epsilon=0.0),
    EpsilonInsensitive(epsilon=np.float64(0.7)),
]
NAMES = ["squared", "hinge", "squared_hinge", "logistic", "huber", "epsilon_insensitive"]


@pytest.mark.parametrize("loss", LOSSES, ids=stable)
def test_contract(loss):
    check_loss(loss)


def test_the_table_is_complete():
    concrete = {
        part
        for name in losses.__all__
        if isinstance(part := getattr(losses, name), type) and not part.__abstractmethods__
    }
    coupled = {losses.StructuredHinge}  # needs an output structure: see tests/structured
    assert concrete == {type(loss) for loss in LOSSES} | coupled


class WrongGradient(Hinge):
    def gradient(self, y, f):
        return -super().gradient(y, f)


class Concave(Squared):
    def value(self, y, f):
        return np.sqrt(np.abs(y - f))


class WrongConjugate(Hinge):
    def conjugate(self, y, u):
        return y * u - 0.1


class WrongCurvature(Logistic):
    def curvature(self, y, f):
        return 2.0 * super().curvature(y, f)


@pytest.mark.parametrize("loss", [WrongGradient(), Concave(), WrongConjugate(), WrongCurvature()])
def test_the_contract_rejects_a_wrong_loss(loss):
    with pytest.raises(AssertionError):
        check_loss(loss)


@pytest.mark.parametrize("name", NAMES)
def test_get_loss_by_name(name):
    loss = get_loss(name)
    assert type(loss).__name__.lower() == name.replace("_", "")
    assert type(clone(loss)) is type(loss)


def test_get_loss_keeps_an_instance():
    loss = Huber(delta=2.0)
    assert get_loss(loss) is loss


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ("hinges", ValueError, "'hinges'.*'squared_hinge'"),
        (None, TypeError, "got None"),
        (Hinge, TypeError, r"write Hinge\(\)"),
        (Huber(delta=0.0), ValueError, "delta > 0, got 0.0"),
        (Huber(delta=np.inf), ValueError, "Squared"),
        (Huber(delta=np.nan), ValueError, "got nan"),
        (EpsilonInsensitive(epsilon=-0.1), ValueError, "≥ 0, got -0.1"),
    ],
)
def test_get_loss_says_what_is_wrong(given, error, says):
    with pytest.raises(error, match=says):
        get_loss(given)


def test_conjugates_are_suprema():
    """V*(u) = max_f u f − V(y, f), on a grid that contains the kinks."""
    f = np.linspace(-5, 5, 2001)[:, None]
    for loss in (Hinge(), EpsilonInsensitive(epsilon=0.5)):
        for target in (-1.0, 1.0):
            y = np.full_like(f, target)
            for u in (-0.9, -0.25, 0.0, 0.25, 0.9):
                u = loss.clip(np.array([[target]]), np.array([[u]]))
                best = (u * f - loss.value(y, f)).max()
                assert_allclose(loss.conjugate(np.array([[target]]), u), best, atol=1e-9)


def test_logistic_is_a_likelihood():
    f = np.array([[-800.0], [-3.0], [0.0], [3.0], [800.0]])
    p = Logistic().probability(f)
    assert_allclose(p + Logistic().probability(-f), 1.0)
    assert_allclose(Logistic().value(np.ones_like(f[1:]), f[1:]), -np.log(p[1:]), atol=1e-15)
    assert_allclose(Logistic().value(np.ones((1, 1)), f[:1]), 800.0)


def test_huber_limits():
    """δ → ∞ is half the squares; δ → 0 is δ times the absolute value."""
    rng = np.random.default_rng(0)
    y, f = rng.normal(size=(2, 50, 1))
    assert_allclose(2 * Huber(delta=1e6).value(y, f), Squared().value(y, f))
    assert_allclose(Huber(delta=1e-9).value(y, f) / 1e-9, np.abs(y - f), atol=1e-8)
    assert np.isfinite(Huber(1.0).value(np.zeros((1, 1)), np.full((1, 1), 1e200))).all()


def test_squared_hinge_squares_the_hinge():
    rng = np.random.default_rng(0)
    y, f = np.sign(rng.normal(size=(50, 2))), rng.normal(size=(50, 2))
    assert_allclose(SquaredHinge().value(y, f), Hinge().value(y, f) ** 2)


def test_a_tube_by_the_targets_is_in_their_unit_and_a_given_one_is_not():
    y, f = np.array([[0.0], [1.0], [3.0]]), np.array([[1.0], [1.0], [-4.0]])
    by_targets = EpsilonInsensitive().build(y, np.ones((3, 1), bool))
    twice = EpsilonInsensitive().build(2 * y, np.ones((3, 1), bool))
    np.testing.assert_allclose(twice.value(2 * y, 2 * f), 4 * by_targets.value(y, f))
    np.testing.assert_allclose(twice.gradient(2 * y, 2 * f), 2 * by_targets.gradient(y, f))
    given = EpsilonInsensitive(0.5).build(y, np.ones((3, 1), bool))
    assert np.abs(given.gradient(y, f)).max() == 1.0
    check_loss(by_targets)
