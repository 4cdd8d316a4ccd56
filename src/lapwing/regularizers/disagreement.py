"""The penalty on the disagreement of several views."""

from typing import Any

import numpy as np

from ..operators import DisagreementOperator, PSDOperator
from ..types import MatrixLike, TargetLike
from .base import Regularizer


class Disagreement(Regularizer):
    """Σ_{j<k} ‖f^j − f^k‖², the disagreement of several views, or their distance to a consensus.

    f^j holds the values of view j at all rows. :class:`lapwing.CoRLSClassifier` and
    :class:`lapwing.MultiViewKernel` build this penalty.

    Parameters
    ----------
    precisions : array of shape (m,), optional
        A weight w_j > 0 for each of the m views. The term of a row is then the minimum over g of
        Σ_j w_j (f^j − g)², where g is the consensus. None uses the differences of all pairs of
        views.

    Examples
    --------
    >>> Disagreement()
    Disagreement()
    """

    joins_views = True

    def __init__(self, precisions: Any = None) -> None:
        self.precisions = precisions

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        if not hasattr(X, "rows"):
            raise TypeError(
                "Disagreement needs rows that are split into views: use it as the regularizer of "
                "a MultiViewKernel, or fit CoRLSClassifier."
            )
        w = self.precisions
        if w is not None:
            w = np.asarray(w, dtype=float)
            if w.shape != (len(X.rows),) or not (np.isfinite(w).all() and (w > 0).all()):
                raise ValueError(
                    f"precisions must be one positive number for each of the {len(X.rows)} views, "
                    f"got {self.precisions!r}."
                )
        return DisagreementOperator(X.rows, X.n, w)
