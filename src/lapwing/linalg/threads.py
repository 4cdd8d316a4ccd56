"""Runs independent pieces of numpy work on as many threads as the caller allows."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from multiprocessing import current_process
from threading import Lock

from joblib import effective_n_jobs
from threadpoolctl import ThreadpoolController

WORTH = 1 << 20
"""Below this many numbers, threads cost more than they save."""

SMALL = 2_500
"""Order of matrices up to which one thread is as fast as several, which would wait for each other
and, with another library or program, for the same cores."""


def available_threads() -> int:
    """The number of threads that a computation may use here.

    It is the smaller of two numbers. One is joblib's count, which is 1 inside a nested parallel
    region; in the worker of a pool, where joblib would warn, 1 is taken too. The other is the limit
    of the BLAS and OpenMP pools, so that ``threadpool_limits`` and ``OMP_NUM_THREADS`` are obeyed.

    Examples
    --------
    >>> from threadpoolctl import threadpool_limits
    >>> with threadpool_limits(1):
    ...     available_threads()
    1
    """
    pools = [pool.num_threads for pool in _pools().lib_controllers]
    return max(1, min([1 if current_process().daemon else effective_n_jobs(-1), *pools]))


@cache
def _pools() -> ThreadpoolController:
    """The thread pools of the libraries loaded so far. The search for them takes milliseconds."""
    return ThreadpoolController()


_limited = Lock()


@contextmanager
def threads_for(n: int) -> Iterator[None]:
    """Limit BLAS threads for matrices of order n: one up to 2,500, else as many as allowed.

    Where fits overlap in several threads of a program, only the first sets and restores the limit.
    The others would restore the limit of the first.

    Examples
    --------
    >>> with threads_for(100):
    ...     available_threads()
    1
    """
    if n > SMALL or not _limited.acquire(blocking=False):
        yield
        return
    try:
        with _pools().limit(limits=1, user_api="blas"):
            yield
    finally:
        _limited.release()


def threads_worth(size: int) -> int:
    """The number of threads for a pass over ``size`` numbers."""
    return available_threads() if size >= WORTH else 1


def for_each(function: Callable, items: Iterable, threads: int = 0) -> None:
    """Call function(item) for every item. numpy releases the interpreter lock in large loops.

    Parameters
    ----------
    threads : int
        0 is :func:`available_threads`.
    """
    threads = threads or available_threads()
    if threads == 1:
        for item in items:
            function(item)
        return
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(function, items):
            pass
