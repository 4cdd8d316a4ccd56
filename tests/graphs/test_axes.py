"""Neighbors along principal axes."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing.graphs import KNN
from lapwing.graphs.axes import Axes, axes_of

RNG = np.random.default_rng(0)
PLANE = RNG.normal(size=(120, 3)) @ RNG.normal(size=(3, 20))


def test_all_the_variance_gives_the_same_graph():
    whole, along = (KNN(4, components=c).build(PLANE + 5.0).W for c in (None, 3))
    assert_allclose(along.toarray(), whole.toarray(), atol=1e-8)


def test_noise_outside_the_axes_does_not_count():
    noisy = PLANE + 1e-3 * RNG.normal(size=PLANE.shape)
    few = KNN(4, components=3).build(noisy).W > 0
    assert (few != (KNN(4).build(PLANE).W > 0)).nnz < 0.02 * few.nnz


def test_a_graph_that_is_typed_has_all_columns_at_every_size():
    few, axis = RNG.normal(size=(8_100, 2)), RNG.normal(size=(2, 120))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole, flat = KNN(4).build(few @ np.linalg.qr(axis.T)[0].T), KNN(4).build(few)
    assert_allclose(whole.W.sum(), flat.W.sum(), rtol=1e-6)


def test_axes_for_the_search_depend_on_the_columns_alone():
    for n in (10, 20_000):
        assert axes_of(np.zeros((n, 101))) == 50
        assert axes_of(np.zeros((n, 100))) is None
    assert axes_of(sp.csr_array((10, 5_000))) is None


def test_the_order_of_the_rows_does_not_change_the_axes():
    X = RNG.normal(size=(150, 120)) * np.linspace(2.0, 0.1, 120)
    first, second = Axes(X, 10), Axes(X[::-1], 10)
    assert_allclose(np.abs((first.V * second.V).sum(axis=0)), 1.0, atol=1e-9)


@pytest.mark.parametrize("components", [0, -1, 2.5, "auto", True])
def test_what_is_no_number_is_refused(components):
    with pytest.raises(ValueError, match="components"):
        KNN(4, components=components).build(PLANE)


def test_sparse_rows_have_no_axes():
    with pytest.raises(ValueError, match="TruncatedSVD"):
        KNN(4, components=2).build(sp.csr_array(PLANE))
