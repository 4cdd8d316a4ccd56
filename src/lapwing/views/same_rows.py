"""Which training rows the rows of another matrix are, recognized by their entries."""

from hashlib import blake2b

import numpy as np
import scipy.sparse as sp

from ..types import MatrixLike


def row_keys(X: MatrixLike) -> list[str]:
    """A hash of the entries of each row that are not zero: the same for dense and CSR rows.

    Examples
    --------
    >>> a, b = row_keys(np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> a == b, row_keys(sp.csr_array([[1.0, 0.0]])) == [a]
    (False, True)
    """
    X = sp.csr_array(X, copy=True)
    X.eliminate_zeros()
    X.sort_indices()
    X.data[np.isnan(X.data)] = np.nan  # a missing view has one NaN only
    columns = X.indices.astype(np.int64)
    ends = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    return [
        blake2b(columns[i:j].tobytes() + X.data[i:j].tobytes(), digest_size=16).hexdigest()
        for i, j in ends
    ]


def same_rows(known: list[str], keys: list[str]) -> list[list[int]]:
    """The training rows that each row is, by their keys; none where it is no training row."""
    if keys == known:  # all of them, in order: rows that are equal keep their own values
        return [[i] for i in range(len(keys))]
    at: dict[str, list[int]] = {}
    for i, key in enumerate(known):
        at.setdefault(key, []).append(i)
    return [at.get(key, []) for key in keys]


def averages(known: list[str], keys: list[str], remedy: str) -> sp.csr_array:
    """S, (len(keys), n): S f is f at these rows, the mean where several training rows are equal.

    Parameters
    ----------
    known, keys : lists of str
        Of the n training rows, and of those asked for.
    remedy : str
        What an error about rows that are no training rows ends with.
    """
    found = same_rows(known, keys)
    lacking = [i for i, rows in enumerate(found) if not rows]
    if lacking:
        raise ValueError(
            f"{len(lacking)} of the {len(found)} rows are not training rows (row {lacking[0]} "
            f"first). {remedy}"
        )
    counts = [len(rows) for rows in found]
    shares = np.repeat(1.0 / np.asarray(counts, dtype=float), counts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return sp.csr_array((shares, np.concatenate(found), starts), shape=(len(keys), len(known)))
