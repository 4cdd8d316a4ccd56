"""LU factors without a filter of warnings, blocks that cover all rows, and the memory guard."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lapwing.kernels import RBF, LaplacianKernel, Linear
from lapwing.linalg import memory
from lapwing.linalg.blocks import BUFFER_BYTES, batches, row_blocks
from lapwing.linalg.factor import LU


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_lu_solves_and_solves_transposed(dtype):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(30, 30)) + 9 * np.eye(30), rng.normal(size=(30, 2))
    factor = LU(A.astype(dtype))
    tol = 1e-4 if dtype == np.float32 else 1e-12
    assert_allclose(A @ factor.solve(B), B, atol=tol)
    assert_allclose(A.T @ factor.solve(B, transposed=True), B, atol=tol)


def test_a_singular_factor_neither_warns_nor_touches_the_filters(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("filters of warnings are shared by all threads")

    monkeypatch.setattr(warnings, "catch_warnings", refuse)
    monkeypatch.setattr(warnings, "warn", refuse)
    with np.errstate(all="ignore"):
        x = LU(np.ones((2, 2))).solve(np.array([[1.0], [2.0]]))
    assert not np.isfinite(x).all()


@pytest.mark.parametrize(("start", "stop", "step"), [(0, 0, 3), (0, 7, 3), (2, 8, 3), (5, 6, 9)])
def test_batches_cover_a_slice_once(start, stop, step):
    pieces = batches(stop, step, start)
    covered = np.concatenate([np.arange(stop)[piece] for piece in pieces] or [[]])
    assert_array_equal(covered, np.arange(start, stop))
    assert all(0 < piece.stop - piece.start <= step for piece in pieces)


def test_row_blocks_fit_the_buffer():
    blocks = row_blocks(1000, 100_000)
    assert max(b.stop - b.start for b in blocks) * 100_000 * 8 <= BUFFER_BYTES
    assert sum(b.stop - b.start for b in blocks) == 1000
    assert row_blocks(3, 10**12) == [slice(0, 1), slice(1, 2), slice(2, 3)]


@pytest.mark.parametrize("kernel", [RBF(1.0), LaplacianKernel(1.0), Linear()])
def test_a_gram_matrix_that_does_not_fit_is_refused_before_it_is_allocated(kernel, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 10**8)
    with pytest.raises(MemoryError, match=r"4000 × 4000 pairs.*122\.1 MiB"):
        kernel(np.ones((4000, 1)))
    assert kernel(np.ones((100, 1)), np.ones((4000, 1))).shape == (100, 4000)
