"""Rows that come in turns: a sample of them must not see one class alone."""

import numpy as np
import pytest

from lapwing.graphs.axes import sample_of
from lapwing.kernels import RBF
from lapwing.linalg.blocks import some_rows
from lapwing.spaces import Landmarks
from lapwing.spaces.out_of_sample import Learner


@pytest.mark.parametrize("n", [50_000, 60_000, 90_000])
def test_the_ambient_view_learns_from_all_of_them(n):
    sign = np.where(np.arange(n) % 2, 1.0, -1.0)[:, None]
    X = 2.0 * sign + np.random.default_rng(0).standard_normal((n, 2))
    phi = Landmarks(30).features(RBF(1.0).build(X[:100]), X)
    learner = Learner(phi, X, np.arange(n))
    answers = learner(np.hstack([sign, -sign]))(X[:1000])
    assert np.mean(np.sign(answers[:, :1]) != sign[:1000]) < 0.05


@pytest.mark.parametrize("period", [2, 3, 7])
def test_samples_hold_every_turn_alike(period):
    for rows in (some_rows(84_000, 10_000), sample_of(84_000)):
        assert np.bincount(rows % period).min() > 0.9 * len(rows) / period
        assert (np.diff(rows) > 0).all()
