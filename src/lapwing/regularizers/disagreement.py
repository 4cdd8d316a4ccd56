"""How far several views disagree, and what each of them is penalized for on its own."""

from typing import Any

import numpy as np

from ..operators import DisagreementOperator, PSDOperator
from ..types import MatrixLike, TargetLike
from .base import Regularizer


class Disagreement(Regularizer):
    """Between-view disagreement Σ_{j<k} ‖f^j − f^k‖², or the distance from a consensus.

    f^j are the values of view j at all rows. The estimators of several views build it
    (:class:`lapwing.CoRLSClassifier`, :class:`lapwing.MultiViewKernel`).

    Parameters
    ----------
    precisions : array of shape (m,), optional
        A weight w_j > 0 for each view: the term of a row is then min over g of
    Σ_j w_j (f^j − g)². None takes the differences of all pairs of views.

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
