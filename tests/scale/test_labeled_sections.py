"""Without a graph a fit costs what its labels cost: nothing of size n × l is held."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing import LapLogisticClassifier, LapRLSClassifier, LapSVC
from lapwing.kernels import RBF
from lapwing.spaces.labeled_sections import LabeledSections
from lapwing.testing import check_space

N, L = 9000, 300
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 6))
TRUTH = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int)
Y = np.where(np.arange(N) < L, TRUTH, -1)


def test_it_keeps_the_contract_of_spaces():
    points = X[:40]
    check_space(LabeledSections(np.array([0, 3, 7, 20]), RBF(2.0), points), points)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC, LapLogisticClassifier])
def test_it_is_the_fit_of_the_labeled_rows_alone(Model, intercept):
    given = {"kernel": RBF(2.0), "gamma_A": 1e-3, "gamma_I": 0, "fit_intercept": intercept}
    model = Model(**given).fit(X, Y)
    alone = Model(**given).fit(X[:L], TRUTH[:L])
    assert_allclose(model.decision_function(X), alone.decision_function(X), atol=1e-6)
    assert (model.transduction_ == model.predict(X)).all()


def test_its_memory_does_not_grow_with_rows_times_labels(monkeypatch):
    monkeypatch.setattr("lapwing.linalg.blocks.BUFFER_BYTES", 2**20)  # blocks below n · l
    given = {"kernel": RBF(2.0), "gamma_A": 1e-3, "gamma_I": 0, "fit_intercept": False}
    many = np.tile(X, (6, 1))
    y = np.where(np.arange(len(many)) < L, np.tile(TRUTH, 6), -1)
    for points in (many, sp.csr_array((many > 1.5).astype(float))):
        LapRLSClassifier(**given).fit(points, y)  # what is imported on the way is not counted
        tracemalloc.start()
        LapRLSClassifier(**given).fit(points, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8 * len(many) * L / 2, f"{peak / 2**20:.0f} MiB"
