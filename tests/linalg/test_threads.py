"""Small problems run on one thread, and what was allowed before is allowed after."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from lapwing.linalg.threads import SMALL, _pools, available_threads, threads_for


def blas_threads() -> list[int]:
    """Of each library that was loaded with ours; some never have more than one."""
    ours = {pool.filepath for pool in _pools().lib_controllers if pool.user_api == "blas"}
    return [pool["num_threads"] for pool in threadpool_info() if pool["filepath"] in ours]


@pytest.fixture
def before():
    with threadpool_limits(2, user_api="blas"):
        threads = blas_threads()
        assert max(threads) == 2
        yield threads


def test_small_problems_have_one_thread(before):
    with threads_for(SMALL):
        assert set(blas_threads()) == {1}
        assert available_threads() == 1
        with threads_for(10):
            pass
        assert set(blas_threads()) == {1}
        with threads_for(SMALL + 1):  # who asks for more inside does not get it
            assert set(blas_threads()) == {1}
    assert blas_threads() == before
    with threads_for(SMALL + 1):
        assert blas_threads() == before


def test_an_error_gives_them_back(before):
    with pytest.raises(ValueError, match="inside"), threads_for(1):
        raise ValueError("inside")
    assert blas_threads() == before


def test_fits_that_overlap_give_them_back(before):
    """The first to enter leaves while the second is still inside."""
    entered, left = Barrier(2), Barrier(2)

    def first():
        with threads_for(1):
            entered.wait()
        left.wait()

    def second():
        with threads_for(1):
            entered.wait()
            left.wait()

    with ThreadPoolExecutor(2) as pool:
        for job in [pool.submit(first), pool.submit(second)]:
            job.result()
    assert blas_threads() == before
