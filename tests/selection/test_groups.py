"""Rows of one group are left out together: where settings are chosen, and in what labels tell."""

import numpy as np
import pytest

from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC, VectorValuedRegressor
from lapwing.kernels import RBF
from lapwing.linalg.labeled import Labeled
from lapwing.selection import tell
from lapwing.selection.nested import held_without

GIVEN = {"kernel": RBF(1.0), "regularizer": "laplacian", "gamma_A": 1e-2, "gamma_I": 1e-2}


def persons(seed=0, copies=6, n_persons=30, n_classes=2):
    """Rows of one person are nearly copies; a line tells the classes of persons, but for a few."""
    rng = np.random.default_rng(seed)
    place = rng.standard_normal((n_persons, 2))
    kind = (place[:, 0] > 0).astype(int) if n_classes else place[:, 0]
    flipped = rng.random(n_persons) < 0.25
    kind = np.where(flipped, 1 - kind, kind) if n_classes else kind + rng.standard_normal(n_persons)
    person = np.repeat(np.arange(n_persons), copies)
    X = place[person] + 0.01 * rng.standard_normal((len(person), 2))
    return X, kind[person], person


def loo_by_refits(model, X, y, groups):
    """What fits without the labels of each group say of its rows."""
    out = np.full(len(y), np.nan)
    for g in np.unique(groups):
        rest = np.where(groups == g, np.nan, y.astype(float))
        found = model.fit(X, rest)
        out[groups == g] = found.predict(X)[groups == g]
    return out


@pytest.mark.parametrize("intercept", [False, True])
def test_left_out_groups_are_refits_without_them(intercept):
    X, y, person = persons(n_persons=8, copies=3, n_classes=0)
    groups = np.where(person < 2, 0, person)  # of unequal sizes
    model = LapRLSRegressor(**GIVEN, fit_intercept=intercept)
    expected = loo_by_refits(model, X, y, groups)
    found = model.fit(X, y, groups=groups).leave_one_out_
    np.testing.assert_allclose(np.ravel(found), expected, atol=1e-6)
    plain = np.ravel(model.fit(X, y).leave_one_out_)
    assert np.abs(plain - expected).max() > 0.1


def test_left_out_groups_of_other_losses_and_coupled_outputs_are_refits_too():
    X, y, person = persons(n_persons=8, copies=2)
    model = LapSVC(**GIVEN, fit_intercept=False, tol=1e-8)
    found = model.fit(X, y, groups=person).leave_one_out_
    for g in (0, 5):
        without = np.where(person == g, -1, y)
        scores = model.fit(X, without).decision_function(X)[person == g]
        np.testing.assert_allclose(np.ravel(found)[person == g], scores, atol=1e-4)
    Y = np.column_stack([X[:, 0], X[:, 0] + X[:, 1]])
    Y[3, 1] = np.nan  # pairs of row and output
    model = VectorValuedRegressor(output_kernel=np.array([[1.0, 0.5], [0.5, 1.0]]), **GIVEN)
    found = np.asarray(model.fit(X, Y, groups=person).leave_one_out_)
    rest = np.where((person == 2)[:, None], np.nan, Y)
    expected = np.asarray(model.fit(X, rest).predict(X))[person == 2]
    np.testing.assert_allclose(found[person == 2], expected, atol=1e-6)


def test_without_groups_every_row_is_one():
    X, y, _ = persons(n_persons=10)
    alone = LapRLSClassifier(**GIVEN).fit(X, y, groups=np.arange(len(y)))
    plain = LapRLSClassifier(**GIVEN).fit(X, y)
    np.testing.assert_array_equal(alone.leave_one_out_, plain.leave_one_out_)
    assert alone.leave_one_out_interval_ == plain.leave_one_out_interval_


def test_copies_make_plain_leave_one_out_choose_what_overfits():
    """Nearly equal rows of a person tell each other's label: fits through all labels seem best.

    New persons are answered worse than is expected then; whoever leaves persons out sees so.
    """
    wrong = []
    for seed in range(4):
        X, y, person = persons(seed, n_persons=75)
        told = np.where(person < 60, y, -1)
        plain, grouped = (
            LapRLSClassifier(gamma_I=0.0).fit(X, told, groups=groups) for groups in (None, person)
        )
        assert plain.selection_.best.losses.mean() < 0.3  # it believes its copies
        assert plain.leave_one_out_error_ < 0.1 < grouped.leave_one_out_error_
        new, answers, _ = persons(seed + 100, copies=1, n_persons=2000)
        wrong.append([np.mean(model.predict(new) != answers) for model in (plain, grouped)])
        low, high = grouped.leave_one_out_interval_
        assert low < wrong[-1][1] < high and wrong[-1][0] > plain.leave_one_out_interval_[1]
    assert np.diff(np.mean(wrong, axis=0)) < -0.01


def test_grouped_copies_count_as_the_rows_they_are_copies_of():
    """The loss is a mean: copies change nothing where they leave together and count once."""
    X, y, _ = persons(copies=1)
    person = np.repeat(np.arange(len(y)), 5)
    chosen = [
        LapRLSClassifier(gamma_I=0.0, kernel=RBF(2.0), fit_intercept=True).fit(*rows, groups=groups)
        for rows, groups in (((X, y), None), ((X[person], y[person]), person))
    ]
    one, five = (model.selection_ for model in chosen)
    assert one.choice["gamma_A"] == five.choice["gamma_A"]
    np.testing.assert_allclose(one.weights, five.weights, atol=2e-3)  # doubt is per row
    once, often = (model.leave_one_out_interval_ for model in chosen)
    np.testing.assert_allclose(once, often, atol=1e-3)


def test_one_group_of_all_labels_leaves_the_default():
    X, y, person = persons()
    told = np.where(person < 10, y, -1)
    model = LapRLSClassifier().fit(X, told, groups=np.zeros(len(y)))
    assert "default" in model.selection_.reason and np.isnan(model.leave_one_out_error_)
    assert np.isnan(model.leave_one_out_).all()


def test_groups_may_be_names_and_missing_ones_are_rows_alone():
    X, y, person = persons(n_persons=6, copies=2)
    names = np.array([f"p{i}" for i in person], dtype=object)
    names[person == 0] = None
    numbers = person + 100
    numbers[:2] = 0, 1
    by_name, by_number = (
        LapRLSClassifier(**GIVEN).fit(X, y, groups=g).leave_one_out_ for g in (names, numbers)
    )
    np.testing.assert_array_equal(by_name, by_number)
    with pytest.raises(ValueError, match="one group per row"):
        LapRLSClassifier(**GIVEN).fit(X, y, groups=names[:-1])


def test_warm_starts_choose_anew_for_other_groups():
    X, y, person = persons(n_persons=12)
    model = LapRLSClassifier(warm_start=True, gamma_I=0.0)
    first = model.fit(X, y, groups=person).selection_
    assert model.fit(X, y, groups=person).selection_ is first
    assert model.fit(X, y).selection_ is not first


@pytest.mark.parametrize("free", [False, True])
def test_two_groups_leave_as_if_they_had_never_been_there(free):
    rng = np.random.default_rng(0)
    l, A = 12, rng.standard_normal((12, 20))
    K, Y, group = A @ A.T, rng.standard_normal((12, 2)), np.arange(12) // 3
    E = np.ones((l, 1)) if free else None
    gone = np.array([[0, 1, 2], [3, 4, 5]])
    found = held_without(Labeled(K, np.full(l, 1 / l), E), Y, 0.7, gone, group, 0.5)
    for out, held in zip(gone, found, strict=True):
        rest = np.setdiff1d(np.arange(l), out)
        w = np.full(len(rest), 1 / len(rest))
        few = Labeled(K[np.ix_(rest, rest)] / 0.7, w, None if E is None else E[rest])
        left = np.full(len(rest), 1.0 - 3 / len(rest))
        expected = few.leave_one_out_grid(Y[rest], [1.0], left, group[rest])[0]
        np.testing.assert_allclose(held[rest], expected, rtol=1e-8, atol=1e-10)


def test_what_tells_something_once_it_is_left_out():
    codes, groups = np.array([0, 0, 1, 1, 2]), np.array([0, 0, 1, 2, 3])
    assert tell(codes, groups).tolist() == [False, False, True, True, False]
    assert not tell(codes, groups, np.array([True, True, True, False, True])).any()


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_where_nothing_is_left_to_ask_the_prior_answers():
    """Two groups: without one of them the labels of the other tell nothing."""
    X, y, person = persons(n_persons=12)
    model = LapRLSClassifier(gamma_I=0.0).fit(X, y, groups=person % 2)
    assert np.isfinite(model.leave_one_out_error_) and len(model.selection_.trials) > 4
    assert np.isfinite(model.selection_.optimism).all()
