"""Trace-norm regularisation (TNR): the models of the targets span few directions."""

from __future__ import annotations

from typing import Any

from ..linalg.arguments import parameters
from .base import PenalizedBaseline
from .penalties import Nuclear


@parameters
class TraceNormRegressor(PenalizedBaseline):
    """min (1/2l)‖Y − XW‖² + α Σ singular values of W.

    Parameters
    ----------
    alpha : float, default=0.1
        > 0.
    fit_intercept : bool, default=True
    tol : float, default=1e-6
        Bound on the relative duality gap.
    max_iter : int, default=20000

    Attributes
    ----------
    coef_ : array of shape (d, t)
    intercept_ : array of shape (t,)
    optimality_ : float
        The relative duality gap.
    n_iter_ : int

    References
    ----------
    Ji, Ye 2009, *An Accelerated Gradient Method for Trace Norm Minimization*; MT §IV.D.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.baselines import TraceNormRegressor
    >>> X = np.random.default_rng(0).normal(size=(50, 4))
    >>> Y = X[:, :1] @ np.ones((1, 3))
    >>> int(np.linalg.matrix_rank(TraceNormRegressor().fit(X, Y).coef_, tol=1e-8))
    1
    """

    alpha: Any = 0.1

    def _fit(self, X, Y, seen):
        squares = self._squares(X, Y, seen, reduced=True)
        B, gap, n_iter = self._minimum(squares, Nuclear(self.alpha))
        return squares.expanded(B), gap, n_iter
