"""The papers' numbers: complete, and consistent with each other."""

import csv
from pathlib import Path

import pytest

import lapwing_papers
from lapwing_papers.expected import read_expected
from lapwing_papers.mt.data import DATASETS
from lapwing_papers.mt.methods import METHODS
from lapwing_papers.statistics import critical_difference, mean_ranks

ROOT = Path(lapwing_papers.__file__).parent


def table(paper, name):
    return read_expected(ROOT / paper / "expected.csv", name)


@pytest.mark.parametrize("paper", ["mr", "vv", "so", "mv", "mt"])
def test_columns(paper):
    with (ROOT / paper / "expected.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["table", "row", "column", "value", "spread"]
    keys = [tuple(row[:3]) for row in rows[1:]]
    assert len(keys) == len(set(keys))


def test_mr_claims_hold_in_the_printed_tables():
    for name, column in (("3", "error %"), ("4", "unlabeled"), ("4", "test"), ("5", "error %")):
        printed = table("mr", name)
        assert printed["LapSVM", column].value < printed["SVM", column].value
        assert printed["LapRLS", column].value < printed["RLS", column].value
    assert table("mr", "5")["LapSVM", "error %"].spread == 1.0


@pytest.mark.parametrize(
    "name, loss", [("I", "ring"), ("II", "ring"), ("III", "tree"), ("IV", "tree")]
)
def test_so_tables_are_consistent(name, loss):
    """F1 = 2PR/(P+R) up to rounding and averaging, and manifold helps in all printed cells."""
    printed = table("so", name)
    assert len(printed) == 2 * 5 * 5
    for (row, count), found in printed.items():
        measure, manifold = row.split(", ")
        if measure == "F1":
            P = printed[f"precision, {manifold}", count].value
            R = printed[f"recall, {manifold}", count].value
            assert found.value == pytest.approx(2 * P * R / (P + R), abs=0.006)
        if measure in ("0-1 loss", f"{loss} loss") and manifold == "with":
            assert found.value < printed[f"{measure}, without", count].value


def test_mt_tables_are_complete_and_give_the_printed_ranks():
    printed = table("mt", "IV")
    assert len(printed) == 13 * 10 and printed["wq", "CMTL"].value == 0.946
    scores = [[printed[d, m].value for m in METHODS] for d in DATASETS]
    ranks = dict(zip(METHODS, mean_ranks(scores), strict=True))
    assert ranks["CMTL"] == pytest.approx(3.2, abs=0.05)
    assert ranks["Local LSMR"] == pytest.approx(7.5, abs=0.05)
    assert critical_difference(10, 13) == pytest.approx(3.757, abs=5e-4)
    assert len(table("mt", "III")) == 12 * 5
