"""Walking over many rows, a block at a time."""

import numpy as np

BUFFER_BYTES = 64 * 2**20


def cut(rows: slice, step: int) -> list[slice]:
    """The slice in pieces of at most ``step`` rows, in order; none of an empty slice.

    Examples
    --------
    >>> cut(slice(1, 6), 2)
    [slice(1, 3, None), slice(3, 5, None), slice(5, 6, None)]
    """
    starts = range(rows.start or 0, rows.stop, step)
    return [slice(start, min(start + step, rows.stop)) for start in starts]


def row_blocks(n_rows: int, row_length: int, itemsize: int = 8) -> list[slice]:
    """Slices over ``n_rows`` such that a dense block of ``row_length`` columns fits the buffer."""
    return cut(slice(n_rows), max(1, BUFFER_BYTES // max(1, row_length * itemsize)))


def some_rows(n: int, most: int) -> np.ndarray | slice:
    """All of n rows, or ``most`` of them drawn at random, in order; the same for the same n.

    Evenly spaced ones would meet the period of rows that come in turns, and see one class alone.

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
