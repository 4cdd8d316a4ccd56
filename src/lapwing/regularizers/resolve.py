"""From what people type to a regularizer."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..graphs import KNN
from .base import Regularizer
from .laplacian import Laplacian
from .matrix import Matrix

__all__ = ["get_regularizer"]


def get_regularizer(regularizer=None) -> Regularizer:
    """The regularizer that an estimator's parameter means.

    ========================  ================================
    given                     meant
    ========================  ================================
    None                      ``Laplacian(KNN(), degree=2)``
    a Regularizer             itself
    a dense or sparse matrix  ``Matrix(M)``, checked by build
    ========================  ================================

    Parameters
    ----------
    regularizer : Regularizer, array or sparse matrix of shape (n, n), optional

    Returns
    -------
    Regularizer

    Examples
    --------
    >>> get_regularizer(None)
    Laplacian(degree=2, graph=KNN())
    """
    if regularizer is None:
        return Laplacian(KNN(), degree=2)
    if isinstance(regularizer, Regularizer):
        return regularizer
    if sp.issparse(regularizer) or np.ndim(regularizer) > 0:  # a data frame or a list too
        return Matrix(regularizer)
    hint = f"; write {regularizer.__name__}()" if isinstance(regularizer, type) else ""
    raise TypeError(
        f"regularizer must be a Regularizer such as Laplacian(KNN(k=10)), a positive "
        f"semi-definite matrix over the rows of X, or None, got {regularizer!r}{hint}."
    )
