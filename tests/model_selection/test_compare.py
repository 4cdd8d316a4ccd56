"""Did the unlabeled points help?"""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import lapwing
from lapwing import CoRLSClassifier, LapRLSClassifier, LapRLSRegressor, LapSVC
from lapwing.comparison import Comparison
from lapwing.comparison.alternatives import _splits, alternatives
from lapwing.comparison.kinds import folds_of, kind_of
from lapwing.confidence import in_folds
from lapwing.datasets import make_two_moons
from lapwing.exceptions import ManifoldAssumptionWarning
from lapwing.graphs import KNN, Given
from lapwing.inspection import ComparisonDisplay
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from problems import BY_RULE

X, Y, TRUTH = make_two_moons(150, labels_per_class=5, random_state=1)
RULE = BY_RULE | {"kernel": RBF(0.3)}
MODEL = LapRLSClassifier(**RULE)


def test_losses_are_those_of_refits_without_the_label():
    found = lapwing.compare(MODEL, X, Y)
    rows = np.flatnonzero(Y >= 0)
    for i, row in enumerate(rows):
        y = Y.copy()
        y[row] = -1
        ours = MODEL.fit(X, y).transduction_[row] != Y[row]
        limit = LapRLSClassifier(**RULE | {"gamma_I": 0.0}).fit(X, y).transduction_[row]
        kept = rows[rows != row]
        nearest = KNeighborsClassifier(1).fit(X[kept], Y[kept]).predict(X[[row]])[0]
        assert found.losses[Comparison.OURS][i] == ours
        assert found.losses[Comparison.LIMIT][i] == (limit != Y[row])
        assert found.losses["nearest neighbor"][i] == (nearest != Y[row])


def test_label_sensitivity_is_that_of_refits():
    found = lapwing.compare(MODEL, X, Y)
    before = MODEL.fit(X, Y).transduction_
    for row, changed in zip(found.label_rows, found.label_sensitivity, strict=True):
        y = Y.copy()
        y[row] = -1
        assert changed == pytest.approx(np.mean(MODEL.fit(X, y).transduction_ != before))


def test_moons_are_helped_and_shuffled_labels_are_not():
    helped = lapwing.compare(MODEL, X, Y)
    assert helped.homophily > 0.8 > helped.chance and not helped.doubtful
    rng = np.random.default_rng(0)
    y = np.full(150, -1)
    y[:60] = rng.integers(0, 2, 60)
    y[:30] = [0, 1] * 15
    points = rng.uniform(size=(150, 2))
    order = np.argsort(points[:60, 0])
    y[order] = np.arange(60) % 2  # neighbors always differ along the first axis
    with pytest.warns(ManifoldAssumptionWarning):
        lapwing.compare(LapRLSClassifier(**BY_RULE), points[:, :1], y)


def test_paired_gain_and_verdicts():
    ours, other = np.array([0.0, 0, 0, 1]), np.array([1.0, 1, 1, 1])
    found = Comparison({Comparison.OURS: ours, "SVC": other}, 0.9, 0.5, 0, 0.0, ours, ours)
    assert_allclose(found.gain("SVC"), [0.75, 0.25])
    assert found.verdict.startswith("The model is better") and not found.doubtful
    assert found.verdict.endswith("and the model uses no graph.")  # it has no limit without one
    with_limit = {Comparison.OURS: ours, Comparison.LIMIT: other}
    found = Comparison(with_limit, 0.9, 0.5, 0, 0.0, ours, ours)
    assert "helped" in found.verdict and "no graph" not in found.verdict
    with_limit = {Comparison.OURS: other, Comparison.LIMIT: ours}
    worse = Comparison(with_limit, 0.4, 0.5, 0, 0.0, ours, ours)
    assert "misled" in worse.verdict and "by chance" in worse.verdict and worse.doubtful
    equal = Comparison({Comparison.OURS: ours, "SVC": ours}, 0.9, 0.5, 0, 0.0, ours, ours)
    assert "No difference" in equal.verdict


def test_what_allows_for_the_choice_of_settings_decides_no_verdict():
    """It is expected and was not seen: all labels are answered alike, and it is the difference."""
    other, added = np.array([0.0, 1.0] * 10), np.full(20, 0.03)
    losses = {Comparison.OURS: other + added, "SVC": other}
    rest = (0.9, 0.5, 0, 0.0, other, other, "labeled rows")
    assert "The model is worse" in Comparison(losses, *rest).verdict
    assert "No difference" in Comparison(losses, *rest, {Comparison.OURS: added}).verdict
    limit = {Comparison.OURS: other, Comparison.LIMIT: other + added}
    assert "helped" in Comparison(limit, *rest).verdict
    assert "No difference" in Comparison(limit, *rest, {Comparison.LIMIT: added}).verdict
    seen = {Comparison.OURS: other + added, "SVC": np.zeros(20)}
    assert "The model is worse" in Comparison(seen, *rest, {Comparison.OURS: added}).verdict


def test_a_difference_that_does_not_show_is_none():
    ours, other = np.full(8, 2e-5), np.full(8, 1e-5)
    found = Comparison({Comparison.OURS: ours, "SVR": other}, 0.9, 0.5, 0, 0.0, ours, ours)
    assert found.verdict.startswith("No difference")
    assert not found.doubtful


def test_many_labels_are_left_out_in_folds_once_each():
    y = np.where(np.arange(150) < 60, TRUTH, -1)
    found = lapwing.compare(LapSVC(**RULE), X, y)
    assert {len(v) for v in found.losses.values()} == {60}
    assert "± " in str(found) and str(found).endswith(found.verdict)


@pytest.mark.parametrize("seed", [3, 7, 19])
def test_labels_by_coins_cost_no_more_than_a_guess_and_no_less_than_nothing(seed):
    """Balanced coins: settings chosen without a label answer it worse than by guessing."""
    rng = np.random.default_rng(seed)
    y = np.full(120, -1)
    y[:40] = rng.permutation(np.arange(40) % 2)
    points, model = rng.standard_normal((120, 5)), LapRLSClassifier()
    found = lapwing.compare(model, points, y)
    objective = model.fit(points, y).objective_
    kind = kind_of(model)
    plain = kind.loss(in_folds(objective, folds_of(kind, np.arange(40)))).mean()
    ours = found.losses[Comparison.OURS]
    assert ours.min() >= 0.0
    assert ours.mean() <= max(plain, 0.5) + 1e-12
    assert "misled" not in found.verdict and "worse" not in found.verdict


def test_an_alternative_has_the_settings_that_cross_validation_prefers():
    rng = np.random.default_rng(0)
    points = np.c_[rng.standard_normal(60), 1000.0 * rng.standard_normal(60)]
    y = (points[:, 0] > 0).astype(float)  # only columns in their own units tell
    svc = alternatives(kind_of(MODEL.fit(X, Y)))[0]
    scale = StandardScaler(with_mean=False)
    grid = {"standardscaler": ["passthrough", scale], "svc__C": list(svc.sizes)}
    search = GridSearchCV(make_pipeline(scale, SVC()), grid, cv=3).fit(points, y)
    found = svc.fitted(points, y, np.arange(60))
    assert search.best_params_["svc__C"] == found[-1].C
    assert isinstance(found[0], StandardScaler)


def test_regression_frames_and_views():
    t = np.linspace(0, 6, 90)
    target = np.where(np.arange(90) % 4 == 0, np.sin(t), np.nan)
    frame = pd.DataFrame({"t": t})
    found = lapwing.compare(LapRLSRegressor(**BY_RULE), frame, pd.Series(target))
    assert found.means[Comparison.OURS][0] < 0.05 and found.homophily > 0.9
    views = [("a", "rbf", [0]), ("b", "rbf", [1])]
    coupled = lapwing.compare(CoRLSClassifier(views), X, Y)
    assert Comparison.LIMIT in coupled.losses and "SVC" in coupled.losses
    lacking = X.copy()
    lacking[0, 0] = np.nan
    assert "SVC" not in lapwing.compare(CoRLSClassifier(views), lacking, Y).losses
    few = np.full(150, -1)
    few[[0, 149]] = [0, 1]
    with pytest.raises(ValueError, match="at least 4"):
        lapwing.compare(MODEL, X, few)


def test_the_picture_shows_the_table():
    found = lapwing.compare(MODEL, X, Y)
    display = ComparisonDisplay.from_comparison(found).plot()
    assert [t.get_text() for t in display.ax_.get_yticklabels()] == list(found.losses)
    widths = [bar.get_width() for bar in display.bars_]
    assert_allclose(widths, [m for m, _ in found.means.values()])


def test_a_model_without_a_graph_is_not_called_semi_supervised():
    X, y, _ = make_two_moons(80, labels_per_class=6, random_state=0)
    text = str(lapwing.compare(LapRLSClassifier(kernel="rbf", gamma_A="rule", gamma_I=0.0), X, y))
    assert "semi-supervised" not in text and "supervised, as chosen" in text
    assert "no graph is used" in text and "nan" not in text


def test_a_matrix_over_the_rows_is_compared_as_the_graph_it_came_from():
    """No row can be left out of a given matrix: that one question is not asked."""
    graph = Laplacian(KNN(6))
    typed = lapwing.compare(LapRLSClassifier(**RULE | {"regularizer": graph}), X, Y)
    built = KNN(6).build(X)
    for same in (graph.build(X).toarray(), *(Laplacian(Given(W)) for W in (built, built.W))):
        found = lapwing.compare(LapRLSClassifier(**RULE | {"regularizer": same}), X, Y)
        for name, losses in typed.losses.items():
            assert_allclose(found.losses[name], losses)
        assert np.isnan(found.graph_sensitivity) and not np.isnan(typed.graph_sensitivity)
        assert "fifth" not in str(found) and "without one label" in str(found)
    assert "fifth" in str(typed)


def persons(seed=0, n_persons=24, copies=4):
    """Rows of a person are nearly copies; the class of a person is a coin."""
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(n_persons), copies)
    kind = rng.permutation(np.arange(n_persons) % 2)
    points = rng.standard_normal((n_persons, 3))[person]
    return points + 1e-3 * rng.standard_normal(points.shape), kind[person], person


def test_groups_are_left_out_together_by_every_method():
    points, y, person = persons()
    found = lapwing.compare(MODEL, points, y, groups=person)
    losses = {name: np.empty(24) for name in (Comparison.OURS, "nearest neighbor")}
    for g in range(24):
        here = person == g
        nearest = KNeighborsClassifier(1).fit(points[~here], y[~here])
        losses["nearest neighbor"][g] = np.mean(nearest.predict(points[here]) != y[here])
        ours = MODEL.fit(points, np.where(here, -1, y)).transduction_[here]
        losses[Comparison.OURS][g] = np.mean(ours != y[here])
    for name, expected in losses.items():
        assert_allclose(found.losses[name], expected)
    assert str(found).startswith("loss at 24 groups of labeled rows, each without its labels")


@pytest.mark.filterwarnings("ignore::lapwing.exceptions.ManifoldAssumptionWarning")
def test_copies_of_coins_look_right_unless_groups_are_told():
    points, y, person = persons(n_persons=40)
    plain = lapwing.compare(LapRLSClassifier(), points, y)
    grouped = lapwing.compare(LapRLSClassifier(), points, y, groups=[f"p{i}" for i in person])
    for name in plain.losses.keys() & grouped.losses.keys():
        assert plain.means[name][0] < 0.25 and grouped.means[name][0] > 0.3, name
        assert len(grouped.losses[name]) == 40
    assert "helped" not in grouped.verdict
    plain = lapwing.compare(MODEL, points, y)
    grouped = lapwing.compare(MODEL, points, y, groups=person)
    assert plain.homophily > 0.9 > 0.8 > grouped.homophily


def test_groups_of_regressions_and_alternatives_that_choose_by_groups():
    points, _, person = persons(n_persons=12)
    rng = np.random.default_rng(1)
    target = points[:, 0] + 2.0 * rng.standard_normal(12)[person]
    found = lapwing.compare(LapRLSRegressor(**BY_RULE), points, target, groups=person)
    assert len(found.losses["SVR"]) == 12 and found.means["SVR"][0] > 0.3
    svc = alternatives(kind_of(MODEL.fit(X, Y)))[0]
    y, own = np.repeat([0.0, 1.0], 24), np.repeat(np.arange(16), 3)
    splits = list(_splits(y, own, True))
    assert len(splits) > 1
    for train, test in splits:
        assert not np.intersect1d(own[train], own[test]).size
    assert not _splits(y, np.arange(48) // 12, True)  # two groups of each class
    assert isinstance(svc.fitted(points, y, own), (SVC, Pipeline))


def test_groups_are_told_where_there_are_too_few():
    points, y, person = persons(n_persons=3)
    with pytest.raises(ValueError, match="at least 4 groups of labeled rows, got 3"):
        lapwing.compare(MODEL, points, y, groups=person)
    with pytest.raises(ValueError, match="one group per row"):
        lapwing.compare(MODEL, points, y, groups=person[:-1])
