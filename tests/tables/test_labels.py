"""Labels in a column: which rows have one, and whether they are classes or numbers."""

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("skrub")

from lapwing.tables import TableError, read_labels  # noqa: E402
from lapwing.tables.label_sets import read_label_sets  # noqa: E402


@pytest.mark.parametrize(
    "column, y, skipped",
    [
        (["a", "", None, "NA", "NaN", "none", "b"], ["a"] + [None] * 5 + ["b"], 5),
        ([0, 1, -1, 2, -1], [0, 1, None, 2, None], 2),
        (pd.Series([0, 1, None], dtype="Int64"), [0, 1, None], 1),
        (pd.Series([0.0, 1.0, np.nan, -1.0]), [0, 1, None, None], 2),
        (pd.Series([True, None, False]), [True, None, False], 1),
        (pd.Series(["a", None, "b"], dtype="category"), ["a", None, "b"], 1),
        ([" a ", "a", "b"], ["a", "a", "b"], 0),
        ([1, "x", None], ["1", "x", None], 1),
    ],
)
def test_classes(column, y, skipped):
    found = read_labels(column)
    assert found.task == "class" and found.y.tolist() == y
    assert sum(found.skipped.values()) == skipped == len(y) - found.n_labeled
    assert sum(found.counts.values()) == found.n_labeled


def test_polars_columns():
    pl = pytest.importorskip("polars")
    assert read_labels(pl.Series(["a", None, "b"])).y.tolist() == ["a", None, "b"]
    assert read_labels(pl.Series([1, None, 2])).y.tolist() == [1, None, 2]


def test_numbers_with_decimals_and_many_whole_numbers_are_real():
    found = read_labels([1.5, None, 2.0])
    assert found.task == "real" and np.isnan(found.y[1]) and found.counts == {}
    many = read_labels(list(range(100, 140)))
    assert many.task == "real" and "read as real" in many.said[0]
    assert read_labels(list(range(100, 140)), task="class").task == "class"
    assert read_labels(list(range(10)) * 3).task == "class"
    assert read_labels([1, 2, -1, 3], task="real").n_labeled == 4  # there -1 is a number


def test_a_marker_of_ones_own():
    assert read_labels(["a", "unk", "b"], "unk").y.tolist() == ["a", None, "b"]
    assert read_labels([0, 1, -1], "0").y.tolist() == [None, 1, -1]
    assert read_labels([0.0, 1.0, np.nan], ["0"]).y.tolist() == [None, 1, None]


def test_what_can_be_read_in_two_ways_is_said():
    assert read_labels([-1, 1, 1]).n_labeled == 3
    assert "two classes" in read_labels([-1, 1, 1]).said[0]
    assert "0 and 1 as classes" in read_labels([-1, 0, 1]).said[0]


def test_a_marker_that_never_occurs_is_said():
    assert read_labels(["a", "b", ""], "zzz").said == (
        "--unlabeled zzz occurs nowhere in the target",
    )
    assert not read_labels(["a", "b", "zzz"], "zzz").said


def test_errors():
    with pytest.raises(TableError, match="'x'"):
        read_labels([1, "x"], task="real")
    with pytest.raises(TableError, match="one of auto"):
        read_labels([1], task="classes")


def test_several_labels_in_one_cell():
    found = read_label_sets(["red; round", None, "red", "blue;;"], ";")
    assert found.y.tolist() == [("red", "round"), None, ("red",), ("blue",)]
    assert found.task == "labels" and found.n_labeled == 3
