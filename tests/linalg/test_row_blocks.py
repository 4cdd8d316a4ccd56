"""The threaded product is the product."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from threadpoolctl import threadpool_limits

from lapwing.linalg import sparse
from lapwing.linalg import threads as pool
from lapwing.linalg.sparse import RowBlocks
from lapwing.linalg.threads import available_threads


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(300, 200, 7), (1, 200, 5), (300, 1, 1), (200, 300, 0)])
def test_threads_do_not_change_the_answer(shape, order, dtype, monkeypatch):
    m, n, t = shape
    rng = np.random.default_rng(0)
    A = sp.random_array((m, n), density=0.1, format="csr", rng=rng, dtype=dtype)
    F = np.asarray(rng.normal(size=(n, t)), dtype=dtype, order=order)
    monkeypatch.setattr(sparse, "CACHED", 250)
    answers = []
    assert m < 2 or n < 2 or len(RowBlocks(A).blocks) > 2
    for threads in (1, 2, 5):
        monkeypatch.setattr(sparse, "threads_worth", lambda size, threads=threads: threads)
        answers.append(RowBlocks(A) @ F)
        assert answers[-1].dtype == dtype
        assert answers[-1].shape == (m, t)
    assert_array_equal(answers[1], answers[0])
    assert_array_equal(answers[2], answers[0])
    assert_allclose(answers[0], A.toarray() @ F, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("work", [0, 10**9])
def test_a_vector_stays_one(work, monkeypatch):
    monkeypatch.setattr(pool, "WORTH", work)
    A = sp.random_array((2_000, 300), density=0.1, format="csr", rng=np.random.default_rng(0))
    v = np.arange(300.0)
    assert len(RowBlocks(A).blocks) > 2
    assert_allclose(RowBlocks(A) @ v, A.toarray() @ v)


def test_limits_are_obeyed():
    with threadpool_limits(1):
        assert available_threads() == 1
    assert available_threads() >= 1
