"""Leave-one-out after a search: labels have no part in the weights that answer for them."""

import numpy as np
import pytest

from lapwing import (
    CoRLSClassifier,
    CoRLSRegressor,
    LapRLSClassifier,
    LapRLSRegressor,
    LSMRRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.linalg.labeled import Labeled
from lapwing.outputs import OutputGraph
from lapwing.selection import held_out_grid, pieces
from lapwing.selection.nested import held_without, readouts_without


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("size", [1, 3])
def test_a_group_leaves_as_if_it_had_never_been_there(intercept, size):
    rng = np.random.default_rng(0)
    l, A = 12, rng.standard_normal((12, 20))
    K, Y = A @ A.T, rng.standard_normal((12, 2))
    E = np.ones((l, 1)) if intercept else None
    groups = rng.permutation(l).reshape(-1, size)
    system, left = Labeled(K, np.full(l, 1 / l), E), 1.0 - (size + 1.0) / l
    found = held_without(system, Y, 0.7, groups, np.arange(l), left)
    for group, held in zip(groups, found, strict=True):
        rest = np.setdiff1d(np.arange(l), group)
        few = Labeled(
            K[np.ix_(rest, rest)] / 0.7, np.full(len(rest), 1 / len(rest)),
            None if E is None else E[rest],
        )  # fmt: skip
        np.testing.assert_allclose(held[rest], few.leave_one_out(Y[rest]), rtol=1e-8, atol=1e-10)


X = np.random.default_rng(3).standard_normal((40, 4))
TARGETS = np.where(np.arange(40)[:, None] < 18, X[:, :3] ** 2, np.nan)
GAPS = np.where(np.random.default_rng(4).random(TARGETS.shape) < 0.3, np.nan, TARGETS)
GIVEN = {"kernel": "rbf", "gamma_A": 0.01, "gamma_I": 0.1, "fit_intercept": True}
VIEWS = [("a", "rbf", [0, 1]), ("b", "rbf", [2, 3])]
EIGEN = {"kernel": "rbf", "n_components": 8, "gamma_I": 0.1, "gamma_M": 0.1}
KINDS = {
    "own directions of outputs": (
        VectorValuedRegressor(output_kernel=OutputGraph(0.5), **GIVEN),
        TARGETS,
    ),
    "entries by column": (VectorValuedRegressor(output_kernel=None, **GIVEN), GAPS),
    "coupled entries": (VectorValuedRegressor(output_kernel=OutputGraph(0.5), **GIVEN), GAPS),
    "views": (CoRLSRegressor(VIEWS, gamma_A=0.01, gamma_C=10.0, fit_intercept=True), TARGETS),
    "eigenvectors": (LSMRRegressor(**EIGEN), TARGETS),
}


@pytest.mark.parametrize("kind", KINDS)
def test_sets_leave_as_if_they_had_never_been_there(kind):
    """With related outputs, several views and missing entries too: the same weight for each row."""
    model, Y = KINDS[kind]
    o = model.fit(X, Y).objective_
    y, l = np.nan_to_num(o.y), len(o.rows)
    w = np.where(o.w > 0, 1 / l, 0.0)
    which, rows = np.arange(l) // 3, np.arange(l)
    parts = pieces(o.deformation.gram(o.rows), y, w)
    found = readouts_without(parts, y, 0.7, which, rows)
    for g, held in enumerate(found):
        rest = np.flatnonzero(which != g)
        few = o.deformation.gram(o.rows[rest])
        weights = w[rest] * l / len(rest)
        alone = held_out_grid(pieces(few, y[rest], weights), y[rest], weights, [0.7])[0]
        seen = ~np.isnan(alone)
        np.testing.assert_allclose(held[rest][seen], alone[seen], rtol=1e-6, atol=1e-8)


@pytest.mark.filterwarnings("ignore::lapwing.exceptions.ChanceWarning")
@pytest.mark.parametrize("kind", ["views", "sets of labels", "structure"])
def test_coins_are_answered_as_such_by_every_search(kind):
    """Searches over axes, and losses of another unit than the errors that are told."""
    said = []
    for seed in range(8):
        rows, y, _ = coin_flips(seed)
        if kind == "sets of labels":
            flips = np.random.default_rng(seed + 100).integers(0, 2, (150, 3)).astype(float)
            y = np.where(np.arange(150)[:, None] < 30, flips, np.nan)
        model = {
            "views": CoRLSClassifier([("a", "rbf", [0, 1]), ("b", "rbf", [2, 3])]),
            "sets of labels": VectorValuedClassifier(),
            "structure": StructuredLapSVC(),
        }[kind].fit(rows, y)
        said.append(model.leave_one_out_error_)
    assert 0.44 < np.mean(said) < 0.58


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
