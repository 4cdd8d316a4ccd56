"""Many rows and few columns: what iterations do with them, in blocks that stay in the cache."""

import numpy as np

from .blocks import cut
from .threads import available_threads, for_each

_BLOCK = 1 << 17  # numbers at once
_PARALLEL_SIZE = 1 << 20  # numbers, below which threads cost more than they save


def products(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """⟨a, b⟩ of each column in the precision of A, blocks of rows added up in float64.

    Examples
    --------
    >>> products(np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[3.0, 1.0], [1.0, 1.0]]))
    array([5., 1.])
    """
    blocks = _blocks(A)
    parts = np.zeros((len(blocks), A.shape[1]))

    def part(b: int) -> None:
        parts[b] = np.einsum("it,it->t", A[blocks[b]], B[blocks[b]])

    for_each(part, range(len(blocks)), _threads(A))
    return parts.sum(axis=0).astype(A.dtype)


def norms(A: np.ndarray) -> np.ndarray:
    """‖a‖ of each column.

    Examples
    --------
    >>> norms(np.array([[3.0, 0.0], [4.0, 0.0]]))
    array([5., 0.])
    """
    return np.sqrt(np.einsum("it,it->t", A, A))


def units(rows: np.ndarray, n: int) -> np.ndarray:
    """The unit vectors of some of n rows, (n, len(rows)).

    Examples
    --------
    >>> units(np.array([2]), 3).ravel()
    array([0., 0., 1.])
    """
    found = np.zeros((n, len(rows)))
    found[rows, np.arange(len(rows))] = 1.0
    return found


def add_multiple(A: np.ndarray, scale, B: np.ndarray) -> None:
    """a ← a + s b in place, s a number, one for each column, or one for each row, (n, 1)."""
    each = np.broadcast_to(np.asarray(scale, dtype=A.dtype), B.shape)

    def part(rows: slice) -> None:
        A[rows] += each[rows] * B[rows]

    for_each(part, _blocks(A), _threads(A))


def multiple_plus(A: np.ndarray, scale: np.ndarray, B: np.ndarray) -> None:
    """a ← s a + b in place."""

    def part(rows: slice) -> None:
        A[rows] *= scale
        A[rows] += B[rows]

    for_each(part, _blocks(A), _threads(A))


def _blocks(A: np.ndarray) -> list[slice]:
    return cut(slice(len(A)), max(1, _BLOCK // max(A.shape[1], 1)))


def _threads(A: np.ndarray) -> int:
    return available_threads() if A.size >= _PARALLEL_SIZE else 1
