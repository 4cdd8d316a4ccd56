"""Clustered multi-task learning (CMTL), in its convex relaxation."""

from typing import Any

from lapwing.parameters.arguments import parameters
from lapwing.parameters.checks import check_count

from .base import PenalizedBaseline
from .cluster_norm import SquaredClusterNorm


@parameters
class ClusteredRegressor(PenalizedBaseline):
    """min (1/2l)‖Y − XW‖² + (α/2) η(1+η) tr(W (ηI + M)⁻¹ Wᵀ),  0 ⪯ M ⪯ I, tr M = k, η = β/α.

    For M = FFᵀ with F the normalized indicator of k clusters of targets, the penalty is
    (α/2) Σ ‖w_j − its cluster's mean‖² + (β/2)‖W‖²; M relaxes F. M is eliminated in closed form
    (:class:`~lapwing_papers.baselines.cluster_norm.SquaredClusterNorm`). With k ≥ t it is ridge
    regression at β.

    Parameters
    ----------
    n_clusters : int, default=2
        k.
    alpha : float, default=0.1
        α > 0, the weight of the scatter within clusters.
    beta : float, default=0.1
        β > 0, the weight of ‖W‖².
    {solving}

    Attributes
    ----------
    {fitted}

    References
    ----------
    Zhou, Chen, Ye 2011, *Clustered Multi-Task Learning via Alternating Structure Optimization*,
    eq. 9; MT §IV.D.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing_papers.baselines import ClusteredRegressor
    >>> X = np.random.default_rng(0).normal(size=(50, 4))
    >>> Y = X @ np.array([[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0.1]])
    >>> ClusteredRegressor(n_clusters=2, beta=0.01).fit(X, Y).optimality_ < 1e-6
    True
    """

    n_clusters: Any = 2
    alpha: Any = 0.1
    beta: Any = 0.1

    _positive = ("alpha", "beta")
    shared_over = ("alpha", "beta", "n_clusters")

    def _check_parameters(self):
        check_count("n_clusters", self.n_clusters)
        super()._check_parameters()

    def _fit(self, X, Y, seen):
        eta = self.beta / self.alpha
        k = min(self.n_clusters, Y.shape[1])
        penalty = SquaredClusterNorm(self.alpha * eta * (1 + eta), eta, k)
        squares = self._squares(X, Y, seen, reduced=True)
        B, gap, n_iter = self._minimum(squares, penalty)
        return squares.expanded(B), gap, n_iter
