"""Which label would help most: what one more label changes, by rank-one formulas."""

from collections.abc import Callable

import numpy as np

from ..objective import Objective
from .gaussian import Gaussian

POINTS, FEWER = 2000, 200
"""Rows among which labels are weighed, at most; the second where K̃ has no factor."""

SHORTLIST = 50
JUDGED = 500
"""How many candidates the expected error is computed for, and at how many points."""


class ActiveLearning:
    """The posterior covariance S over rows of the training set, updated label by label.

    A label at x_i changes f by S_i (y_i − f_i)/(S_ii + ν) and S by −S_iS_iᵀ/(S_ii + ν), ν the
    noise: no refit. S is that of the squared loss, also where the fit has another one.

    Parameters
    ----------
    objective : Objective
        Of several outputs the mean of their kernels counts: a label tells all of them.
    seed : int
        Draws the rows where there are more than 2,000 (200 where K̃ has no factor).

    References
    ----------
    Zhu, Lafferty, Ghahramani 2003, *Combining active learning and semi-supervised learning using
    Gaussian fields and harmonic functions*; Ji, Han 2012, *A variance minimization criterion to
    active learning on graphs*.
    """

    def __init__(self, objective: Objective, seed: int = 0):
        n, labeled = objective.n_rows, objective.rows
        others = np.setdiff1d(np.arange(n), labeled)
        most = POINTS if objective.deformation.factored else FEWER
        if len(others) > most:
            others = np.sort(np.random.default_rng(seed).choice(others, most, replace=False))
        self.rows = others
        everything = np.concatenate([labeled, others])
        K = objective.deformation.gram(everything).marginal(objective.n_columns)
        l, free = len(labeled), objective.space.free
        E = None if free is None else free[everything]
        w = objective.w.max(axis=1)
        gaussian = Gaussian(K[:l, :l], w, None if E is None else E[:l])
        h = None if E is None else E[l:]
        self.S = gaussian.covariance(K[l:, :l], K[l:, :l], K[l:, l:], h, h)
        self.noise = float(np.mean(1.0 / w)) + 1.0
        self.open = np.ones(len(others), dtype=bool)

    def gain(self) -> np.ndarray:
        """How much a label at each row lowers the total variance, Σ_j S_ji²/(S_ii + ν)."""
        fall = np.einsum("ji,ji->i", self.S, self.S) / (np.diagonal(self.S) + self.noise)
        return np.where(self.open, fall, -np.inf)

    def step(self, i: int) -> np.ndarray:
        """S_i/(S_ii + ν): how f moves, per unit of y_i − f_i."""
        return self.S[:, i] / (self.S[i, i] + self.noise)

    def take(self, i: int) -> None:
        """Row i is labeled from now on."""
        self.S -= np.outer(self.step(i), self.S[i])
        self.open[i] = False


def variance_reduction(queries: ActiveLearning, n: int) -> np.ndarray:
    """n rows, one after the other, each with the largest fall of the total variance."""
    chosen = []
    for _ in range(min(n, len(queries.rows))):
        i = int(queries.gain().argmax())
        chosen.append(queries.rows[i])
        queries.take(i)
    return np.array(chosen, dtype=int)


def expected_error(
    queries: ActiveLearning, f: np.ndarray, targets: np.ndarray, probability: Callable, n: int
) -> np.ndarray:
    """n rows, each with the smallest error expected after its label is known.

    The label is unknown: each class counts with its present probability. Between two choices the
    first is taken to have its most probable label.

    Parameters
    ----------
    queries : ActiveLearning
    f : array of shape (m, t)
        Scores at ``queries.rows``.
    targets : array of shape (q, t)
        What a label of each class is as a target, ±1.
    probability : callable
        (m, t) scores ↦ (m, q) probabilities.
    n : int
    """
    chosen, f = [], f.copy()
    for _ in range(min(n, len(queries.rows))):
        p = probability(f)
        i = _least_risk(queries, f, p, targets, probability)
        chosen.append(queries.rows[i])
        f += np.outer(queries.step(i), targets[p[i].argmax()] - f[i])
        queries.take(i)
    return np.array(chosen, dtype=int)


def _least_risk(queries: ActiveLearning, f, p, targets, probability) -> int:
    doubt = 1.0 - p.max(axis=1)
    promise = np.where(queries.open, queries.gain() * np.maximum(doubt, 1e-12), -np.inf)
    shortlist = np.argsort(-promise)[:SHORTLIST]
    shortlist = shortlist[queries.open[shortlist]]
    judged = np.unique(np.linspace(0, len(f) - 1, JUDGED).astype(int))
    risks = [_risk(queries.step(i)[judged], f[judged], f[i], p[i], targets, probability)
             for i in shortlist]  # fmt: skip
    return int(shortlist[int(np.argmin(risks))])


def _risk(step, f, f_i, p_i, targets, probability) -> float:
    """Σ_c p_c · mean (1 − largest probability) once the label is c."""
    likely = np.flatnonzero(p_i > 1e-3)
    risk = [1.0 - probability(f + np.outer(step, targets[c] - f_i)).max(axis=1).mean()
            for c in likely]  # fmt: skip
    return float(p_i[likely] @ risk)
