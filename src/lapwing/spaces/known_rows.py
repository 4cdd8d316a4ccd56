"""Which rows of a matrix are training rows."""

import numpy as np

from ..graphs.row_keys import mean_of_copies, row_keys
from ..graphs.row_shadows import Shadows


class KnownRows:
    """The rows of a matrix X, to be recognized in another matrix.

    Rows whose entries agree to about thirteen digits are equal: ``transform`` of some transformers
    (TF-IDF, PCA) rounds otherwise than their ``fit_transform``.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
        The training rows.
    rounded : bool
        Whether rows that were rounded otherwise are looked for. False: only equal ones.

    Examples
    --------
    >>> known = KnownRows(np.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> known.find(np.array([[2.0, 3.0], [2.0, 3.0001], [2.0, np.nextafter(3.0, 4.0)]]))
    array([ 1, -1,  1])
    """

    shadows: Shadows | None = None

    def __init__(self, X, rounded: bool = True):
        keys = row_keys(X)
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]
        self.shadows = Shadows(X) if rounded else None

    def find(self, X) -> np.ndarray:
        """For each row of X the first equal training row, or −1: integers, (m,)."""
        keys = row_keys(X)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found = np.where(self.keys[at] == keys, self.order[at], -1)
        if self.shadows and (found < 0).any():
            new = np.flatnonzero(found < 0)
            found[new] = self.shadows.find(X[new])
        return found

    def shared(self, values: np.ndarray) -> np.ndarray:
        """Values at the training rows, (n, t): equal rows get their mean."""
        return mean_of_copies(self.keys, self.order, values)
