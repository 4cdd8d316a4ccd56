"""MV's experiments in small: the kernel route is the estimator, and the claims' direction."""

from pathlib import Path

import numpy as np
import pytest

from lapwing import CoRLSClassifier
from lapwing.reproduce.mv.draws import draw, error_at_break_even, least_squares, report, run
from lapwing.reproduce.mv.mfeat import MFeat
from lapwing.reproduce.mv.webkb import GAMMA_A, LAMBDA, WebKB

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def needs(name):
    if not (DATA / name).exists():
        pytest.skip(f"{name} is not in ../shared/data")
    return DATA


def test_break_even_counts_both_kinds_of_error():
    positive = np.array([True, True, False, False])
    assert error_at_break_even(np.array([4.0, 3.0, 2.0, 1.0]), positive) == 0.0
    assert error_at_break_even(np.array([4.0, 1.0, 3.0, 2.0]), positive) == 50.0


def test_draws_have_so_many_of_each_class_and_differ():
    y = np.repeat([0, 1], 20)
    rows = [draw(y, {1: 3, 0: 9}, seed) for seed in (0, 1)]
    assert [int((y[r] == 1).sum()) for r in rows] == [3, 3]
    assert len(rows[0]) == len(np.unique(rows[0])) == 12
    assert not np.array_equal(np.sort(rows[0]), np.sort(rows[1]))


def test_report_names_the_best_single_view(tmp_path):
    errors = {"a": np.array([3.0, 4.0, 5.0]), "b": np.array([9.0, 8.0, 7.0]),
              "both": np.array([1.0, 2.5, 3.5])}  # fmt: skip
    rows = report(errors, ["a", "b"], tmp_path / "results.csv")
    assert rows[2]["against"] == "a"
    assert (rows[2]["wins"], rows[2]["losses"]) == (3, 0)
    assert (tmp_path / "results.csv").read_text().startswith("method,error %")


def test_webkb_kernel_is_the_estimator():
    data = WebKB(needs("webkb_course.npz"), step=4)
    labelled = data.draws(1)[0]
    y = np.full(len(data.y), -1)
    y[labelled] = data.y[labelled]
    X = data.X.copy()
    for columns in data.columns.values():
        X[~X[:, columns].any(axis=1), columns] = np.nan
    n = len(y)
    views = [(name, "linear", columns) for name, columns in data.columns.items()]
    model = CoRLSClassifier(views, gamma_A=GAMMA_A, gamma_C=LAMBDA * n**2).fit(X, y)
    values = least_squares(data.coupled(None), labelled, data.y)
    np.testing.assert_allclose(model.decision_function(X), values, atol=1e-7)


def test_six_views_of_digits_beat_each_alone():
    data = MFeat(needs("mfeat.npz"), rows=200)
    draws = data.draws(3)
    errors = run(data.kernels(), data.y, draws, data.score)
    best = min(errors[name].mean() for name in data.single)
    assert errors["six views, own Laplacians"].mean() < best
