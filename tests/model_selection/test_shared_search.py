"""The shared search: scikit-learn's draws and scores, with less work."""

import numpy as np
import pytest
from scipy.stats import loguniform, randint
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import RandomizedSearchCV

from lapwing import LSMRRegressor
from lapwing.graphs import KNN
from lapwing.metrics import armse_scorer
from lapwing.model_selection import LabeledKFold, SharedSearchCV
from lapwing.regularizers import Laplacian
from lapwing_papers.baselines import (
    ClusteredRegressor,
    DirtyModelRegressor,
    GroupLassoRegressor,
    LassoRegressor,
    TraceNormRegressor,
)
from lapwing_papers.model_selection import KernelDraws, LogIntegers

WEIGHT = loguniform(1e-3, 1.0)
LSMR = LSMRRegressor(regularizer=Laplacian(KNN(5)), gamma_I=0.1, gamma_M=0.1, kernel="rbf")
MODELS = {
    "lasso": (LassoRegressor(tol=1e-9), {"alpha": WEIGHT}),
    "group lasso": (GroupLassoRegressor(tol=1e-9), {"alpha": WEIGHT}),
    "trace norm": (TraceNormRegressor(tol=1e-9), {"alpha": WEIGHT}),
    "clusters": (
        ClusteredRegressor(tol=1e-9),
        {"alpha": WEIGHT, "beta": WEIGHT, "n_clusters": randint(1, 4)},
    ),
    "dirty": (DirtyModelRegressor(tol=1e-9), {"alpha_shared": WEIGHT, "alpha_own": WEIGHT}),
    "LSMR": (LSMR, {"kernel": KernelDraws(), "n_components": LogIntegers(1, 20)}),
    "weights": (LSMR, {"n_components": [5], "gamma_I": WEIGHT, "gamma_M": WEIGHT}),
    "its graph": (LSMR, {"n_components": [5, 7], "regularizer": [Laplacian(KNN(3)), "auto"]}),
    "inside its graph": (
        LSMR,
        {"n_components": [5, 7], "regularizer__graph__n_neighbors": [3, 6, 9]},
    ),
    "scikit-learn's": (Ridge(), {"alpha": WEIGHT}),
}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6))
    Y = X[:, :3] @ rng.normal(size=(3, 4)) + 0.3 * rng.normal(size=(40, 4))
    return X, Y


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore:The total space of parameters")
def test_equals_scikit_learns_search(name, data):
    X, Y = data
    model, space = MODELS[name]
    if name != "scikit-learn's":
        Y = np.where(np.arange(40)[:, None] < 25, Y, np.nan)
    common = {"n_iter": 6, "scoring": armse_scorer, "random_state": 3}
    ours = SharedSearchCV(model, space, cv=LabeledKFold(3), **common).fit(X, Y)
    theirs = RandomizedSearchCV(model, space, cv=LabeledKFold(3), **common).fit(X, Y)
    mean = theirs.cv_results_["mean_test_score"]
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], mean, rtol=1e-4)
    assert repr(ours.best_params_) == repr(theirs.best_params_)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-10)
    assert ours.score(X[:25], Y[:25]) == pytest.approx(theirs.score(X[:25], Y[:25]))


def test_a_graph_and_the_eigenvectors_are_made_once_per_split(data, monkeypatch):
    X, Y = data
    made = {"graphs": 0, "eigenvectors": 0}

    def counted(name, function):
        def wrapper(*args, **kwargs):
            made[name] += 1
            return function(*args, **kwargs)

        return wrapper

    monkeypatch.setattr(KNN, "build", counted("graphs", KNN.build))
    target = "lapwing.estimators.recipes.eigen.top_eigenpairs"
    from lapwing.linalg.eigenpairs import top_eigenpairs

    monkeypatch.setattr(target, counted("eigenvectors", top_eigenpairs))
    SharedSearchCV(
        LSMR, {"gamma_I": WEIGHT, "gamma_M": WEIGHT, "n_components": [4]}, n_iter=7,
        scoring=armse_scorer, cv=3, refit=False, random_state=0,
    ).fit(X, Y)  # fmt: skip
    assert made == {"graphs": 3, "eigenvectors": 3}


def test_nothing_is_kept_by_the_model(data):
    model = LassoRegressor()
    search = SharedSearchCV(model, {"alpha": WEIGHT}, n_iter=2, random_state=0).fit(*data)
    assert "_shelf" not in vars(model) and "_shelf" not in vars(search.best_estimator_)
    assert clone(search).n_iter == 2


def test_fits_that_fail(data):
    space = {"alpha": [0.1, -1.0]}
    with pytest.warns(Warning, match="failed"):
        search = SharedSearchCV(LassoRegressor(), space, n_iter=2, random_state=0).fit(*data)
    assert search.best_params_ == {"alpha": 0.1}
    with pytest.raises(ValueError, match="alpha"):
        SharedSearchCV(LassoRegressor(), space, n_iter=2, error_score="raise").fit(*data)
    with pytest.raises(ValueError, match="n_iter"):
        SharedSearchCV(LassoRegressor(), space, n_iter=0).fit(*data)
