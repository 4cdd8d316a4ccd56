"""Probabilities of models with several views at rows that were not in the fit."""

import numpy as np
import pytest

from lapwing import CoMRClassifier, CoRLSClassifier, LapRLSClassifier
from lapwing.confidence.nearby import nearby
from lapwing.confidence.scores import between_rows
from lapwing.kernels import RBF
from lapwing.spaces import scalar

VIEWS = [("a", RBF(1.5), slice(0, 3)), ("b", RBF(2.0), slice(3, 7))]
GIVEN = {"gamma_A": "rule", "gamma_C": "rule", "fit_intercept": True}


def nuisance(seed, n=500):
    """Three classes in three columns, and twelve columns of noise; 15 labels."""
    rng = np.random.default_rng(seed)
    truth, centers = rng.integers(0, 3, n), rng.standard_normal((3, 3)) * 2.5
    X = np.hstack([centers[truth] + rng.standard_normal((n, 3)), rng.standard_normal((n, 12))])
    y = np.full(n, -1)
    for c in range(3):
        y[np.flatnonzero(truth[:200] == c)[:5]] = c
    return X, y, truth


def test_nearest_rows_interpolate():
    """All other rows: f_j − (K⁻¹f)_j/(K⁻¹)_jj. A few of them: nearly the same."""
    rng = np.random.default_rng(0)
    X, f = rng.uniform(0, 1, (60, 2)), rng.standard_normal(60)
    kernel = RBF(0.2).build(X)
    inverse = np.linalg.inv(kernel(X) + 1e-3 * np.eye(60))
    exact = f - inverse @ f / inverse.diagonal()
    near, weights, _ = nearby(kernel, X, X, 59, 1e-3, np.arange(60))
    np.testing.assert_allclose((weights * f[near]).sum(axis=1), exact, atol=1e-8)
    near, weights, _ = nearby(kernel, X, X, 40, 1e-3, np.arange(60))
    assert np.corrcoef((weights * f[near]).sum(axis=1), exact)[0, 1] > 0.99
    assert not (near == np.arange(60)[:, None]).any()


@pytest.mark.parametrize("lacking", [False, True])
@pytest.mark.parametrize("kind", [CoRLSClassifier, CoMRClassifier])
def test_each_view_is_left_without_the_row(kind, lacking):
    X, y, _ = nuisance(0)
    X, y = X[:90, :7].copy(), y[:90]
    y[[2, 3, 4, 60, 61]] = [0, 1, 2, 0, 1]
    if lacking:
        X[30:50, :3], X[70:75, 3:] = np.nan, np.nan
    model = kind(VIEWS, **GIVEN).fit(X, y)
    found, fit, _ = between_rows(model.objective_, model.solution_)
    free = np.flatnonzero(y < 0)
    np.testing.assert_allclose(fit, model.decision_function(X)[free], atol=1e-8)
    views, expected = scalar(model.objective_.space).covariance.space, model.decision_function(X)
    values = views.evaluate_views(views.points, model.coef_)
    for j, (space, rows) in enumerate(zip(views.spaces, views.rows, strict=True)):
        K = space.covariance.between(space.covariance.points)
        inverse = np.linalg.inv(K + 1e-6 * np.eye(len(K)))
        left = inverse @ values[j] / inverse.diagonal()[:, None]
        expected[rows] -= views.weights[rows, j, None] * left
    np.testing.assert_allclose(found, expected[free], atol=1e-5)


def test_new_rows_of_views_are_as_sure_as_they_are_right():
    """Nuisance columns: the functions bend to single rows, and new rows are right less often."""
    gaps, before = [], []
    for seed in range(6):
        X, y, truth = nuisance(seed)
        views = [("a", "rbf", [0, 3, 4, 5, 6, 7]), ("b", "rbf", [1, 2, *range(8, 15)])]
        model = CoMRClassifier(views, gamma_I="10*rule", **GIVEN).fit(X[:200], y[:200])
        p, new = model.predict_proba(X[200:]), truth[200:]
        right = np.mean(model.classes_[p.argmax(axis=1)] == new)
        np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X[200:]))
        plain = model.diagnostics().temperature.predict(model.decision_function(X[200:]))
        gaps.append(p.max(axis=1).mean() - right)
        before.append(plain.max(axis=1).mean() - right)
    assert abs(np.mean(gaps)) < 0.06 < np.mean(before)


def test_training_rows_are_recognized_among_rows_that_lack_views():
    X, y, _ = nuisance(1)
    X = X[:, :7].copy()
    X[20:40, :3] = np.nan
    model = CoRLSClassifier(VIEWS, **GIVEN).fit(X[:200], y[:200])
    own = model.diagnostics().temperature.predict(model.decision_function(X))
    found = model.predict_proba(X)
    np.testing.assert_allclose(found[:200], own[:200], atol=1e-9)
    assert np.abs(found[200:] - own[200:]).max() > 1e-4
    np.testing.assert_allclose(found[150:250], model.predict_proba(X[150:250]), atol=1e-9)


def test_exact_fits_of_one_kernel_are_left_without_the_row_too():
    X, y, _ = nuisance(2)
    given = {"kernel": RBF(2.0), "gamma_A": "rule", "gamma_I": "rule", "space": "exact"}
    model = LapRLSClassifier(fit_intercept=True, **given).fit(X[:110], y[:110])
    found, fit, known = between_rows(model.objective_, model.solution_)
    inverse = np.linalg.inv(model.kernel_(X[:110]) + 1e-6 * np.eye(110))
    left = inverse @ (model.decision_function(X[:110]) - model.intercept_)
    free = np.flatnonzero(y[:110] < 0)
    np.testing.assert_allclose(found, fit - (left / inverse.diagonal()[:, None])[free], atol=1e-5)
    np.testing.assert_array_equal(known.find(X[108:112]), [108, 109, -1, -1])
