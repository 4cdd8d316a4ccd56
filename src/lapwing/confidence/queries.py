"""Which label would help most: what one more label changes, by rank-one formulas."""

from collections.abc import Callable

import numpy as np

from ..linalg.labeled import Labeled
from ..objective import Objective
from ..spaces.kept import kept_deformation

EVERY = 300
"""Unlabeled rows up to which each is a candidate."""

CANDIDATES, FEWER = 100, 12
"""Candidates of more rows, and of graphs of many rows, where each costs a run of iterations."""

JUDGED = 300
"""Rows at which the effect of a label is looked at."""

SHORTLIST = 50
"""Candidates whose expected error is computed."""


class ActiveLearning:
    """The posterior covariance S between points and candidates, updated label by label.

    A label at x_i changes f by S_i (y_i − f_i)/(S_ii + ν) and S by −S_iS_iᵀ/(S_ii + ν), ν the
    noise: no refit. S is that of the squared loss, also where the fit has another one. Of more than
    300 unlabeled rows some are candidates, half of them those of most doubt, half drawn; the effect
    of a label is looked at there and at 300 drawn rows.

    Parameters
    ----------
    objective : Objective
        Of several outputs the mean of their kernels counts: a label tells all of them.
    doubt : array of shape (n,), optional
        How much is in doubt at each row; None where nothing is known of it.
    n : int
        How many rows will be asked for: there are more candidates than that.
    seed : int
        Draws the rows.

    Attributes
    ----------
    rows : integer array of shape (c,)
        The candidates.
    points : integer array of shape (m,)
        All rows that are looked at, the candidates first.
    S : array of shape (m, c)

    References
    ----------
    Zhu, Lafferty, Ghahramani 2003, *Combining active learning and semi-supervised learning using
    Gaussian fields and harmonic functions*; Ji, Han 2012, *A variance minimization criterion to
    active learning on graphs*.
    """

    def __init__(
        self,
        objective: Objective,
        doubt: np.ndarray | None = None,
        n: int = 1,
        seed: int = 0,
    ):
        labeled, draw = objective.rows, np.random.default_rng(seed)
        others = np.setdiff1d(np.arange(objective.n_rows), labeled)
        self.rows, judged = _drawn(others, doubt, _most(objective, n), draw)
        self.points = np.concatenate([self.rows, judged])
        k, cross, prior = _covariances(objective, labeled, self.rows, self.points)
        free, w = objective.space.free, objective.w.max(axis=1)
        h, E = (None, None) if free is None else (free[self.points], free[labeled])
        own = None if h is None else h[: len(self.rows)]
        system = Labeled(k, w, E)
        self.S = system.covariance(cross, cross[: len(self.rows)], prior, h, own)
        self.noise = float(np.mean(1.0 / w)) + 1.0
        self.open = np.ones(len(self.rows), dtype=bool)

    def gain(self) -> np.ndarray:
        """How much a label at each candidate lowers the total variance, Σ_j S_ji²/(S_ii + ν)."""
        fall = np.einsum("ji,ji->i", self.S, self.S) / (np.diagonal(self.S) + self.noise)
        return np.where(self.open, fall, -np.inf)

    def step(self, i: int) -> np.ndarray:
        """S_i/(S_ii + ν): how f moves, per unit of y_i − f_i."""
        return self.S[:, i] / (self.S[i, i] + self.noise)

    def take(self, i: int) -> None:
        """Row i is labeled from now on."""
        self.S -= np.outer(self.step(i), self.S[i])
        self.open[i] = False


def _most(objective: Objective, n: int) -> int:
    """How many candidates there are, at most."""
    few = objective.n_rows > EVERY and not objective.deformation.factored
    return max(FEWER if few else CANDIDATES, 2 * n)


def _drawn(others: np.ndarray, doubt, most: int, draw) -> tuple[np.ndarray, np.ndarray]:
    """Candidates and further rows to look at, ascending each."""
    if len(others) <= EVERY:
        return others, others[:0]
    first = others[:0]
    if doubt is not None:
        doubtful = others[np.argsort(-doubt[others], kind="stable")[: 5 * most]]
        first = draw.choice(doubtful, min(len(doubtful), most // 2), replace=False)
    rest = draw.permutation(np.setdiff1d(others, first))
    rows = np.sort(np.concatenate([first, rest[: most - len(first)]]))
    judged = rest[most - len(first) :][:JUDGED]
    return rows, np.sort(judged)


def keep_factor(objective: Objective) -> None:
    """Let one factor serve leave-one-out, probabilities and queries of many rows."""
    if objective.n_rows > EVERY and "deformation" not in vars(objective):
        penalties = objective.operator, objective.gamma_A, objective.lam
        made = kept_deformation(objective.space, *penalties, objective.rows)
        if made is not None:
            objective.deformation = made[0]


def _covariances(objective: Objective, labeled, rows, points):
    """K̃ among the labeled rows, between points and these, and between points and candidates."""
    kept = objective.deformation.kept
    if kept is None and len(points) > len(rows):
        penalties = objective.operator, objective.gamma_A, objective.lam
        made = kept_deformation(objective.space, *penalties, labeled, None)
        kept = None if made is None else made[1]
    l = len(labeled)
    if kept is not None:
        both = kept.columns(points, np.concatenate([labeled, rows]))
        return kept.gram(labeled), both[:, :l], both[:, l:]
    everything = np.concatenate([labeled, points])
    K = objective.deformation.gram(everything).marginal(objective.n_columns)
    return K[:l, :l], K[l:, :l], K[l:, l : l + len(rows)]


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
        Scores at ``queries.points``.
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
    doubt = 1.0 - p[: len(queries.rows)].max(axis=1)
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
