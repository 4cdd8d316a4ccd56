"""Walking over many rows in blocks that fit a fixed buffer."""

from __future__ import annotations

from collections.abc import Iterator

BUFFER_BYTES = 64 * 2**20


def row_blocks(n_rows: int, row_length: int, itemsize: int = 8) -> Iterator[slice]:
    """Slices over ``n_rows`` such that a dense block of ``row_length`` columns fits the buffer."""
    step = max(1, BUFFER_BYTES // max(1, row_length * itemsize))
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))
