"""Running independent pieces of numpy work on as many threads as the caller allows."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from multiprocessing import current_process
from threading import Lock

from joblib import effective_n_jobs
from threadpoolctl import ThreadpoolController

WORTH = 1 << 20
"""Numbers passed over below which threads cost more than they save."""

SMALL = 2_500
"""Order of matrices up to which one thread is as fast as several: these wait for each other, and
two libraries' threads, or another program's, for the same cores."""


def available_threads() -> int:
    """How many threads a computation may use here.

    The smaller of joblib's count (1 inside a nested parallel region, and in the worker of a pool,
    where joblib would warn) and the limit of the BLAS and OpenMP pools, so that
    ``threadpool_limits`` and ``OMP_NUM_THREADS`` are obeyed.

    Examples
    --------
    >>> from threadpoolctl import threadpool_limits
    >>> with threadpool_limits(1):
    ...     available_threads()
    1
    """
    pools = [pool.num_threads for pool in _pools().lib_controllers]
    jobs = 1 if current_process().daemon else effective_n_jobs(-1)
    return max(1, min([jobs, *pools]))


@cache
def _pools() -> ThreadpoolController:
    """The pools of the libraries loaded so far; looking for them takes milliseconds."""
    return ThreadpoolController()


_limited = Lock()


@contextmanager
def threads_for(n: int) -> Iterator[None]:
    """As many BLAS threads as serve matrices of order n: one up to 2,500, else what is allowed.

    Of fits that overlap in several threads of a program the first sets it and takes it back: what
    the others would find is no state to go back to.

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
    """How many threads a pass over so many numbers may use."""
    return available_threads() if size >= WORTH else 1


def for_each(function: Callable, items: Iterable, threads: int = 0) -> None:
    """function(item) for every item; numpy releases the interpreter lock inside large loops.

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
