"""Which rows of a matrix are training rows."""

import numpy as np

from ..graphs.row_keys import mean_of_copies, row_keys


class KnownRows:
    """The rows of a matrix X, to be recognized in another matrix.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
        The training rows.

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
        """For each row of X the first equal training row, or −1: integers, (m,)."""
        keys = row_keys(X)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.order[at], -1)

    def shared(self, values: np.ndarray) -> np.ndarray:
        """Values at the training rows, (n, t): equal rows get their mean."""
        return mean_of_copies(self.keys, self.order, values)
