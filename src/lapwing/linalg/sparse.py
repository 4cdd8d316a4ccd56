"""Sparse matrices: their products on as many threads as allowed, and how they are saved."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from .threads import available_threads, for_each

__all__ = ["SparseState", "spmm"]

# Below this many multiplications a thread pool costs more than it saves.
_PARALLEL_WORK = 20_000_000
# Bytes of the result per task: enough to amortise a task, few enough to balance the threads.
_CHUNK_BYTES = 2**23


class SparseState:
    """Saves csr_arrays as plain arrays, which every reader of saved models knows; a mixin.

    Attributes named in ``_remade`` are not saved: they are made again when asked for.

    Examples
    --------
    >>> import pickle
    >>> from lapwing.operators import MatrixOperator
    >>> saved = MatrixOperator(sp.csr_array([[1.0, 0.0], [0.0, 2.0]])).__getstate__()
    >>> sorted(saved["M"])
    ['csr', 'shape']
    """

    _remade: tuple[str, ...] = ()

    def __getstate__(self) -> dict:
        return {k: _plain(v) for k, v in vars(self).items() if k not in self._remade}

    def __setstate__(self, state: dict) -> None:
        vars(self).update({name: _sparse(value) for name, value in state.items()})


def _plain(value):
    if not isinstance(value, sp.csr_array):
        return value
    return {"csr": [value.data, value.indices, value.indptr], "shape": list(value.shape)}


def _sparse(value):
    if not (isinstance(value, dict) and set(value) == {"csr", "shape"}):
        return value
    return sp.csr_array(tuple(value["csr"]), shape=tuple(value["shape"]))


def spmm(A: sp.csr_array, F: np.ndarray) -> np.ndarray:
    """A F for a sparse A and a dense F, split over row blocks of A when the product is large.

    scipy's product releases the interpreter lock, and each row of the result depends on one
    row of A only: the answer does not depend on the number of threads.

    Parameters
    ----------
    A : csr_array of shape (m, n)
    F : array of shape (n, t)

    Returns
    -------
    array of shape (m, t), in the common dtype of A and F.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> spmm(sp.csr_array([[0.0, 2.0], [1.0, 0.0]]), np.array([[1.0], [3.0]]))
    array([[6.],
           [1.]])
    """
    if A.nnz * F.shape[1] < _PARALLEL_WORK:
        return A @ F
    threads = available_threads()
    if threads == 1:
        return A @ F
    return _spmm_threaded(A, F, threads)


def _spmm_threaded(A: sp.csr_array, F: np.ndarray, threads: int) -> np.ndarray:
    F = np.ascontiguousarray(F)
    m, t = A.shape[0], F.shape[1]
    out = np.empty((m, t), dtype=np.result_type(A.dtype, F.dtype))
    step = max(1, _CHUNK_BYTES // max(1, t * out.itemsize))

    def rows(start: int) -> None:
        out[start : start + step] = A[start : start + step] @ F

    for_each(rows, range(0, m, step), threads)
    return out
