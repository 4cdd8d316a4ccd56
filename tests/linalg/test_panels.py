"""Blocks of rows and threads change nothing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing.linalg import blocks, threads
from lapwing.linalg.panels import add_multiple, column_products, multiple_plus

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(2, 101, 3))


@pytest.fixture(params=[1 << 17, 30], ids=["whole", "blocks"])
def cut(request, monkeypatch):
    monkeypatch.setattr(blocks, "CACHED", request.param)
    monkeypatch.setattr(threads, "WORTH", 8 * request.param)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products(cut, dtype):
    found = column_products(A.astype(dtype), B.astype(dtype))
    assert found.dtype == dtype
    assert_allclose(found, (A * B).sum(axis=0), atol=1e-4)


@pytest.mark.parametrize("scale", [2.0, np.array([1.0, -2.0, 0.5]), RNG.normal(size=(101, 1))])
def test_add_multiple(cut, scale):
    found = A.copy()
    add_multiple(found, scale, B)
    assert_allclose(found, A + scale * B)


def test_multiple_plus(cut):
    found, scale = A.copy(), np.array([1.0, -2.0, 0.5])
    multiple_plus(found, scale, B)
    assert_allclose(found, scale * A + B)
