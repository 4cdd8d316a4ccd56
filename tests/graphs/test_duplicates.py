"""Rows that occur many times."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lapwing.graphs import KNN
from lapwing.graphs.duplicates import Duplicates

RNG = np.random.default_rng(0)
KINDS = np.repeat(np.arange(6), [1, 2, 7, 8, 90, 400])
ROWS = RNG.permutation(KINDS)
X = RNG.integers(-3, 4, size=(6, 5)).astype(float)[ROWS]


def test_sizes_and_places():
    found = Duplicates(np.where(X == 0, -0.0, X))  # −0 is 0
    kinds, inverse, counts = np.unique(X, axis=0, return_inverse=True, return_counts=True)
    assert_array_equal(found.size, counts[inverse.ravel()])
    for kind in range(len(kinds)):
        assert_array_equal(np.sort(found.place[inverse.ravel() == kind]), np.arange(counts[kind]))


@pytest.mark.parametrize("k", [1, 6])
def test_copies_are_joined_in_few_steps(k):
    pairs = list(Duplicates(X).joined(k))
    i, j = (np.concatenate(part) for part in zip(*pairs, strict=True))
    assert_array_equal(X[i], X[j])
    assert (i != j).all()
    assert len(np.unique(i * len(X) + j)) == len(i)  # k different ones for each
    sizes = np.bincount(ROWS)[ROWS]
    assert_array_equal(np.bincount(i, minlength=len(X)), np.where(sizes > k + 1, k, 0))
    if k < 2:
        return
    near, reached = np.zeros((len(X), len(X)), dtype=bool), ROWS == -1
    near[i, j] = near[j, i] = True
    reached[np.flatnonzero(ROWS == 5)[0]] = True
    for _ in range(8):
        reached |= near[reached].any(axis=0)
    assert_array_equal(reached, ROWS == 5)


def test_approximate_search_with_copies():
    """Rows with copies list copies; the others list what an exact search finds."""
    pytest.importorskip("faiss")
    k = 4
    apart = RNG.normal(size=(300, 5)) + 20.0 * RNG.integers(0, 3, size=(300, 1))
    A = np.vstack([np.repeat(apart[:2], 200, axis=0), apart[2:]])
    found = KNN(k, weight="binary", search="approximate", hubs="keep", symmetrize="union").build(A)
    exact = KNN(k, weight="binary", search="exact", hubs="keep").build(apart)
    assert (np.diff(found.W.indptr)[:400] >= k).all()
    for copies in (slice(0, 200), slice(200, 400)):
        assert np.diff(found.W[copies][:, copies].indptr).min() >= k
    among, expected = found.W[400:][:, 400:], exact.W[2:][:, 2:]
    assert (among.multiply(expected)).nnz >= 0.9 * expected.nnz


def test_a_kind_is_joined_with_other_kinds():
    """Duplicates are not cut off: whoever lists a kind is joined with one of its copies."""
    pytest.importorskip("faiss")
    kinds = RNG.normal(size=(40, 3))
    A = RNG.permutation(np.repeat(kinds, 100, axis=0))
    exact = KNN(5, weight="binary", search="exact").build(kinds)
    found = KNN(5, weight="binary", search="approximate").build(A)
    assert len(np.unique(found.components)) == len(np.unique(exact.components))
    assert np.diff(found.W.indptr).max() < 60  # no copy stands for all of its kind
