"""SSSL, LapS3L and LSMR as scikit-learn estimators: checks, errors, degenerate data."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from lapwing import LapS3LRegressor, LSMRRegressor, SSSLRegressor
from lapwing.estimators.recipes.eigen import automatic_components, more_components
from lapwing.exceptions import MemoryLimitWarning
from lapwing.graphs import KNN
from lapwing.metrics import armse_scorer
from lapwing.model_selection import LabeledKFold
from lapwing.problem import Status
from lapwing.regularizers import Laplacian

ESTIMATORS = [SSSLRegressor, LapS3LRegressor, LSMRRegressor]


# The defaults are checked with all other estimators; here another map and solver.
@parametrize_with_checks(
    [LSMRRegressor(feature_map="whitened", solver="cg")],
    expected_failed_checks=lambda _: {
        f"check_sample_weight_equivalence_on_{kind}_data": "repeated rows change the eigenvectors"
        for kind in ("dense", "sparse")
    },
)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("feature_map", ["KU", "whitened"])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "cosine"])
def test_predictions_at_the_training_rows_are_the_transduction(
    problem, estimator, feature_map, kernel
):
    X, y, _ = problem
    model = estimator(kernel=kernel, feature_map=feature_map).fit(X, y)
    np.testing.assert_allclose(model.predict(X), model.transduction_, atol=1e-8)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_precomputed_kernels(problem, estimator):
    X, y, _ = problem
    K = X @ X.T
    given = estimator(kernel="precomputed", n_components=4)
    direct = estimator(kernel="linear", n_components=4)
    if estimator is not SSSLRegressor:  # the neighbor graph sees the kernel's own distances
        np.testing.assert_allclose(
            given.fit(K, y).regularizer_.toarray(), direct.fit(X, y).regularizer_.toarray(),
            atol=1e-6,
        )  # fmt: skip
    np.testing.assert_allclose(
        given.fit(K, y).predict(K[:5]), direct.fit(X, y).predict(X[:5]), atol=1e-5
    )


def test_one_target_as_a_vector(problem):
    X, y, _ = problem
    flat = LSMRRegressor().fit(X, y[:, 0])
    column = LSMRRegressor().fit(X, y[:, :1])
    assert flat.predict(X).shape == (80,)
    np.testing.assert_array_equal(flat.predict(X), column.predict(X)[:, 0])


def test_pipelines_and_searches(problem):
    X, y, _ = problem
    pipeline = make_pipeline(StandardScaler(), LSMRRegressor(regularizer=Laplacian(KNN())))
    grid = {
        "lsmrregressor__gamma_M": [0.0, 0.1],
        "lsmrregressor__regularizer__graph__n_neighbors": [3, 6],
    }
    cv = LabeledKFold(3, random_state=0)
    search = GridSearchCV(pipeline, grid, scoring=armse_scorer, cv=cv).fit(X, y)
    assert search.best_params_.keys() == grid.keys()


def test_unlabeled_points_help_on_a_curve():
    """A target that varies along a spiral, ten labels: smoothness along it beats SSSL alone."""
    t = np.linspace(1, 4 * np.pi, 300)
    X = np.column_stack([t * np.cos(t), t * np.sin(t)])
    Y = np.column_stack([t, 2 * t + 1])
    y = np.full_like(Y, np.nan)
    y[::33] = Y[::33]
    errors = [
        np.abs(m.fit(X, y).transduction_ - Y).mean()
        for m in (
            SSSLRegressor(n_components=300),
            LSMRRegressor(n_components=300, regularizer=Laplacian(KNN(2, weight="binary"))),
        )
    ]
    assert errors[1] < 0.2 * errors[0]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_degenerate_data(estimator):
    two = np.array([[0.0], [1.0]])
    y = np.array([[1.0, np.nan], [np.nan, 5.0]])
    model = estimator().fit(two, y)
    assert np.isfinite(model.predict(two)).all()
    same = np.ones((6, 2))  # all points equal: K has rank one, the mean is predicted
    target = np.array([1.0, 2.0, 3.0, np.nan, np.nan, np.nan])
    for kernel in ("rbf", "linear", "cosine"):
        model = estimator(kernel=kernel).fit(same, target)
        np.testing.assert_allclose(model.predict(same), 2.0, atol=1e-8)
        assert model.solution_.status is Status.CONVERGED
    zeros = estimator(kernel="linear").fit(np.zeros((6, 2)), target)  # K = 0: no feature at all
    assert zeros.n_components_ == 0
    np.testing.assert_allclose(zeros.predict(np.zeros((2, 2))), 2.0)
    X = np.random.default_rng(0).normal(size=(30, 2))
    constant = np.column_stack([np.full(30, 7.0), X[:, 0]])  # a constant target is isolated
    fitted = estimator(kernel="linear").fit(X, constant)
    np.testing.assert_allclose(fitted.predict(X)[:, 0], 7.0, atol=1e-8)
    duplicated = estimator().fit(np.repeat(X, 3, axis=0), np.repeat(constant, 3, axis=0))
    assert duplicated.solution_.optimality < 1e-8


@pytest.mark.parametrize("fewer", [400, 100])
def test_a_search_over_fewer_labels_compares_the_same_shares(fewer):
    """A search sees at most 400 labels. Half of the rule there must be half of it in the fit."""
    compared = more_components(1000)
    assert len(compared) == 4
    shares = {automatic_components(1000, w) / 100: automatic_components(fewer, w) / (fewer // 10)
              for w in compared}  # fmt: skip
    assert set(shares) == {0.5, 1.0, 2.0, 4.0}
    assert all(share == own for share, own in shares.items())


def test_components_as_multiples_of_the_rule(problem):
    X, y, _ = problem
    sizes = [
        SSSLRegressor(kernel="rbf", n_components=given).fit(X, y).n_components_
        for given in ("rule", "0.5*rule", "2*rule")
    ]
    assert sizes == [sizes[0], sizes[0] // 2, 2 * sizes[0]]
    for given in ("0*rule", "-1*rule", "many"):
        with pytest.raises(ValueError, match="n_components"):
            SSSLRegressor(n_components=given).fit(X, y)


@pytest.mark.parametrize("scale", [1e-8, 1e8])
@pytest.mark.parametrize("feature_map", ["KU", "whitened"])
def test_huge_and_tiny_scales(problem, scale, feature_map):
    X, y, _ = problem
    model = LSMRRegressor(feature_map=feature_map)
    base = model.fit(X, y).transduction_
    np.testing.assert_allclose(model.fit(scale * X, y).transduction_, base, atol=1e-5)
    np.testing.assert_allclose(
        model.fit(X, scale * y).transduction_ / scale, base, atol=1e-6, rtol=1e-6
    )


@pytest.mark.parametrize(
    "params, error, message",
    [
        ({"gamma_I": -1.0}, ValueError, "gamma_I"),
        ({"gamma_M": "x"}, ValueError, "gamma_M"),
        ({"gamma_M": np.nan}, ValueError, "gamma_M"),
        ({"n_components": 0}, ValueError, "n_components"),
        ({"n_components": 2.5}, ValueError, "n_components"),
        ({"feature_map": "UK"}, ValueError, "feature_map"),
        ({"solver": "sylvester"}, ValueError, "solver"),
        ({"rank_tol": 2.0}, ValueError, "rank_tol"),
        ({"tol": 0.0}, ValueError, "tol"),
        ({"label_graph": "cosine"}, ValueError, "label_graph"),
        ({"label_graph": np.ones((2, 2))}, ValueError, "one row and column per target"),
        ({"label_graph": -np.ones((3, 3))}, ValueError, "non-negative"),
        ({"label_graph": np.triu(np.ones((3, 3)))}, ValueError, "symmetric"),
        ({"kernel": lambda X, Z: -(X @ Z.T)}, ValueError, "semi-definite"),
    ],
)
def test_bad_parameters(problem, params, error, message):
    X, y, _ = problem
    with pytest.raises(error, match=message):
        LSMRRegressor(**params).fit(X, y)


def test_without_the_memory_for_the_gram_matrix(problem, monkeypatch):
    X, y, _ = problem
    base = LSMRRegressor(n_components=4).fit(X, y).transduction_
    monkeypatch.setattr("lapwing.estimators.recipes.eigen.available_bytes", lambda: 1000)
    with pytest.warns(MemoryLimitWarning, match="blocks"):
        blocked = LSMRRegressor(n_components=4).fit(X, y)
    np.testing.assert_allclose(blocked.transduction_, base, atol=1e-7)
    with pytest.raises(MemoryError, match="n_components below 5"):
        LSMRRegressor(n_components=20).fit(X, y)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_bad_data(problem, estimator):
    X, y, _ = problem
    with pytest.raises(ValueError, match="No row of y is labeled"):
        estimator().fit(X, np.full_like(y, np.nan))
    with pytest.raises(ValueError, match="rows"):
        estimator().fit(X, y[:5])
    with pytest.raises(ValueError, match="no observed entry"):
        estimator().fit(X, np.column_stack([y, np.full(80, np.nan)]))
