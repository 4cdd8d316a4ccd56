"""A kernel that looks at some of the columns."""

from __future__ import annotations

import numpy as np

from .base import Kernel


class OnColumns(Kernel):
    """k(x, z) = k₁(x[columns], z[columns]).

    Sums of these are the summed kernel of several views, for every estimator that takes a
    kernel: ``OnColumns(Linear(), slice(0, 3000)) + OnColumns(RBF(), slice(3000, None))``.

    Parameters
    ----------
    kernel : Kernel
    columns : slice, list of int, or boolean mask

    Examples
    --------
    >>> from lapwing.kernels import Linear
    >>> both = OnColumns(Linear(), [0]) + 2.0 * OnColumns(Linear(), slice(1, 3))
    >>> both([[1.0, 2.0, 3.0]])
    array([[27.]])
    """

    def __init__(self, kernel, columns):
        self.kernel = kernel
        self.columns = columns

    def build(self, X, random_state=None) -> OnColumns:
        block = self._block(X)
        if block.shape[1] == 0:
            raise ValueError(f"OnColumns({self.columns!r}) selects none of {X.shape[1]} columns.")
        return OnColumns(self.kernel.build(block, random_state), self.columns)

    def __call__(self, X, Z=None) -> np.ndarray:
        return self.kernel(self._block(X), None if Z is None else self._block(Z))

    def diagonal(self, X) -> np.ndarray:
        return self.kernel.diagonal(self._block(X))

    def _block(self, X):
        X = X if hasattr(X, "shape") else np.asarray(X)
        return X[:, self.columns]
