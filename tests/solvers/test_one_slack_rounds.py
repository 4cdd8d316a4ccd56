"""One slack for all examples: the same minimum, in fewer rounds."""

import warnings

import numpy as np
import pytest

from lapwing import StructuredLapSVC
from lapwing.outputs import Ring
from lapwing.solvers import CuttingPlanes, Status


def directions(n=300, l=150):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 3))
    truth = ((np.arctan2(X[:, 1], X[:, 0]) + np.pi) * 2 / np.pi).astype(int) % 4
    truth = np.where(rng.random(n) < 0.1, rng.integers(0, 4, n), truth)
    return X, np.where(np.arange(n) < l, truth, -1)


def fitted(slack, gamma_A):
    X, y = directions()
    model = StructuredLapSVC(
        output=Ring(n=4), kernel="rbf", regularizer="laplacian", gamma_A=gamma_A, gamma_I=1e-3,
        solver=CuttingPlanes(slack),
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


@pytest.mark.parametrize("gamma_A", [1e-2, 1e-4, 1e-6])
def test_one_slack_and_one_for_each_find_the_same_minimum(gamma_A):
    one, each = fitted("1-slack", gamma_A).solution_, fitted("n-slack", gamma_A).solution_
    assert one.status is each.status is Status.CONVERGED
    assert one.primal == pytest.approx(each.primal, rel=1e-4, abs=2e-6)
    assert one.n_iter < 300  # 346 without the second cut


@pytest.mark.slow
def test_a_gap_that_hardly_falls_for_long_is_no_stall():
    """The primal value stays at that of 0 for hundreds of rounds while the dual one grows."""
    rng = np.random.default_rng(0)
    X, y = directions(400, 150)
    y = np.where((y >= 0) & (rng.random(400) < 0.4), rng.integers(0, 4, 400), y)
    model = StructuredLapSVC(
        output=Ring(n=4), kernel="rbf", regularizer="laplacian", gamma_A=1e-7, gamma_I=0.0,
        solver=CuttingPlanes("1-slack"),
    ).fit(X, y)  # fmt: skip
    assert model.solution_.status is Status.CONVERGED
