"""The default call: what is chosen, why, and that it is right where the answer is known."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import StandardScaler

from lapwing import (
    CoRLSClassifier,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
)
from lapwing.datasets import keep_labels, make_two_moons, make_two_spirals
from lapwing.exceptions import GraphWarning, UnreachedWarning
from lapwing.graphs import KNN
from lapwing.inspection import SelectionDisplay
from lapwing.kernels import RBF, Linear
from lapwing.regularizers import Laplacian
from lapwing.selection import sampled_rows
from lapwing.selection.leave_one_out import refitted_grid

pytestmark = pytest.mark.filterwarnings(f"ignore::{UnreachedWarning.__module__}.UnreachedWarning")
GIVEN = {"kernel": RBF(1.0), "regularizer": Laplacian(KNN(5)), "fit_intercept": False}


def blobs(seed=0, n=80, labeled=24):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    X = rng.normal(size=(n, 3)) + 3.0 * truth[:, None]
    y = np.where(np.arange(n) < labeled, truth, -1)
    return X, y, truth


@pytest.mark.parametrize("model", [LapRLSClassifier(), LapSVC()], ids=["LapRLS", "LapSVM"])
@pytest.mark.parametrize("make", [make_two_moons, make_two_spirals])
def test_curves_with_one_label_each(make, model):
    for seed in range(3):
        X, y, truth = make(random_state=seed)
        assert (clone(model).fit(X, y).transduction_ == truth).all()
        assert clone(model).fit(X, y).selection_.best is None  # nothing could be compared


RECIPE = {"kernel": RBF("local"), "regularizer": Laplacian(KNN())}


@pytest.mark.parametrize(("given", "bound"), [({}, 0.02), (RECIPE, 0.06)])
def test_few_labels_are_not_fitted_by_vertex_degree(given, bound):
    """c√d + b costs nothing under the normalized Laplacian: no intercept by default."""
    X, digit = load_digits(return_X_y=True)
    kept = (digit == 3) | (digit == 8)
    X, truth = X[kept], (digit[kept] == 8).astype(int)
    errors = []
    for seed in range(2):
        y = keep_labels(truth, 2, np.random.RandomState(seed))
        errors.append(np.mean(LapRLSClassifier(**given).fit(X, y).transduction_ != truth))
    assert np.mean(errors) < bound  # 0.175 with an intercept


def test_no_manifold_is_found_out():
    """Uniform points and a linear rule: a graph says nothing, and is not listened to."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (300, 8))
    truth = (X @ rng.standard_normal(8) > 0).astype(int)
    y = np.where(np.arange(300) < 100, truth, -1)
    model = LapRLSClassifier().fit(X, y)
    assert "Linear" in str(model.selection_.choice["kernel"])
    assert model.selection_.best.score < model.selection_.default.score
    assert np.mean(model.transduction_ != truth) < 0.12


def test_columns_of_unequal_scale_are_standardized():
    """Wine: one column holds nearly all the variance, and distances see nothing else."""
    X, truth = load_wine(return_X_y=True)
    y = keep_labels(truth, 5, np.random.RandomState(0))
    model = LapRLSClassifier().fit(X, y)
    assert model.selection_.default.kernel.transformer.get_params() == StandardScaler().get_params()
    assert np.mean(model.transduction_ != truth) < 0.12  # 0.35 as they are
    assert np.array_equal(model.predict(X), model.transduction_)


def test_clusters_in_many_noisy_columns_are_seen_along_leading_components():
    rng = np.random.default_rng(0)
    truth = np.arange(300) % 2
    X = rng.normal(size=(300, 60))
    X[:, 0] += 3.0 * truth
    y = np.where(np.arange(300) < 80, truth, -1)
    model = LapRLSClassifier().fit(X, y)
    leading = [t for t in model.selection_.trials if "PCA" in str(t.kernel)]
    others = [t for t in model.selection_.trials if "PCA" not in str(t.kernel) and t.gamma_I]
    assert min(t.score for t in leading) < min(t.score for t in others)
    assert np.mean(model.transduction_ != truth) < 0.1  # 0.067 by Bayes' rule
    assert np.mean(model.predict(X[::-1]) != truth[::-1]) < 0.1


@pytest.mark.filterwarnings(f"ignore::{GraphWarning.__module__}.GraphWarning")
def test_counts_of_words_take_the_third_power():
    rng = np.random.default_rng(0)
    truth = np.arange(120) % 2
    rates = np.where(np.arange(400) % 2 == truth[:, None], 0.03, 0.01)
    X = sp.csr_array(rng.poisson(rates).astype(float))
    y = np.where(np.arange(120) < 2, truth, -1)
    found = LapRLSClassifier().fit(X, y).selection_
    assert found.best is None
    assert found.choice["regularizer"].degree == 3


def test_another_loss_weighs_gamma_A_by_its_own_leave_one_out(monkeypatch):
    """Half of the prior is with the squared loss: clear losses move γ_A, equal ones do not."""
    X, y, _ = blobs(n=60, labeled=40)
    squared = LapRLSClassifier().fit(X, y).selection_
    for better, moved in ((1, True), (None, False)):

        def refits(loss, K, fit_intercept, Y, w, gammas, groups, better=better):
            return [(0.9 if i == better else -0.2) * Y for i in range(len(gammas))]

        monkeypatch.setattr("lapwing.selection.search.refitted_grid", refits)
        found = LapSVC().fit(X, y).selection_
        assert ("prefers another" in found.reason) is moved
        assert (found.best.gamma_A != squared.best.gamma_A) is moved
        assert found.choice["gamma_A"] == found.best.settings["gamma_A"]


def test_labels_that_are_coins_are_not_answered_better_than_by_a_guess():
    X, y, _ = blobs(n=100, labeled=60)
    y[:60] = np.random.default_rng(3).integers(0, 2, 60)
    found = LapRLSClassifier().fit(X, y).selection_
    assert found.best.score > 0.9 * found.guess


def test_small_components_without_a_label_are_joined_with_the_nearest():
    """Nine rows far away have neighbors of their own only: they take the answer of the nearest."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (200, 2)), rng.normal(8, 0.05, (9, 2))])
    y = np.where(np.arange(209) < 40, X[:, 0] > 0, -1).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnreachedWarning)
        model = LapRLSClassifier(gamma_I="10*rule").fit(X, y)
    assert "Joined(graph=KNN(n_neighbors=6), most=9)" in str(model.selection_.choice["regularizer"])
    assert not model.unreached_.any()
    assert (model.transduction_[200:] == 1).all()
    whole = LapRLSClassifier(gamma_I="10*rule").fit(X[:200], y[:200]).selection_
    assert "Joined" not in str(whole.choice["regularizer"])


def test_the_zero_of_regression_targets_does_not_matter():
    from sklearn.datasets import make_friedman1

    X, truth = make_friedman1(300, noise=1.0, random_state=0)
    y = np.where(np.arange(300) < 60, truth, np.nan)
    celsius, kelvin = (LapRLSRegressor().fit(X, y + shift) for shift in (0.0, 273.15))
    assert str(celsius.selection_.choice) == str(kelvin.selection_.choice)
    np.testing.assert_allclose(kelvin.transduction_ - 273.15, celsius.transduction_, atol=1e-4)


@pytest.mark.parametrize("space", ["exact", "landmarks", "graph"])
def test_the_zero_of_regression_targets_does_not_matter_with_given_parts(space):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 3))
    truth = 1e-4 * (X @ np.array([1.0, -2.0, 0.5]))
    given = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule"}
    y = np.where(np.arange(150) < 40, truth, np.nan)
    here, far = (LapRLSRegressor(**given, space=space).fit(X, y + b) for b in (0.0, 300.0))
    spread = truth.std()
    assert np.std(here.transduction_ - truth) < 0.7 * spread
    np.testing.assert_allclose(far.transduction_ - 300.0, here.transduction_, atol=0.05 * spread)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("model", [LapSVC(), LapLogisticClassifier()], ids=["hinge", "logistic"])
def test_other_losses_are_left_out_by_refits(model, fit_intercept):
    """On l × l: equal to fits of the whole problem with each label hidden."""
    X, y, _ = blobs(n=40, labeled=10)
    given = {"gamma_A": 1e-3, "gamma_I": 0.1, **GIVEN, "fit_intercept": fit_intercept}
    model = clone(model).set_params(**given, tol=1e-10).fit(X, y)
    small = model.objective_.deformation.gram(model.objective_.rows).shared * 1e-3
    objective = model.objective_
    (found,) = refitted_grid(objective.loss, small, fit_intercept, objective.y, objective.w, [1e-3])
    for i in range(0, 10, 3):
        hidden = clone(model).fit(X, np.where(np.arange(40) == i, -1, y))
        assert found[i, 0] == pytest.approx(hidden.decision_function(X)[i], abs=1e-4)


def test_the_choice_can_be_typed():
    X, y, _ = blobs()
    model = LapRLSClassifier().fit(X, y)
    typed = LapRLSClassifier(**model.selection_.choice).fit(X, y)
    assert typed.selection_ is None
    assert np.allclose(typed.decision_function(X), model.decision_function(X))
    assert "Chosen: kernel=" in str(model.selection_)
    assert model.selection_.runner_up.score >= min(t.score for t in model.selection_.trials)


@pytest.mark.parametrize("name", ["kernel", "regularizer", "gamma_A", "gamma_I", "fit_intercept"])
def test_what_is_given_stays(name):
    X, y, _ = blobs()
    given = {
        "kernel": Linear(),
        "regularizer": Laplacian(KNN(4)),
        "gamma_A": 0.3,
        "gamma_I": "0.1*rule",
        "fit_intercept": True,
    }[name]
    model = LapRLSClassifier(**{name: given}).fit(X, y)
    assert model.selection_.choice[name] == given
    if name == "gamma_A":
        assert model.gamma_A_ == 0.3


def test_multiples_of_the_rule():
    X, y, _ = blobs()
    n = len(X)
    for multiple in (1.0, 0.1, 30.0):
        spelled = f"{multiple}*rule"
        model = LapRLSClassifier(**GIVEN, gamma_A=spelled, gamma_I=spelled).fit(X, y)
        assert model.gamma_A_ == pytest.approx(multiple * 1e-6)
        assert model.gamma_I_ == pytest.approx(multiple * 1e-3 * n**2)
    with pytest.raises(ValueError, match=r"0\.1\*rule"):
        LapRLSClassifier(gamma_I="2*auto").fit(X, y)
    with pytest.raises(ValueError, match="must be positive"):
        LapRLSClassifier(gamma_A="0*rule").fit(X, y)


def test_a_nested_grid_needs_the_part_spelled_out():
    with pytest.raises(ValueError, match=r"regularizer=Laplacian\(KNN\(\)\)"):
        LapRLSClassifier().set_params(regularizer__graph__n_neighbors=5)
    model = LapRLSClassifier(regularizer=Laplacian(KNN()))
    assert model.set_params(regularizer__graph__n_neighbors=5).regularizer.graph.n_neighbors == 5


def test_the_sample_keeps_the_labels():
    n = 3000
    codes = np.full(n, -1)
    codes[::50] = np.arange(60) % 3
    rows, kept = sampled_rows((codes >= 0)[:, None] / 60, codes)
    assert len(kept) == 1000 and np.isin(rows, kept).all()
    assert np.array_equal(rows, np.arange(0, n, 50))
    codes[:] = np.arange(n) % 3
    assert len(sampled_rows(np.full((n, 1), 1 / n), codes)[0]) == 400
    assert len(sampled_rows(np.full((n, 1), 1 / n), codes, whole=True)[0]) == n


def test_a_given_matrix_belongs_to_all_rows():
    X, y, _ = blobs(n=60)
    M = Laplacian(KNN(5)).build(X).toarray()
    assert LapRLSClassifier(regularizer=M).fit(X, y).selection_.best is not None


def test_regression_is_chosen_by_squared_errors():
    X = np.linspace(0, 6, 90)[:, None]
    truth = np.sin(X[:, 0]) + 20.0
    y = np.where(np.arange(90) % 6 == 0, truth, np.nan)
    model = LapRLSRegressor().fit(X, y)
    assert np.abs(model.transduction_ - truth).mean() < 0.05


def test_one_line_with_verbose(capsys):
    X, y, _ = blobs()
    LapRLSClassifier(verbose=1).fit(X, y)
    told = capsys.readouterr().err.splitlines()
    assert sum("Your unlabeled rows" in line and "Chosen: kernel=" in line for line in told) == 1


@pytest.mark.parametrize("model", [CoRLSClassifier(verbose=1), LapRLSClassifier(verbose=1)])
def test_verbose_tells_the_stages_before_the_choice(model, capsys):
    X, y, _ = blobs()
    model.fit(X, y)
    told = capsys.readouterr().err.splitlines()
    chosen = next(i for i, line in enumerate(told) if "Chosen:" in line)
    assert sum("comparing" in line and "leave-one-out" in line for line in told[:chosen]) >= 1


def test_display():
    pytest.importorskip("matplotlib").use("Agg")
    X, y, _ = blobs()
    model = LapRLSClassifier().fit(X, y)
    display = SelectionDisplay.from_estimator(model).plot()
    assert display.ax_.get_xlabel() == "γ_I / rule"
    best = model.selection_.best
    at = np.argwhere(display.score == best.score)
    assert any(
        (display.gamma_A[i], display.gamma_I[j]) == (best.gamma_A, best.gamma_I) for i, j in at
    )
    with pytest.raises(ValueError, match="compared nothing"):
        SelectionDisplay.from_estimator(LapRLSClassifier(**model.selection_.choice).fit(X, y))


def test_the_narrow_kernel_is_compared_with_graphs_only():
    X, y, _ = make_two_moons(100, labels_per_class=10, random_state=0)
    found = LapRLSClassifier().fit(X, y).selection_
    narrow = {t.gamma_I > 0 for t in found.trials if "local" in str(t.settings["kernel"])}
    assert narrow == {True}
    alone = found.gamma_I == 0
    assert alone.any() and not alone.all()
