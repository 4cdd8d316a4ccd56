"""Walking over many rows, a block at a time."""

from __future__ import annotations

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
