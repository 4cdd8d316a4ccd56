"""SO's experiments in small: one draw each, and the printed tables read as data."""

from pathlib import Path

import numpy as np
import pytest

from lapwing.reproduce.so.__main__ import newsgroups_setting, teapots_setting
from lapwing.reproduce.so.data import Newsgroups, Teapots
from lapwing.reproduce.so.experiment import repetition
from lapwing.reproduce.so.report import collect, paired, read_expected, summary, write_csv

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"


def needs(name):
    return pytest.mark.skipif(not (DATA / name).exists(), reason=f"{name} is not in ../shared/data")


def test_the_printed_tables_are_consistent():
    """F1 = 2PR/(P+R) up to rounding and averaging, and manifold helps in all printed cells."""
    for data, loss, counts in (("teapots", "ring", 5), ("newsgroups", "tree", 5)):
        table = read_expected(data)
        assert len(table) == 2 * 2 * 5 * counts
        for (manifold, labels, rows, metric), value in table.items():
            if metric == "f1":
                P = table[manifold, labels, rows, "precision"]
                R = table[manifold, labels, rows, "recall"]
                assert value == pytest.approx(2 * P * R / (P + R), abs=0.006)
            if metric in ("zero_one", loss) and manifold == "with":
                assert value < table["without", labels, rows, metric]


@needs("20news_bydate_raw.npz")
def test_newsgroups_in_small(tmp_path):
    source = Newsgroups(DATA)
    draw = source.draw(12345)  # not among the reported repetitions
    assert draw.X_train.shape[0] == 700
    assert draw.X_test.shape[0] == 350
    assert np.all(np.bincount(draw.labels(2)[draw.labels(2) >= 0]) == 2)
    values = collect([repetition(newsgroups_setting(), draw, (2,))])
    for rows in ("unlabelled", "unseen"):
        for metric in ("zero_one", "tree"):
            with_, without = (values["structured", m, 2, rows, metric] for m in ("with", "without"))
            assert with_[0] < without[0]
    write_csv(tmp_path / "results.csv", values, "newsgroups")
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 1 + len(values)
    assert "| unseen | 2 | tree |" in summary(values, "tree", "newsgroups")


@needs("teapots100.npz")
def test_teapots_in_small():
    source = Teapots(DATA)
    draws = [source.draw(seed) for seed in (12345, 12346)]
    assert draws[0].X_train.shape == (60, 100)
    np.testing.assert_array_equal(np.bincount(draws[0].y_test), np.full(10, 2))
    values = collect([repetition(teapots_setting(), draw, (1,)) for draw in draws])
    gain, _ = paired(
        values["structured", "with", 1, "unlabelled", "ring"],
        values["structured", "without", 1, "unlabelled", "ring"],
    )
    assert gain < 0


@needs("teapots100.npz")
def test_coordinates_in_the_span_keep_distances():
    images = np.load(DATA / "teapots100.npz", allow_pickle=False)["X"][:5].reshape(5, -1) / 255.0
    X = Teapots(DATA).X[:5]
    np.testing.assert_allclose(X @ X.T, images @ images.T, rtol=1e-8)
