"""Sparse matrices: products on several threads, the order of rows, and how they are saved."""

from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import reverse_cuthill_mckee

from .blocks import CACHED
from .threads import for_each, threads_worth


class SparseState:
    """A mixin that saves csr_arrays as plain arrays, which every reader of saved models knows.

    Attributes named in ``_remade`` are not saved. They are computed again when needed.

    Examples
    --------
    >>> import pickle
    >>> from lapwing.operators import MatrixOperator
    >>> saved = MatrixOperator(sp.csr_array([[1.0, 0.0], [0.0, 2.0]])).__getstate__()
    >>> sorted(saved["M"])
    ['csr', 'shape']
    """

    _remade: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        return {k: _plain(v) for k, v in vars(self).items() if k not in self._remade}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update({name: _sparse(value) for name, value in state.items()})


def _plain(value):
    if not isinstance(value, sp.csr_array):
        return value
    return {"csr": [value.data, value.indices, value.indptr], "shape": list(value.shape)}


def _sparse(value):
    if not (isinstance(value, dict) and set(value) == {"csr", "shape"}):
        return value
    return sp.csr_array(tuple(value["csr"]), shape=tuple(value["shape"]))


class RowBlocks:
    """A sparse matrix in blocks of rows, for products on as many threads as allowed.

    scipy's product releases the interpreter lock. Each row of the result depends on one row of A,
    so that the result does not depend on the number of threads. The blocks are cut once, because
    cutting copies.

    Parameters
    ----------
    A : csr_array of shape (m, n)
    dtype : numpy type, optional
        The default is that of A.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> RowBlocks(sp.csr_array([[0.0, 2.0], [1.0, 0.0]])) @ np.array([[1.0], [3.0]])
    array([[6.],
           [1.]])
    """

    def __init__(self, A: sp.csr_array, dtype=None):
        A = narrow(A).astype(dtype or A.dtype, copy=False)
        self.shape, self.nnz, self.dtype = A.shape, A.nnz, A.dtype
        # entries of a block: enough for the cost of a task, few enough to balance threads
        block = int(np.clip(A.nnz // 8, CACHED // 64, 2 * CACHED))
        inner = np.searchsorted(A.indptr, np.arange(block, A.nnz, block))
        self.cuts = np.unique(np.concatenate([[0], inner, [A.shape[0]]]))
        pairs = list(pairwise(self.cuts))
        self.blocks = [A] if len(pairs) < 2 else [A[a:b] for a, b in pairs]
        self._whole = [A] if A.nnz <= 2 * CACHED else []  # for products on one thread

    def __matmul__(self, F: np.ndarray) -> np.ndarray:
        """A F, (m, t) or (m,), in the common dtype of A and F."""
        threads = threads_worth(self.nnz * F[:1].size // 4)  # a multiplication costs little
        if self._whole and (threads == 1 or len(self.blocks) == 1):
            return self._whole[0] @ F
        F = np.ascontiguousarray(F)
        out = np.empty((self.shape[0], *F.shape[1:]), dtype=np.result_type(self.dtype, F.dtype))

        def rows(b: int) -> None:
            out[self.cuts[b] : self.cuts[b + 1]] = self.blocks[b] @ F

        for_each(rows, range(len(self.blocks)), threads)
        return out


def local_order(W: sp.csr_array) -> np.ndarray:
    """The reverse Cuthill–McKee order of a graph, (n,): neighbors get close numbers.

    A product W F reads a row of F for every edge. In the given order these rows lie anywhere, and
    outside the cache each read waits for the memory. A product with the neighbor graph of a million
    points then takes five times as long as in this order. Finding the order takes the time of two
    such products.

    Examples
    --------
    >>> path = sp.csr_array([[0, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 0]])
    >>> order = local_order(path)
    >>> in_order(path, order).toarray()
    array([[0, 1, 0, 0],
           [1, 0, 1, 0],
           [0, 1, 0, 1],
           [0, 0, 1, 0]])
    """
    return reverse_cuthill_mckee(sp.csr_matrix(W), symmetric_mode=True)


def in_order(A: sp.csr_array, order: np.ndarray) -> sp.csr_array:
    """A[order][:, order], with sorted column indices."""
    A = narrow(A)
    place = np.empty(len(order), dtype=A.indices.dtype)
    place[order] = np.arange(len(order))
    rows = A[order]
    out = sp.csr_array((rows.data, place[rows.indices], rows.indptr), shape=A.shape)
    out.sort_indices()
    return out


def narrow(A: sp.csr_array) -> sp.csr_array:
    """A with 32-bit indices where they suffice. Arrays are shared where nothing changes."""
    if max(A.nnz, *A.shape) > np.iinfo(np.int32).max:
        return A
    parts = (A.data, A.indices.astype(np.int32, copy=False), A.indptr.astype(np.int32, copy=False))
    return sp.csr_array(parts, shape=A.shape)


def norm_bound(L: sp.csr_array, degrees: np.ndarray) -> float:
    """max_i (|L| z)_i/z_i with z = √degree; it is at least ‖L‖, as for any z > 0."""
    z = np.sqrt(np.where(degrees > 0, degrees, 1.0))
    return float(np.max((abs(L) @ z) / z, initial=0.0))
