"""A limit of the number of rows changes the time of an answer, and not the answer."""

import numpy as np
import pytest
import scipy.sparse as sp

from lapwing import LapRLSClassifier, LapRLSRegressor
from lapwing.datasets import keep_labels
from lapwing.graphs import axes
from lapwing_papers.fuzz import lowered

LIMITS = (80, 100, 120, 150, 200, 250)
"""The limits of the default call while they are lowered."""


def embeddings(n, columns=130):
    """Four classes along eight directions; 15 directions of three times the spread tell nothing."""
    draw = np.random.default_rng(0)
    way = np.linalg.qr(draw.normal(size=(columns, 23)))[0]
    centers = 2.5 * draw.normal(size=(4, 8))
    truth = draw.integers(0, 4, n)
    inner = centers[truth] + draw.normal(size=(n, 8))
    X = np.hstack([inner, 3.0 * draw.normal(size=(n, 15))]) @ way.T
    return X + 0.2 * draw.normal(size=X.shape), truth


def curve(n):
    draw = np.random.default_rng(1)
    u = draw.uniform(size=n)
    wave = np.sin(np.pi * np.outer(u, np.arange(1, 7))) @ draw.normal(size=(6, 130))
    return wave + 0.05 * draw.normal(size=wave.shape), np.sin(6.0 * u)


def graph_of(model):
    graph = model.selection_.choice["regularizer"].graph
    return getattr(graph, "graph", graph)


@pytest.mark.parametrize("limit", LIMITS)
def test_classes_on_both_sides_of_a_limit(limit):
    X, truth = embeddings(int(1.02 * limit))
    below = int(0.98 * limit)
    y = keep_labels(truth[:below], 4, np.random.RandomState(0))
    y = np.r_[y, np.full(len(X) - below, -1)]
    with lowered():
        few, many = (LapRLSClassifier().fit(X[:n], y[:n]) for n in (below, len(X)))
    assert np.mean(few.transduction_ != many.transduction_[:below]) <= 0.03


@pytest.mark.parametrize("limit", LIMITS)
def test_real_targets_on_both_sides_of_a_limit(limit):
    X, truth = curve(int(1.02 * limit))
    below = int(0.98 * limit)
    known = np.isin(np.arange(len(X)), np.random.default_rng(0).permutation(below)[:20])
    y = np.where(known, truth, np.nan)
    with lowered():
        few, many = (LapRLSRegressor().fit(X[:n], y[:n]) for n in (below, len(X)))
    apart = few.transduction_ - many.transduction_[:below]
    assert np.sqrt(np.mean(apart**2)) <= 0.1 * truth.std()


@pytest.mark.parametrize("n", [147, 153])
def test_wide_rows_have_a_graph_along_axes_at_every_size(n):
    X, truth = embeddings(n)
    y = keep_labels(truth, 4, np.random.RandomState(0))
    with lowered():
        few = axes.MANY_COLUMNS
        found = [
            graph_of(LapRLSClassifier(kernel="rbf").fit(rows, y)).components
            for rows in (X, X[:, :few], sp.csr_matrix(X))
        ]
        assert found == [axes.AXES, None, None]


def test_words_are_compared_in_all_columns():
    draw = np.random.default_rng(0)
    truth = draw.integers(0, 2, 90)
    X = draw.poisson(np.where(np.arange(200) // 100 == truth[:, None], 0.06, 0.01)).astype(float)
    model = LapRLSClassifier(kernel="rbf").fit(X, keep_labels(truth, 4, np.random.RandomState(0)))
    assert graph_of(model).components is None


def test_a_near_draw_of_two_frames_does_not_choose_the_graphs():
    """If only the better frame had all powers of L, one more row could change what is compared."""
    X, truth = embeddings(300, 25)
    X = X * 10.0 ** np.random.default_rng(0).uniform(0, 1, 25)
    chosen = LapRLSClassifier().fit(X, keep_labels(truth, 5, np.random.RandomState(0))).selection_
    graphs = {}
    for part, gamma in zip(chosen.part, chosen.gamma_I, strict=True):
        typed = chosen.settings[part]["regularizer"]
        if gamma:
            seen = repr(getattr(typed.graph, "transformer", None))
            graphs.setdefault(seen, set()).add(repr(getattr(typed, "degree", "mixed")))
    assert len(graphs) == 2
    assert all(len(powers) == 2 for powers in graphs.values())
