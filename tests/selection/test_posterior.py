"""The prior, the weights, and the setting that is nearest to the vote."""

import numpy as np
import pytest

from lapwing.selection.posterior import (
    ALONE,
    DEFAULT,
    HOME,
    medoid,
    posterior_weights,
    prior_masses,
    temper,
)


def test_masses_add_up_level_by_level():
    frames = "aaaabbbc"
    alone = [False, False, True, True, True, False, False, True]
    parts = "xxuvuxyw"
    mass = prior_masses(frames, alone, parts, l=2 * DEFAULT)
    assert mass.sum() == pytest.approx(1.0)
    rest = mass.copy()
    rest[0] -= 1 / 4
    rest /= 1 - 1 / 4
    home = np.array([f == "a" for f in frames])
    assert rest[home].sum() == pytest.approx(HOME)
    assert rest[2] + rest[3] == pytest.approx(HOME * ALONE)
    assert rest[0] == pytest.approx(rest[1])
    b = np.array([f == "b" for f in frames])
    assert rest[b].sum() == pytest.approx((1 - HOME) / 2)
    assert rest[7] == pytest.approx((1 - HOME) / 2)  # a frame without a graph has all its mass


def test_the_default_may_stand_anywhere():
    mass = prior_masses("ab", [False, False], "xx", default=1, l=DEFAULT)
    assert mass[1] == pytest.approx(1 / 2 + HOME / 2)


def test_labels_halve_the_share_of_the_default():
    def share(l):  # of 100 settings of one kind
        mass = prior_masses("a" * 100, [False] * 100, "x" * 100, l=l)
        return mass[0] - mass[1]

    assert share(0) == 1.0
    assert share(DEFAULT) == pytest.approx(1 / 2)
    assert share(3 * DEFAULT) == pytest.approx(1 / 8)


def test_weights_follow_the_formula():
    prior, totals = np.array([0.2, 0.3, 0.5]), np.array([1.0, 4.0, np.nan])
    expected = prior * np.exp(-temper(50) * totals)
    found = posterior_weights(prior, totals, 50)
    np.testing.assert_allclose(found[:2], expected[:2] / expected[:2].sum())
    assert found[2] == 0.0
    np.testing.assert_array_equal(posterior_weights(prior, np.full(3, np.inf), 50), prior)


def test_huge_losses_do_not_overflow():
    found = posterior_weights(np.array([0.5, 0.5]), np.array([1e6, 1e6 + 2.0]), 50)
    assert found[0] == pytest.approx(1 / (1 + np.exp(-2.0 * temper(50))))


def test_silent_labels_leave_the_default():
    """Half of the mass agrees with the default: nothing can be nearer to the vote."""
    draw = np.random.default_rng(0)
    for _ in range(20):
        answers = draw.integers(0, 3, (30, 50))
        prior = prior_masses(draw.integers(0, 3, 30).tolist(), [False] * 30, [0] * 30)
        weights = posterior_weights(prior, np.zeros(30), 9)
        assert medoid(weights, answers, 3) == 0
        assert medoid(weights, draw.standard_normal((30, 50)), 0) == 0


def test_the_medoid_is_nearest_to_the_weighted_vote():
    draw = np.random.default_rng(1)
    answers, weights = draw.integers(0, 4, (12, 40)), draw.dirichlet(np.ones(12))
    apart = [(weights * (answers != own).mean(axis=1)).sum() for own in answers]
    assert medoid(weights, answers, 4) == int(np.argmin(apart))
    values = draw.standard_normal((12, 40))
    far = [weights @ np.linalg.norm(values - own, axis=1) for own in values]
    assert medoid(weights, values, 0) == int(np.argmin(far))


def test_of_equal_answers_the_likeliest_is_taken():
    assert medoid(np.array([0.2, 0.5, 0.3]), np.zeros((3, 4), dtype=int), 2) == 1
    assert medoid(np.array([0.2, 0.5, 0.3]), np.zeros((3, 0), dtype=int), 2) == 1
