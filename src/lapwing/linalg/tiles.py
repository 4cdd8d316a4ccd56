"""Matrices of all pairs of rows, filled tile by tile.

A tile stays in the cache while it becomes a product, then a distance, then a kernel value. Of a
symmetric matrix, only the tiles on and above the diagonal are computed. The others are mirrored, so
that the matrix is symmetric to the last bit.
"""

from collections.abc import Callable

import numpy as np

from .blocks import BUFFER_BYTES, batches
from .memory import require_bytes
from .threads import for_each, threads_worth

TILE = 256  # 256 × 256 doubles, half a megabyte, fit into a second-level cache

Strip = Callable[[slice, slice, np.ndarray], None]
Finish = Callable[[np.ndarray, slice, slice], np.ndarray]


def fill(strip: Strip, finish: Finish, n: int, m: int, dtype, symmetric: bool) -> np.ndarray:
    """The n × m matrix of all pairs. If ``symmetric``, the lower half mirrors the upper.

    ``strip(rows, cols, out)`` writes the products of some rows with all remaining columns. A strip
    is long enough to use several threads. ``finish(tile, rows, cols)`` turns the products into
    values, tile by tile.
    """
    needed = n * m * np.dtype(dtype).itemsize
    if needed > BUFFER_BYTES:  # for a small matrix the check would take longer than the work
        advice = "Give fewer rows at a time, or use space='blockwise'."
        require_bytes(needed, f"A matrix of {n} × {m} pairs of points", advice)
    K = np.empty((n, m), dtype=dtype)
    # few large products use several threads better than many small ones
    for band in batches(n, 8 * TILE):
        first = band.start if symmetric else 0
        strip(band, slice(first, m), K[band, first:])

        def tile(at: tuple[slice, slice]) -> None:
            rows, cols = at
            T = K[rows, cols]
            T[:] = finish(T, rows, cols)
            if symmetric and cols == rows:
                T[:] = np.triu(T) + np.triu(T, 1).T
            elif symmetric:
                K[cols, rows] = T.T

        tiles = [
            (rows, cols)
            for rows in batches(band.stop, TILE, band.start)
            for cols in batches(m, TILE, rows.start if symmetric else 0)
        ]
        for_each(tile, tiles, threads_worth(len(tiles) * TILE**2))
    return K
