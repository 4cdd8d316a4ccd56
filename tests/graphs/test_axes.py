"""Neighbors along principal axes."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing.exceptions import ScaleWarning
from lapwing.graphs import KNN, axes

RNG = np.random.default_rng(0)
PLANE = RNG.normal(size=(120, 3)) @ RNG.normal(size=(3, 20))


def test_all_the_variance_gives_the_same_graph():
    whole, along = (KNN(4, components=c).build(PLANE + 5.0).W for c in (None, 3))
    assert_allclose(along.toarray(), whole.toarray(), atol=1e-8)


def test_noise_outside_the_axes_does_not_count():
    noisy = PLANE + 1e-3 * RNG.normal(size=PLANE.shape)
    few = KNN(4, components=3).build(noisy).W > 0
    assert (few != (KNN(4).build(PLANE).W > 0)).nnz < 0.02 * few.nnz


def test_auto_is_for_many_rows_and_columns(monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KNN(4).build(PLANE)
    monkeypatch.setattr(axes, "MANY_ROWS", 100)
    monkeypatch.setattr(axes, "MANY_COLUMNS", 10)
    monkeypatch.setattr(axes, "AXES", 3)
    with pytest.warns(ScaleWarning, match="components=None"):
        W = KNN(4).build(PLANE).W
    assert_allclose(W.toarray(), KNN(4, components=3).build(PLANE).W.toarray())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KNN(4).build(sp.csr_array(PLANE))
        KNN(4, metric="cosine").build(PLANE)


@pytest.mark.parametrize("components", [0, -1, 2.5, "all", True])
def test_what_is_no_number_is_refused(components):
    with pytest.raises(ValueError, match="components"):
        KNN(4, components=components).build(PLANE)


def test_sparse_rows_have_no_axes():
    with pytest.raises(ValueError, match="TruncatedSVD"):
        KNN(4, components=2).build(sp.csr_array(PLANE))
