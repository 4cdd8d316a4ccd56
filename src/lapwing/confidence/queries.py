"""Which label would help most: what one more label changes, by rank-one formulas."""

from collections.abc import Callable, Sequence

import numpy as np

from ..linalg.labeled import Labeled
from ..problem import Problem
from ..spaces.kept import kept_deformation

EVERY = 300
"""Unlabeled rows up to which each is a candidate."""

CANDIDATES, FEWER = 100, 24
"""Candidates of more rows, and of graphs of very many rows, where each costs many products."""

SECTION_ENTRIES = 2_000_000
"""Rows times candidates on graphs: 100 candidates of 20,000 rows take 0.07 of the fit's time."""

JUDGED = 300
"""Rows at which the effect of a label is looked at."""

SHORTLIST = 50
"""Candidates whose expected error is computed."""

CAUTION = 0.25
"""Scores count this much where labels are expected: a fit that is as sure of its clusters as its
probabilities never asks about those it has wrong."""


class ActiveLearning:
    """The posterior covariance S between points and candidates, updated label by label.

    A label at x_i changes f by S_i (y_i − f_i)/(S_ii + ν) and S by −S_iS_iᵀ/(S_ii + ν), ν the
    noise: no refit. S is that of the squared loss, also where the fit has another one. Of more than
    300 unlabeled rows some are candidates, half of them those of most doubt, half drawn; the effect
    of a label is looked at there and at 300 drawn rows.

    Parameters
    ----------
    objective : Problem
        Of several outputs the mean of their kernels counts: a label tells all of them.
    doubt : array of shape (n,), optional
        How much is in doubt at each row; None where nothing is known of it.
    n : int
        How many rows will be asked for: there are more candidates than that.
    seed : int
        Draws the rows.
    costs : array of shape (n,), optional
        What a label of each row costs; gains are compared per unit of it.
    askable : bool array of shape (n,), optional
        The rows that may be asked for.
    outputs : sequence of int, optional
        Those whose variance counts: what is labeled, and what can be asked for, is their own.
        Empty: all.

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
        objective: Problem,
        doubt: np.ndarray | None = None,
        n: int = 1,
        seed: int = 0,
        costs: np.ndarray | None = None,
        askable: np.ndarray | None = None,
        outputs: Sequence[int] = (),
    ):
        draw = np.random.default_rng(seed)
        w = output_weights(objective, outputs)
        labeled, w = objective.rows[w > 0], w[w > 0]
        may = np.ones(objective.n_rows, dtype=bool) if askable is None else askable.copy()
        may[labeled] = False
        others = np.flatnonzero(may)
        self.rows, judged = _drawn(others, doubt, _most(objective, n), draw)
        self.points = np.concatenate([self.rows, judged])
        k, cross, other, prior = _covariances(objective, labeled, self.rows, self.points, outputs)
        free = objective.space.free
        h, E = free[self.points], free[labeled]
        own = h[: len(self.rows)]
        system = Labeled(k, w, E)
        self.S = system.covariance(cross, other, prior, h, own)
        self.noise = float(np.mean(1.0 / w)) + 1.0
        self.open = np.ones(len(self.rows), dtype=bool)
        self.costs = np.ones(len(self.rows)) if costs is None else costs[self.rows]

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


def output_weights(objective: Problem, outputs: Sequence[int] = ()) -> np.ndarray:
    """What each labeled row counts for some outputs, or for all, (l,)."""
    every = np.broadcast_to(objective.w, objective.y.shape)
    return every[:, list(outputs) or slice(None)].max(axis=1)


def _most(objective: Problem, n: int) -> int:
    """How many candidates there are, at most."""
    if objective.n_rows <= EVERY or objective.deformation.factored:
        return max(CANDIDATES, 2 * n)
    return max(FEWER, min(CANDIDATES, SECTION_ENTRIES // objective.n_rows), 2 * n)


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


def checked_costs(costs, labeled: np.ndarray) -> np.ndarray | None:
    """One positive number for each row, or None."""
    if costs is None:
        return None
    costs = np.asarray(costs, dtype=float)
    if costs.shape != labeled.shape or not (costs > 0).all() or not np.isfinite(costs).all():
        raise ValueError(
            f"costs must be {len(labeled)} positive numbers, one for each training row; got shape "
            f"{costs.shape} with the smallest {costs.min(initial=np.inf):g}."
        )
    return costs


def checked_askable(askable, labeled: np.ndarray) -> np.ndarray | None:
    """A mask of the rows that leaves an unlabeled one, or None."""
    if askable is None:
        return None
    askable = np.asarray(askable)
    if askable.dtype != bool or askable.shape != labeled.shape:
        raise ValueError(
            f"askable must be a mask of {len(labeled)} True and False, one for each training row; "
            f"got {askable.dtype} of shape {askable.shape}."
        )
    if not (askable & ~labeled).any():
        raise ValueError("No row that may be asked for is unlabeled: let askable hold more rows.")
    return askable


def keep_factor(objective: Problem) -> None:
    """Let one factor serve leave-one-out, probabilities and queries of many rows."""
    if objective.n_rows > EVERY and "deformation" not in vars(objective):
        penalties = objective.operator, objective.gamma_A, objective.lam
        precise = False if objective.space.tolerance else None
        made = kept_deformation(objective.space, *penalties, objective.rows, precise)
        if made is not None:
            vars(objective)["deformation"] = made  # in place of the cached one


def _covariances(objective: Problem, labeled, rows, points, outputs: Sequence[int] = ()):
    """K̃ among labeled rows, of points and of candidates with these, of points with candidates.

    A candidate's section is rough, and entries of K̃ are as large as 1/γ_A: S, the small difference,
    is as good as the section only where the values at labeled rows are those of the same section.
    """
    kept = objective.deformation.kept
    if kept is None and len(points) > len(rows):
        penalties = objective.operator, objective.gamma_A, objective.lam
        made = kept_deformation(objective.space, *penalties, labeled, None)
        kept = None if made is None else made.kept
    l = len(labeled)
    if kept is not None:
        k, at = kept.gram(labeled), np.concatenate([labeled, points])
        both = kept.columns(at, np.concatenate([labeled, rows]))
        return k, both[l:, :l], both[:l, l:].T, both[l:, l:]
    everything = np.concatenate([labeled, points])
    kernel, at = objective.deformation.gram(everything), np.arange(len(everything))
    own_kernels = [kernel.pairs(at, np.full(len(at), j)) for j in outputs]
    K = np.mean(own_kernels, axis=0) if outputs else kernel.marginal(objective.n_columns)
    own = slice(l, l + len(rows))
    return K[:l, :l], K[l:, :l], K[own, :l], K[l:, own]


def variance_reduction(queries: ActiveLearning, n: int) -> np.ndarray:
    """n rows, one after the other, each with the largest fall of the total variance."""
    chosen = []
    for _ in range(min(n, len(queries.rows))):
        i = int((queries.gain() / queries.costs).argmax())
        chosen.append(queries.rows[i])
        queries.take(i)
    return np.array(chosen, dtype=int)


def expected_error(
    queries: ActiveLearning,
    f: np.ndarray,
    targets: np.ndarray,
    probability: Callable,
    n: int,
    of_interest: int | None = None,
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
    of_interest : int, optional
        The class whose errors count: a row is right where it is told from this class or found in
        it. None: all classes count.
    """
    chosen, f = [], f.copy()

    def cautious(scores: np.ndarray) -> np.ndarray:
        return probability(CAUTION * scores)

    for _ in range(min(n, len(queries.rows))):
        p = cautious(f)
        i = _most_gain(queries, f, p, targets, cautious, of_interest)
        chosen.append(queries.rows[i])
        f += np.outer(queries.step(i), targets[p[i].argmax()] - f[i])
        queries.take(i)
    return np.array(chosen, dtype=int)


def _most_gain(queries: ActiveLearning, f, p, targets, probability, of_interest) -> int:
    """The candidate with the largest fall of the expected error per unit of its cost."""
    doubt = _doubts(p[: len(queries.rows)], of_interest) / queries.costs
    promise = np.where(queries.open, queries.gain() * np.maximum(doubt, 1e-12), -np.inf)
    shortlist = np.argsort(-promise)[:SHORTLIST]
    shortlist = shortlist[queries.open[shortlist]]
    judged = np.unique(np.linspace(0, len(f) - 1, JUDGED).astype(int))
    now = float(_doubts(p[judged], of_interest).mean())
    costs = queries.costs[shortlist]
    risks = np.array([
        _risk(queries.step(i)[judged], f[judged], f[i], p[i], targets, probability, of_interest)
        for i in shortlist
    ])  # fmt: skip
    falls = now - risks
    best = falls / costs if falls.max() > 0 else falls * costs  # no help: the least harm, cheaply
    return int(shortlist[int(best.argmax())])


def _risk(step, f, f_i, p_i, targets, probability, of_interest) -> float:
    """Σ_c p_c · mean doubt once the label is c."""
    likely = np.flatnonzero(p_i > 1e-3)
    risk = [
        _doubts(probability(f + np.outer(step, targets[c] - f_i)), of_interest).mean()
        for c in likely
    ]
    return float(p_i[likely] @ risk)


def _doubts(p: np.ndarray, of_interest: int | None) -> np.ndarray:
    """1 − the largest probability, (m,), of all classes or of one against the rest."""
    if of_interest is None:
        return 1.0 - p.max(axis=1)
    return np.minimum(p[:, of_interest], 1.0 - p[:, of_interest])
