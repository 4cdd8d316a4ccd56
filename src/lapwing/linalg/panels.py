"""Operations of iterations on many rows and few columns, in blocks that stay in the cache."""

import numpy as np

from .blocks import cached_blocks
from .threads import for_each, threads_worth


def column_products(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """⟨a, b⟩ of each column, in the precision of A; blocks of rows are summed in float64.

    Examples
    --------
    >>> column_products(np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[3.0, 1.0], [1.0, 1.0]]))
    array([5., 1.])
    """
    blocks = cached_blocks(*A.shape)
    parts = np.zeros((len(blocks), A.shape[1]))

    def part(b: int) -> None:
        parts[b] = np.einsum("it,it->t", A[blocks[b]], B[blocks[b]])

    for_each(part, range(len(blocks)), threads_worth(A.size))
    return parts.sum(axis=0).astype(A.dtype)


def column_norms(A: np.ndarray) -> np.ndarray:
    """‖a‖ of each column.

    Examples
    --------
    >>> column_norms(np.array([[3.0, 0.0], [4.0, 0.0]]))
    array([5., 0.])
    """
    return np.sqrt(np.einsum("it,it->t", A, A))


def unit_columns(rows: np.ndarray, n: int) -> np.ndarray:
    """The unit vectors of the given rows, (n, len(rows)).

    Examples
    --------
    >>> unit_columns(np.array([2]), 3).ravel()
    array([0., 0., 1.])
    """
    found = np.zeros((n, len(rows)))
    found[rows, np.arange(len(rows))] = 1.0
    return found


def add_multiple(A: np.ndarray, scale, B: np.ndarray) -> None:
    """a ← a + s b in place; s is a number, one per column, or one per row, (n, 1)."""
    each = np.broadcast_to(np.asarray(scale, dtype=A.dtype), B.shape)

    def part(rows: slice) -> None:
        A[rows] += each[rows] * B[rows]

    for_each(part, cached_blocks(*A.shape), threads_worth(A.size))


def multiple_plus(A: np.ndarray, scale: np.ndarray, B: np.ndarray) -> None:
    """a ← s a + b in place, with one s per column."""

    def part(rows: slice) -> None:
        A[rows] *= scale
        A[rows] += B[rows]

    for_each(part, cached_blocks(*A.shape), threads_worth(A.size))
