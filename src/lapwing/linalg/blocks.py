"""Loops over many rows, one block of rows at a time."""

import numpy as np

BUFFER_BYTES = 64 * 2**20
"""Size of a temporary block: small beside the data, large beside the cost of a call."""

CACHED = 1 << 17
"""Numbers that stay in the cache of a core between two passes over them: a megabyte."""


def batches(stop: int, size: int, start: int = 0) -> list[slice]:
    """Slices of at most ``size`` rows from ``start`` to ``stop``; none where there is no row.

    scikit-learn's ``gen_batches`` begins at 0, refuses 0 rows, and checks its arguments in each
    call.

    Examples
    --------
    >>> batches(6, 2, start=1)
    [slice(1, 3, None), slice(3, 5, None), slice(5, 6, None)]
    """
    return [slice(first, min(first + size, stop)) for first in range(start, stop, size)]


def row_blocks(n_rows: int, row_length: int, itemsize: int = 8) -> list[slice]:
    """Slices over ``n_rows`` such that a dense block of ``row_length`` columns fits the buffer."""
    return batches(n_rows, max(1, BUFFER_BYTES // max(1, row_length * itemsize)))


def cached_blocks(n_rows: int, row_length: int) -> list[slice]:
    """Slices over ``n_rows`` such that a block of ``row_length`` columns stays in the cache."""
    return batches(n_rows, max(1, CACHED // max(1, row_length)))


def some_rows(n: int, most: int) -> np.ndarray | slice:
    """All of n rows, or ``most`` of them drawn at random, in order; the same for the same n.

    Evenly spaced rows are no alternative. Where the classes alternate with some period, they may
    all belong to one class.

    Examples
    --------
    >>> some_rows(3, 5)
    slice(None, None, None)
    >>> len(some_rows(100, 5))
    5
    """
    if n <= most:
        return slice(None)
    return np.sort(np.random.default_rng(n).choice(n, most, replace=False))
