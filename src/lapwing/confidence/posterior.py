"""The variance of a fit with the squared loss: the Gaussian process of the deformed kernel."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ..linalg.blocks import row_blocks
from ..problem import Problem
from ..spaces import scalar
from .processes import process_of


class Posterior:
    """f given y, where f ~ GP(0, τ²K̃) and y_i = f(x_i) + b + noise of variance τ²/w_i.

    Both penalties together are the norm of K̃, so the mean of f is the minimizer of the squared
    loss. The variance of f then measures the uncertainty of the fit. The intercept b has no prior,
    and its uncertainty counts. τ² is one number per output. It gives the standardized leave-one-out
    residuals the variance 1: τ² = mean_i r_i²/v_i.

    Parameters
    ----------
    objective : Problem
        The problem, in any space. Related outputs with single missing entries, or with a penalty
        that couples them, are one process over all observed pairs (row, output).

    References
    ----------
    MR eq. 8 read as a posterior mean; Rasmussen, Williams 2006, §2.7 (free functions), §5.4.2.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LapRLSRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.where(np.arange(60) % 6 == 0, np.sin(X[:, 0]), np.nan)
    >>> model = LapRLSRegressor(kernel="rbf", gamma_A=1e-3, gamma_I=0.1).fit(X, y)
    >>> spread = Posterior(model.objective_).deviation(np.array([[3.0], [40.0]]))
    >>> bool(spread[1, 0] > spread[0, 0] > 0)
    True
    """

    def __init__(self, objective: Problem):
        self.y = objective.y
        self.w = objective.w
        self.weights = np.broadcast_to(objective.w, objective.y.shape)
        self.deformation, self.space = objective.deformation, scalar(objective.space)
        self.process = process_of(objective)

    @cached_property
    def tau2(self) -> np.ndarray:
        """τ² of each output, (q,)."""
        standard = self.standard_residuals()
        seen = ~np.isnan(standard)
        counts = np.maximum(seen.sum(axis=0), 1)
        return (np.where(seen, standard, 0.0) ** 2).sum(axis=0) / counts

    def residuals(self) -> np.ndarray:
        """y_i minus the prediction of the fit without row i, (l, q), as in ``leave_one_out_``.

        NaN if nothing was observed.
        """
        return np.where(self.weights > 0, self.process.residuals(self.y)[0], np.nan)

    def standard_residuals(self) -> np.ndarray:
        """The leave-one-out residuals divided by their own deviation over τ, (l, q)."""
        residual, variance = self.process.residuals(self.y)
        known = (self.weights > 0) & (variance > 0)
        root = np.sqrt(np.where(known, variance, 1.0))
        return np.where(known, residual / root, np.nan)

    def variance(self, X) -> np.ndarray:
        """The variance of f + b at each row of X, (n, q), without the noise."""
        return self._in_blocks(self.process.variance, X) * self.tau2

    def _in_blocks(self, of: Callable, X) -> np.ndarray:
        """A number for each row of X, and sections of only some of the rows at once."""
        blocks = row_blocks(X.shape[0], len(self.space.gram) or len(self.y))
        return np.concatenate([of(X[rows]) for rows in blocks]) if len(blocks) > 1 else of(X)

    @property
    def noise(self) -> np.ndarray:
        """The variance of the noise at a row of average weight, (q,)."""
        return self.tau2 * _mean_inverse(self.weights)

    def deviation(self, X) -> np.ndarray:
        """The standard deviation of a new y at each row of X, (n, q).

        It is √(variance + noise), but at most the standard deviation of the labels (or of the
        noise, if that is larger). Far from all rows only the prior counts. γ_A sets its scale, and
        γ_A is chosen for predictions and not for their spread, so the limit is needed. A space of
        leading eigenvectors holds only a share of k(x, x). For the rest of x the deviation is this
        maximum.
        """
        spread = np.array([np.var(y[w > 0]) for y, w in zip(self.y.T, self.weights.T, strict=True)])
        ceiling = np.maximum(spread, self.noise)
        known = np.minimum(self.variance(X) + self.noise, ceiling)
        held = self.space.covariance.resolved(X)[:, None]
        known = held * known + (1.0 - held) * ceiling
        return np.sqrt(known)

    def novelty(self, X) -> np.ndarray:
        """The share of the prior variance that rows and labels leave at each row of X, (n,) in [0,
        1].

        It is 1 far from every row, and 0 if everything is known: Σ (K̃(x, x) − k̃ᵀC⁻¹k̃)/Σ k(x,
        x)/γ_A over the outputs. For a space of leading eigenvectors of a kernel, it is the share of
        k(x, x) that these leave.
        """
        if self.space.covariance.partial:
            return 1.0 - self.space.covariance.resolved(X)
        left = self._in_blocks(self.process.left, X)
        before = self.deformation.ambient(X, self.y.shape[1]).sum(axis=1)
        return np.divide(left, before, out=np.zeros_like(left), where=before > 0).clip(0.0, 1.0)


def _mean_inverse(weights: np.ndarray) -> np.ndarray:
    seen = weights > 0
    total = np.where(seen, 1.0 / np.where(seen, weights, 1.0), 0.0).sum(axis=0)
    return total / np.maximum(seen.sum(axis=0), 1)
