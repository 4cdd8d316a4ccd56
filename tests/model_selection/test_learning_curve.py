"""Learning curves over labeled and unlabeled rows: who is fitted, who is scored."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyRegressor
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lapwing import LapRLSClassifier, LapRLSRegressor, VectorValuedClassifier
from lapwing.comparison import learning_curve
from lapwing.datasets import make_two_moons
from lapwing.graphs import KNN
from lapwing.inspection import LearningCurveDisplay
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from problems import BY_RULE

X, _, TRUTH = make_two_moons(120, labels_per_class=2, random_state=0)
SEEN: list = []


class Watcher(ClassifierMixin, BaseEstimator):
    """Remembers what it was fitted with."""

    def fit(self, X, y):
        SEEN.append((np.asarray(X)[:, 0].copy(), np.asarray(y).copy()))
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def test_rows_are_nested_unseen_rows_stay_unseen_and_classes_take_turns():
    SEEN.clear()
    curve = learning_curve(Watcher(), X, TRUTH, n_labeled=[2, 6, 20], n_repeats=2)
    assert curve.n_labeled.tolist() == [2, 6, 20] and curve.n_unlabeled.tolist() == [88, 84, 70]
    for repeat in range(2):
        fits = SEEN[3 * repeat : 3 * repeat + 3]
        assert all((rows == fits[0][0]).all() for rows, _ in fits)  # the same 90 rows
        labeled = [set(rows[y >= 0]) for rows, y in fits]
        assert labeled[0] < labeled[1] < labeled[2]
        assert all(abs(np.sum(y == 0) - np.sum(y == 1)) <= 1 for _, y in fits)
        unseen = np.setdiff1d(X[:, 0], fits[0][0])
        at = np.isin(X[:, 0], unseen)
        assert at.sum() == 30
        assert curve.unseen[0, repeat] == pytest.approx(np.mean(TRUTH[at] == 0))


def test_more_unlabeled_rows_help_on_the_moons():
    geometry = {"kernel": RBF(0.35), "regularizer": Laplacian(KNN(6))}
    model = LapRLSClassifier(**BY_RULE | geometry)
    curve = learning_curve(
        model, X, TRUTH, n_labeled=[4], n_unlabeled=[0, 20, 80], n_repeats=4, random_state=1
    )
    assert np.isnan(curve.transduction[0]).all() and curve.n_unlabeled.tolist() == [0, 20, 80]
    assert curve.unseen[2].mean() > curve.unseen[0].mean()
    same = learning_curve(
        model, X, TRUTH, n_labeled=[4], n_unlabeled=[0, 20, 80], n_repeats=4, random_state=1
    )
    np.testing.assert_array_equal(curve.unseen, same.unseen)
    display = LearningCurveDisplay.from_curve(curve, same, names=["a", "b"]).plot()
    assert display.ax_.get_xlabel() == "unlabeled rows" and len(display.lines_) == 4
    other = learning_curve(model, X, TRUTH, n_labeled=[4], n_repeats=1)
    with pytest.raises(ValueError, match="same sizes"):
        LearningCurveDisplay.from_curve(curve, other)


def test_strings_frames_targets_and_labels():
    names = np.where(TRUTH == 0, "a", "b").astype(object)
    names[:5] = None
    frame = pd.DataFrame(X, columns=["u", "v"])
    curve = learning_curve(LapRLSClassifier(**BY_RULE), frame, names, n_labeled=[10], n_repeats=2)
    assert (curve.unseen > 0.7).all() and curve.n_unlabeled.tolist() == [120 - 29 - 10]
    y = np.where(np.arange(120) < 100, X[:, 0], np.nan)
    curve = learning_curve(
        LapRLSRegressor(**BY_RULE), X, y, n_labeled=[30], n_repeats=2,
        scoring="neg_mean_squared_error",
    )  # fmt: skip
    assert (curve.unseen > -0.1).all()
    labels = np.column_stack([TRUTH, X[:, 0] > 0]).astype(float)
    curve = learning_curve(
        VectorValuedClassifier(**BY_RULE, output_kernel=None), X, labels, n_labeled=[30],
        n_repeats=1,
    )  # fmt: skip
    assert curve.unseen[0, 0] > 0.7


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        ({}, "Give n_labeled"),
        ({"n_labeled": [0]}, "at least 1"),
        ({"n_labeled": [2.5]}, "integers"),
        ({"n_labeled": [91]}, "90 are left"),
        ({"n_labeled": [4, 8], "n_unlabeled": [1]}, "both vary"),
        ({"n_labeled": [4], "n_unlabeled": [87]}, "there are 86"),
        ({"n_labeled": [4], "test_size": 1.0}, "between 0 and 1"),
    ],
)
def test_impossible_sizes_are_refused(sizes, text):
    with pytest.raises(ValueError, match=text):
        learning_curve(clone(Watcher()), X, TRUTH, n_repeats=1, **sizes)


def test_too_few_labels_are_said():
    y = np.full(120, np.nan)
    y[0] = 1.0
    with pytest.raises(ValueError, match="too few"):
        learning_curve(DummyRegressor(), X, y, n_labeled=[1])


class WithGroups(Watcher):
    def fit(self, X, y, groups=None):
        GROUPS.append((np.asarray(y), groups))
        return super().fit(X, y)


GROUPS: list = []


@pytest.mark.parametrize("wrapped", [False, True])
def test_groups_are_set_aside_together_and_reach_the_fit(wrapped):
    groups = np.arange(120) // 6
    model = make_pipeline(StandardScaler(), WithGroups()) if wrapped else WithGroups()
    GROUPS.clear()
    learning_curve(model, X, TRUTH, n_labeled=[4, 30], groups=groups, n_repeats=2)
    for y, given in GROUPS:
        counts = np.unique(given, return_counts=True)[1]
        assert (counts == 6).all() and len(y) <= 120 - 24  # whole groups are set aside


def test_labels_of_a_group_do_not_score_each_other():
    """Rows of a group are copies with a label by coin: others say nothing of them."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 4)
    points, labels = rng.normal(size=(30, 2))[groups], rng.integers(0, 2, 30)[groups]
    model = KNeighborsClassifier(1)
    blind = learning_curve(Known(model), points, labels, n_labeled=[60], n_repeats=8)
    fair = learning_curve(Known(model), points, labels, n_labeled=[60], n_repeats=8, groups=groups)
    assert blind.unseen.mean() > 0.9 and abs(fair.unseen.mean() - 0.5) < 0.2
    assert blind.transduction.mean() > 0.9


class Known(ClassifierMixin, BaseEstimator):
    """A classifier of the labeled rows."""

    def __init__(self, inner):
        self.inner = inner

    def fit(self, X, y):
        self.fitted_ = clone(self.inner).fit(X[y >= 0], y[y >= 0])
        self.classes_ = self.fitted_.classes_
        return self

    def predict(self, X):
        return self.fitted_.predict(X)


@pytest.mark.parametrize("marker", [0, 7])
def test_a_marker_of_the_estimator_is_read(marker):
    y = np.where(np.arange(120) % 3 == 0, marker, 2 * TRUTH - 1)
    model = LapRLSClassifier(
        kernel="rbf", regularizer="laplacian", gamma_A=1e-3, gamma_I=1.0, unlabeled=marker
    )
    curve = learning_curve(model, X, y, n_labeled=[20], n_repeats=2)
    assert curve.n_unlabeled.tolist() == [120 - 20 - 20] and curve.unseen.mean() > 0.8
