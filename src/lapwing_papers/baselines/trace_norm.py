"""Trace-norm regularization (TNR): the models of the targets span few directions."""

from typing import Any

from lapwing.parameters.arguments import parameters

from .base import PenalizedBaseline
from .penalties import Nuclear


@parameters
class TraceNormRegressor(PenalizedBaseline):
    """min (1/2l)‖Y − XW‖² + α Σ singular values of W.

    Parameters
    ----------
    alpha : float, default=0.1
        > 0.
    {solving}

    Attributes
    ----------
    {fitted}

    References
    ----------
    Ji, Ye 2009, *An Accelerated Gradient Method for Trace Norm Minimization*; MT §IV.D.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing_papers.baselines import TraceNormRegressor
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
