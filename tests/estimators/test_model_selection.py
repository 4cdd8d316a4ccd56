"""Inside scikit-learn: grid search over the parts, pipelines, clone, pickle, several jobs."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import lapwing
from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from problems import BY_RULE

RNG = np.random.default_rng(0)
N = 60
TRUTH = np.arange(N) % 2
X = RNG.normal(size=(N, 3)) + 1.5 * TRUTH[:, None]
Y = np.where(np.arange(N) < 40, TRUTH, -1)
ESTIMATORS = [
    part
    for n in lapwing.__all__
    if isinstance(part := getattr(lapwing, n), type) and issubclass(part, BaseEstimator)
]


def test_grid_search_over_the_parts():
    search = GridSearchCV(
        LapRLSClassifier(**BY_RULE | {"kernel": RBF(), "regularizer": Laplacian(KNN())}),
        {
            "regularizer__graph__n_neighbors": [3, 8],
            "kernel__sigma": [0.5, 2.0],
            "gamma_A": [1e-4, 1e-1],
        },
        cv=3,
        error_score="raise",
    ).fit(X, Y)
    best = search.best_estimator_
    assert search.best_score_ > 0.8
    assert best.kernel_.sigma == search.best_params_["kernel__sigma"]
    k = search.best_params_["regularizer__graph__n_neighbors"]
    assert np.diff(best.regularizer_.graph.W.indptr).min() >= k
    assert len({str(p) for p in search.cv_results_["params"]}) == 8
    assert not np.allclose(search.cv_results_["mean_test_score"], search.best_score_)


def test_grid_search_over_whole_parts():
    search = GridSearchCV(
        LapSVC(**BY_RULE),
        {"regularizer": [Laplacian(), None], "kernel": ["linear", RBF(1.0)]},
        cv=2,
    ).fit(X, Y)
    assert search.best_score_ > 0.8


def test_precomputed_kernels_are_split_on_both_sides():
    K = RBF(1.0)(X)
    scores = cross_val_score(
        LapRLSClassifier(**BY_RULE | {"kernel": "precomputed"}), K, TRUTH, cv=3
    )
    assert scores.mean() > 0.8


def test_pipeline():
    pipeline = make_pipeline(
        StandardScaler(), LapRLSClassifier(**BY_RULE | {"fit_intercept": False})
    )
    pipeline.fit(X, Y)
    direct = LapRLSClassifier(**BY_RULE | {"fit_intercept": False}).fit(
        StandardScaler().fit_transform(X), Y
    )
    assert_allclose(
        pipeline.decision_function(X), direct.decision_function(pipeline[0].transform(X))
    )
    pipeline.set_params(laprlsclassifier__gamma_A=0.5)
    assert pipeline[-1].gamma_A == 0.5


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_clone_and_pickle(estimator):
    model = estimator()
    is_regressor = model.__sklearn_tags__().estimator_type == "regressor"
    y = np.where(Y >= 0, X[:, 0], np.nan) if is_regressor else Y
    model.fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    extend = "transform" if hasattr(model, "transform") else "predict"
    # products of arrays that lie elsewhere in memory may be rounded otherwise
    assert_allclose(getattr(copy, extend)(X), getattr(model, extend)(X), rtol=1e-11, atol=1e-13)
    assert_allclose(getattr(clone(model).fit(X, y), extend)(X), getattr(model, extend)(X))
    assert not hasattr(clone(model), "coef_")


EXPANDED_OVER_ALL_POINTS = [
    lapwing.LapRLSClassifier,
    lapwing.LapRLSRegressor,
    lapwing.LapSVC,
    lapwing.LapLogisticClassifier,
    lapwing.ManifoldClassifier,
    lapwing.ManifoldRegressor,
]


@pytest.mark.parametrize("estimator", EXPANDED_OVER_ALL_POINTS)
def test_fitted_attributes(estimator):
    model = estimator()
    model.set_params(**{k: v for k, v in BY_RULE.items() if k in model.get_params()})
    is_regressor = model.__sklearn_tags__().estimator_type == "regressor"
    model.fit(X, np.where(Y >= 0, X[:, 0], np.nan) if is_regressor else Y)
    assert_allclose(model.predict(X), model.transduction_, atol=1e-8)
    assert model.n_iter_ >= 1 and model.n_features_in_ == 3
    assert model.solution_.status.name == "CONVERGED"
    assert_array_equal(model.labeled_, Y >= 0)
    if {"gamma_A", "gamma_I", "fit_intercept"} <= set(model.get_params()):
        assert model.coef_.shape == (N, 1) and model.intercept_.shape == (1,)
        assert_allclose(model.gamma_I_, 1e-3 * N**2)
        assert_allclose(model.gamma_A_, 1e-6)


def test_fitting_changes_no_parameter_and_no_data():
    kernel, regularizer = RBF(), Laplacian(KNN())
    points, y, weight = X.copy(), Y.copy(), np.ones(N)
    model = LapRLSClassifier(**BY_RULE | {"kernel": kernel, "regularizer": regularizer})
    before = repr(model.get_params())
    model.fit(points, y, sample_weight=weight)
    assert repr(model.get_params()) == before and model.kernel is kernel
    assert kernel.sigma == "median"
    assert_array_equal(points, X)
    assert_array_equal(y, Y)


def test_refitting_forgets():
    model = LapRLSClassifier(**BY_RULE).fit(X, Y)
    model.fit(X[:30, :2], np.arange(30) % 3)
    assert model.coef_.shape == (30, 3) and len(model.classes_) == 3
    assert model.predict(X[:, :2]).shape == (N,)


def test_progress_is_shown_when_asked(capsys):
    LapRLSClassifier(**BY_RULE | {"verbose": 1, "solver": "cg"}).fit(X, Y)
    shown = capsys.readouterr()
    assert "LapRLSClassifier" in shown.err and "certificate" in shown.err and not shown.out
    LapRLSClassifier(**BY_RULE).fit(X, Y)
    assert not capsys.readouterr().err


def test_a_missed_tolerance_is_said():
    from sklearn.exceptions import ConvergenceWarning

    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model = LapRLSRegressor(**BY_RULE | {"solver": "cg", "max_iter": 1}).fit(X, X[:, 0])
    assert model.solution_.optimality > 1e-8
