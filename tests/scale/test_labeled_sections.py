"""Without a graph a fit costs what its labels cost: nothing of size n × l is held."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing import LapLogisticClassifier, LapRLSClassifier, LapSVC, VectorValuedRegressor
from lapwing.confidence.bounds import _trace
from lapwing.kernels import RBF
from lapwing.linalg.quadratic_form import QuadraticForm
from lapwing.operators import ZeroOperator
from lapwing.spaces import Blockwise, Exact
from lapwing.testing import check_space

N, L = 9000, 300
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 6))
TRUTH = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int)
Y = np.where(np.arange(N) < L, TRUTH, -1)


def test_functions_of_few_sections_are_those_of_the_exact_space():
    kernel, points = RBF(2.0), X[:40]
    space, exact = Blockwise(kernel, points), Exact(kernel(points), kernel, points)
    check_space(space, points)
    coef, rows = np.zeros((40, 3)), np.array([0, 3, 7, 20])
    coef[rows] = RNG.normal(size=(4, 3))
    f, same = space.element(coef), exact.element(coef)
    assert_allclose(space.inner(f, f), exact.inner(same, same), rtol=1e-12)
    assert "base" not in vars(f)  # at these rows alone
    assert_allclose(f.values, same.values, atol=1e-12)
    nothing = QuadraticForm(ZeroOperator(40))
    found, expected = (s.system(0.1, nothing).kernel(rows) for s in (space, exact))
    assert_allclose(found, expected, atol=1e-12)


def test_several_kernels_are_blockwise_too(monkeypatch):
    monkeypatch.setattr("lapwing.spaces.choose.EXACT_UP_TO", 100)
    given = {"gamma_A": 1e-3, "gamma_I": 0, "fit_intercept": False}
    kernels, Q = [RBF(2.0), RBF(0.5)], [np.eye(2), np.ones((2, 2))]
    Y = np.column_stack([X[:400, 0], X[:400, 1] ** 2])
    Y[40:] = np.nan
    model = VectorValuedRegressor(kernel=kernels, output_kernel=Q, **given).fit(X[:400], Y)
    alone = VectorValuedRegressor(kernel=kernels, output_kernel=Q, **given).fit(X[:40], Y[:40])
    assert_allclose(model.predict(X[-50:]), alone.predict(X[-50:]), atol=1e-6)


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
        model = LapRLSClassifier(**given).fit(points, y)  # its imports are not counted
        for name, given_to in {
            "fit": (points, y), "novelty": (points,), "next_to_label": (2,), "error_bound": ()
        }.items():  # fmt: skip
            tracemalloc.start()
            getattr(model, name)(*given_to)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < 8 * len(many) * L / 2, f"{peak / 2**20:.0f} MiB"


def test_its_answers_are_those_of_the_exact_space(monkeypatch):
    given = {"kernel": RBF(2.0), "gamma_A": 1e-3, "gamma_I": 0, "fit_intercept": False}
    exact = LapRLSClassifier(**given).fit(X[:1200], Y[:1200])
    monkeypatch.setattr("lapwing.spaces.choose.EXACT_UP_TO", 100)
    monkeypatch.setattr("lapwing.linalg.blocks.BUFFER_BYTES", 2**16)
    model = LapRLSClassifier(**given).fit(X[:1200], Y[:1200])
    assert isinstance(model.objective_.space, Blockwise)
    assert isinstance(exact.objective_.space, Exact)
    assert_allclose(model.novelty(X[:2000]), exact.novelty(X[:2000]), atol=1e-8)
    for part, _ in model.objective_.deformation.components:
        assert_allclose(_trace(part, model.objective_, 0.01), 1200 / 1e-3)  # k(x, x) = 1
