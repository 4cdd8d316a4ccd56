"""The dirty model (DM): a part shared by all targets and a part of each one's own."""

from typing import Any

from lapwing.parameters.arguments import parameters

from .base import PenalizedBaseline
from .dirty_norm import DirtyNorm


@parameters
class DirtyModelRegressor(PenalizedBaseline):
    """min (1/2l)‖Y − X(B + S)‖² + α_B Σ_j max_k |B_jk| + α_S Σ_jk |S_jk|.

    The rows of B are features that all targets share, the entries of S those of single targets.
    Solved over W = B + S with the cheapest parts of each W
    (:class:`~lapwing_papers.baselines.dirty_norm.DirtyNorm`).

    Parameters
    ----------
    alpha_shared : float, default=0.1
        α_B > 0.
    alpha_own : float, default=0.1
        α_S > 0. Where α_S ≥ α_B a shared row never costs more than its entries: S = 0 will do.
    {solving}

    Attributes
    ----------
    shared_, own_ : array of shape (d, t)
        B and S; ``coef_`` is their sum.
    {fitted}

    References
    ----------
    Jalali, Sanghavi, Ruan, Ravikumar 2010, *A Dirty Model for Multi-task Learning*; MT §IV.D.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing_papers.baselines import DirtyModelRegressor
    >>> X = np.random.default_rng(0).normal(size=(50, 4))
    >>> Y = np.column_stack([X[:, 0], X[:, 0] + X[:, 1]])
    >>> model = DirtyModelRegressor(alpha_shared=0.01, alpha_own=0.01).fit(X, Y)
    >>> model.optimality_ < 1e-6
    True
    """

    alpha_shared: Any = 0.1
    alpha_own: Any = 0.1

    _positive = shared_over = ("alpha_shared", "alpha_own")

    def _fit(self, X, Y, seen):
        penalty = DirtyNorm(self.alpha_shared, self.alpha_own)
        W, gap, n_iter = self._minimum(self._squares(X, Y, seen), penalty)
        self.shared_, self.own_ = penalty.parts(W)
        return W, gap, n_iter
