"""Which of some rows are training rows: what the points themselves answer for."""

import numpy as np

from ..graphs.row_keys import row_keys


class KnownRows:
    """The rows of a matrix, to be recognized in another one.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)

    Examples
    --------
    >>> known = KnownRows(np.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> known.find(np.array([[2.0, 3.0], [2.0, 3.1]]))
    array([ 1, -1])
    """

    def __init__(self, X):
        keys = row_keys(X)
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]

    def find(self, X) -> np.ndarray:
        """The training row that each row of X is, the first of equal ones, or −1, (m,)."""
        keys = row_keys(X)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.order[at], -1)
