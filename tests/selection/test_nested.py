"""Leave-one-out after a search: labels have no part in the weights that answer for them."""

import numpy as np
import pytest

from lapwing import LapRLSClassifier, LapRLSRegressor
from lapwing.linalg.labeled import Labeled
from lapwing.selection.nested import held_without


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("size", [1, 3])
def test_a_group_leaves_as_if_it_had_never_been_there(intercept, size):
    rng = np.random.default_rng(0)
    l, A = 12, rng.standard_normal((12, 20))
    K, Y = A @ A.T, rng.standard_normal((12, 2))
    E = np.ones((l, 1)) if intercept else None
    groups = rng.permutation(l).reshape(-1, size)
    found = held_without(Labeled(K, np.full(l, 1 / l), E), Y, 0.7, groups, np.arange(l))
    for group, held in zip(groups, found, strict=True):
        rest = np.setdiff1d(np.arange(l), group)
        few = Labeled(
            K[np.ix_(rest, rest)] / 0.7, np.full(len(rest), 1 / len(rest)),
            None if E is None else E[rest],
        )  # fmt: skip
        np.testing.assert_allclose(held[rest], few.leave_one_out(Y[rest]), rtol=1e-8, atol=1e-10)


def coin_flips(seed):
    rng = np.random.default_rng(seed)
    X, truth = rng.standard_normal((150, 4)), rng.integers(0, 2, 150)
    return X, np.where(np.arange(150) < 30, truth, -1), truth


@pytest.mark.filterwarnings("ignore::lapwing.exceptions.ChanceWarning")
def test_labels_that_are_coin_flips_are_answered_as_such():
    chosen, nested = [], []
    for seed in range(12):
        X, y, _ = coin_flips(seed)
        model = LapRLSClassifier().fit(X, y)
        wrong = (model.leave_one_out_[:30, 0] > 0) != (y[:30] == 1)
        chosen.append(wrong.mean())
        nested.append(wrong.mean() + np.nanmean(model.selection_.optimism))
    assert np.mean(chosen) < 0.46  # the search has looked at these labels
    assert 0.46 < np.mean(nested) < 0.56


def test_every_label_counts_once_and_real_targets_have_an_optimism_too():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((120, 3))
    y = np.where(np.arange(120) < 70, X[:, 0] + 0.3 * rng.standard_normal(120), np.nan)
    found = LapRLSRegressor().fit(X, y).selection_.optimism
    assert found.shape == (70,) and np.isfinite(found).all()
    one = np.where(np.arange(120) < 3, [0.0, 1.0, 2.0] + [0.0] * 117, -1.0).astype(int)
    assert not len(LapRLSClassifier().fit(X, one).selection_.optimism)  # nothing to leave out
