"""Local LSMR: two stages, the second inside the first one's setting."""

import numpy as np
import pytest
from sklearn.base import clone

from lapwing import LSMRRegressor, SSSLRegressor
from lapwing.kernels import RBF, Cosine, Linear
from lapwing.metrics import armse_scorer
from lapwing.model_selection import LabeledKFold
from lapwing_papers.model_selection import KernelDraws, LocalLSMRSearch


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    Y = np.column_stack([np.sin(X[:, 0]), np.sin(X[:, 0]) + 0.1 * X[:, 1]])
    Y[20:] = np.nan
    return X, Y


def test_stage_two_keeps_the_kernel_and_s_of_stage_one(data):
    X, Y = data
    search = LocalLSMRSearch(n_iter=4, cv=4, random_state=0).fit(X, Y)
    first = search.sssl_search_.best_params_
    assert search.best_estimator_.get_params()["n_components"] == first["n_components"]
    assert repr(search.best_estimator_.kernel) == repr(first["kernel"])
    assert all(p["gamma_I"] > 0 and p["gamma_M"] > 0 for p in search.cv_results_["params"])
    l, n = 20, 50
    lam_s = np.array([p["gamma_I"] for p in search.cv_results_["params"]]) * l / n**2
    lam_m = np.array([p["gamma_M"] for p in search.cv_results_["params"]]) * l
    for lam in (lam_s, lam_m):
        assert (lam >= 1e-6).all() and (lam <= 10).all()


def test_the_reference_is_the_tuned_sssl_on_the_same_folds(data):
    X, Y = data
    search = LocalLSMRSearch(n_iter=3, cv=LabeledKFold(4, random_state=7), random_state=1)
    search.fit(X, Y)
    best = SSSLRegressor(**search.sssl_search_.best_params_)
    scores = [
        armse_scorer(best.fit(X[a], Y[a]), X[b], Y[b])
        for a, b in LabeledKFold(4, random_state=7).split(X, Y)
    ]
    assert search.reference_score_ == pytest.approx(np.mean(scores))


def test_repeats_clones_and_scores(data):
    X, Y = data
    search = LocalLSMRSearch(LSMRRegressor(fit_intercept=False), n_iter=2, cv=3, random_state=3)
    first = search.fit(X, Y).predict(X)
    again = clone(search).fit(X, Y)
    np.testing.assert_array_equal(first, again.predict(X))
    assert not again.best_estimator_.fit_intercept
    assert again.score(X[:20], Y[:20]) == armse_scorer(again.best_estimator_, X[:20], Y[:20])


def test_kernel_draws():
    kernels = [KernelDraws().rvs(random_state=i) for i in range(60)]
    assert {type(k) for k in kernels} == {Linear, Cosine, RBF}
    gamma = [1 / (2 * k.sigma**2) for k in kernels if isinstance(k, RBF)]
    assert min(gamma) >= 1e-5 and max(gamma) <= 20


@pytest.mark.parametrize(
    "params, error",
    [
        ({"n_iter": 0}, ValueError),
        ({"lambdas": (0.0, 1.0)}, ValueError),
        ({"estimator": SSSLRegressor()}, TypeError),
    ],
)
def test_bad_parameters(data, params, error):
    with pytest.raises(error):
        LocalLSMRSearch(**params).fit(*data)


def test_without_targets(data):
    with pytest.raises(ValueError, match="requires y"):
        LocalLSMRSearch().fit(data[0], None)


def test_bad_draws():
    with pytest.raises(ValueError, match="kinds"):
        KernelDraws(("poly",))
    with pytest.raises(ValueError, match="gamma"):
        KernelDraws(gamma=(1.0, 0.5))
