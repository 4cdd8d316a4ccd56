"""The reproduction of MT runs from data to report, on one small set and few draws."""

import csv
from pathlib import Path

import numpy as np
import pytest

from lapwing.reproduce.mt.__main__ import main
from lapwing.reproduce.mt.data import DATASETS, draw, load
from lapwing.reproduce.mt.methods import METHODS
from lapwing.reproduce.mt.report import expected

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "mtr"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the MT data sets are not here")


def test_expected_numbers_are_complete():
    table = expected("IV")
    assert len(table) == 13 * 10 and table["wq", "CMTL"] == 0.946
    assert {d for d, _ in table} == set(DATASETS) and {m for _, m in table} == set(METHODS)
    assert len(expected("III")) == 12 * 5 and expected("III")["enb", "Best"] == 0.864


def test_a_draw_uses_the_training_rows_only():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(100, 3)) * 7 + 4, np.ones(100)])
    X[5, 0] = np.nan
    split = draw(X, rng.normal(size=(100, 2)) * 3 + 1, seed=1)
    assert split.X.shape == (75, 3) and split.X_test.shape == (25, 3)  # the constant is dropped
    assert split.n_labelled == round(0.3 * 75)
    np.testing.assert_allclose(split.X.mean(axis=0), 0.0, atol=0.03)
    np.testing.assert_allclose(split.X[:, 1:].std(axis=0), 1.0)
    assert np.isfinite(split.X).all() and np.isfinite(split.X_test).all()
    assert np.isfinite(split.y_test).all()


@needs_data
@pytest.mark.parametrize("name, labelled", [("atp1d", 76), ("edm", 35), ("jura", 81), ("wq", 238)])
def test_labelled_counts_are_those_of_table_i(name, labelled):
    assert abs(draw(*load(DATA, name), seed=0).n_labelled - labelled) <= 0.06 * labelled


@needs_data
def test_one_small_set_from_data_to_report(tmp_path):
    sizes = ["--repetitions", "1", "--draws", "2", "--folds", "2"]
    main(["--data", str(DATA), "--out", str(tmp_path), "--datasets", "edm", *sizes])
    with (tmp_path / "results.csv").open() as file:
        rows = list(csv.DictReader(file))
    ours = {r["column"]: float(r["ours"]) for r in rows if r["table"] == "IV"}
    assert set(ours) == set(METHODS) and all(0.5 < v < 3 for v in ours.values())
    report = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "Table IV" in report and "Friedman" in report
