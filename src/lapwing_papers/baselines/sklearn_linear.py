"""Least squares, lasso and group lasso: scikit-learn's, on the labeled rows."""

from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LinearRegression, MultiTaskLasso

from lapwing.exceptions import muted
from lapwing.parameters.arguments import parameters

from .base import LinearBaseline, PenalizedBaseline
from .penalties import Entrywise, RowLength
from .proximal import ProximalProblem


class LeastSquaresRegressor(LinearBaseline):
    """min ‖Y − XW‖², the solution of least norm (LSQ): scikit-learn's ``LinearRegression``.

    Parameters
    ----------
    fit_intercept : bool, default=True

    Attributes
    ----------
    coef_ : array of shape (d, t)
    intercept_ : array of shape (t,)
    optimality_ : float
        The norm of the gradient relative to that at zero.
    n_iter_ : int

    References
    ----------
    MT §IV.D.

    Examples
    --------
    >>> from lapwing_papers.baselines import LeastSquaresRegressor
    >>> nan = float("nan")
    >>> model = LeastSquaresRegressor().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, nan])
    >>> model.predict([[2.0]]).round(6).tolist()
    [5.0]
    """

    def __init__(self, *, fit_intercept=True):
        self.fit_intercept = fit_intercept

    def _check_parameters(self):
        pass

    def _fit(self, X, Y, seen):
        if seen.whole:
            W = LinearRegression(fit_intercept=False).fit(X, Y).coef_.T
        else:  # target by target, over its own rows
            line = LinearRegression(fit_intercept=self.fit_intercept)
            own = [line.fit(X[at], y[at]).coef_ for y, at in zip(Y.T, seen.mask.T, strict=True)]
            W = np.column_stack(own)
        scale = np.linalg.norm(X.T @ Y) or 1.0
        return W, float(np.linalg.norm(X.T @ seen(X @ W - Y)) / scale), 1


@parameters
class DescentBaseline(PenalizedBaseline):
    """One penalty, by scikit-learn's coordinate descent where every target is known; abstract."""

    alpha: Any = 0.1

    _model: ClassVar[type]  # scikit-learn's
    _norm: ClassVar[type]  # its penalty

    def _fit(self, X, Y, seen):
        squares, penalty = self._squares(X, Y, seen), self._norm(self.alpha)
        if not seen.whole:
            return self._minimum(squares, penalty)
        # scikit-learn stops each column at tol relative to ‖y‖², ours is over all columns.
        model = self._model(
            alpha=self.alpha, fit_intercept=False, tol=0.1 * self.tol, max_iter=self.max_iter
        )
        start = self._start()
        if start is not None:
            model.set_params(warm_start=True).coef_ = np.asfortranarray(start.T)
        with muted(ConvergenceWarning):  # the gap below tells
            model.fit(np.asfortranarray(X), Y)
        W = model.coef_.reshape(Y.shape[1], -1).T.copy()
        self._leave(W)
        return W, ProximalProblem(squares, penalty).gap(W), int(np.max(model.n_iter_))


@parameters
class LassoRegressor(DescentBaseline):
    """min (1/2l)‖Y − XW‖² + α Σ_jk |W_jk| (MTL): scikit-learn's ``Lasso``.

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
    MT §IV.D.

    Examples
    --------
    >>> from lapwing_papers.baselines import LassoRegressor
    >>> LassoRegressor(alpha=10.0).fit([[0.0], [1.0]], [0.0, 1.0]).coef_.tolist()
    [[0.0]]
    """

    _model, _norm = Lasso, Entrywise


@parameters
class GroupLassoRegressor(DescentBaseline):
    """min (1/2l)‖Y − XW‖² + α Σ_j ‖W_j‖₂ (JFS): scikit-learn's ``MultiTaskLasso``.

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
    Argyriou, Evgeniou, Pontil 2007, *Multi-task Feature Learning*; MT §IV.D.

    Examples
    --------
    >>> from lapwing_papers.baselines import GroupLassoRegressor
    >>> GroupLassoRegressor(alpha=10.0).fit([[0.0], [1.0]], [0.0, 1.0]).coef_.tolist()
    [[0.0]]
    """

    _model, _norm = MultiTaskLasso, RowLength
