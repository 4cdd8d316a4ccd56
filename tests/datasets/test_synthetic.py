"""Made data: the same for the same seed, with the structure that is promised."""

import numpy as np
import pytest
from scipy.stats import norm

from lapwing import datasets as d
from lapwing.outputs import Tree

MAKERS = [
    d.make_two_moons, d.make_two_spirals, d.make_gaussian_clusters, d.make_ring, d.make_tree,
    d.make_multi_view, d.make_multi_target,
]  # fmt: skip


@pytest.mark.parametrize("make", MAKERS, ids=lambda m: m.__name__)
def test_seeds(make):
    a, b, c = make(random_state=3), make(random_state=3), make(random_state=4)
    np.testing.assert_array_equal(a[0], b[0])
    assert all(u == v or v != v for u, v in zip(np.ravel(a[1]), np.ravel(b[1]), strict=True))
    assert not np.array_equal(a[0], c[0])


def test_the_best_line_errs_as_often_as_promised():
    X, _, truth = d.make_gaussian_clusters(40_000, n_features=3, error=0.1, random_state=0)
    wrong = (X.sum(axis=1) > 0) != truth
    assert wrong.mean() == pytest.approx(0.1, abs=0.006)
    center = X[truth == 1].mean(axis=0)
    assert np.linalg.norm(center) == pytest.approx(-norm.ppf(0.1), abs=0.03)


def test_the_ring_closes():
    X, y, truth = d.make_ring(6, 50, random_state=0)
    centers = np.array([X[truth == c].mean(axis=0) for c in range(6)])
    away = np.linalg.norm(centers[:, None] - centers[None], axis=2)
    for c in range(6):
        nearest = set(np.argsort(away[c])[1:3])
        assert nearest == {(c + 1) % 6, (c - 1) % 6}
    assert np.bincount(y[y >= 0]).tolist() == [1] * 6


def test_siblings_of_the_tree_lie_nearer_than_cousins():
    X, _, truth = d.make_tree((4, 3), 20, n_features=30, random_state=0)
    names = sorted(set(truth))
    assert len(names) == 12 and len(Tree(names).build().classes) == 12
    centers = np.array([X[truth == n].mean(axis=0) for n in names])
    away = np.linalg.norm(centers[:, None] - centers[None], axis=2)
    same = np.array([[a.split(".")[0] == b.split(".")[0] for a in names] for b in names])
    off = ~np.eye(12, dtype=bool)
    assert away[same & off].mean() < 0.7 * away[~same].mean()


def test_views_are_independent_given_the_class():
    X, _, truth, views = d.make_multi_view(4000, n_features=(2, 3), random_state=0)
    for c in (0, 1):
        inside = X[truth == c]
        between = np.corrcoef(inside.T)[views[0], views[1]]
        assert np.abs(between).max() < 0.08
    means = [
        np.linalg.norm(X[truth == 1][:, v].mean(0) - X[truth == 0][:, v].mean(0)) for v in views
    ]
    np.testing.assert_allclose(means, 3.0, atol=0.15)


def test_targets_of_a_group_agree():
    _, Y, truth, W = d.make_multi_target(500, n_targets=6, n_groups=3, random_state=0)
    assert np.isnan(Y).all(axis=1).mean() == pytest.approx(0.7)
    correlation = np.abs(np.corrcoef(truth.T))
    off = ~np.eye(6, dtype=bool)
    assert correlation[W > 0].min() > correlation[(W == 0) & off].max()
    known = ~np.isnan(Y).any(axis=1)
    assert np.std((Y - truth)[known]) == pytest.approx(0.3, rel=0.1)
