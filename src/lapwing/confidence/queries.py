"""The choice of the next label: rank-one formulas give the effect of one more label."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..linalg.labeled import Labeled
from ..problem import Problem
from ..spaces.deformation import PlainDeformation
from ..spaces.kept import kept_deformation

EVERY = 300
"""Number of unlabeled rows up to which each row is a candidate."""

CANDIDATES, FEWER = 100, 24
"""Number of candidates for more rows, and for graphs of very many rows with costly products."""

SECTION_ENTRIES = 2_000_000
"""Rows times candidates on graphs. 100 candidates of 20,000 rows take 0.07 of the fit's time."""

JUDGED = 300
"""Number of rows at which the effect of a label is evaluated."""

SHORTLIST = 50
"""Number of candidates whose expected error is computed."""

TOGETHER = 200_000
"""Number of scores that become probabilities at once: a few megabytes."""

CAUTION = 0.25
"""Factor of the scores for the expected labels. If a fit were as sure of its clusters as its
probabilities say, it would never ask about clusters that it has wrong.
"""


class ActiveLearning:
    """The posterior covariance S between rows and candidates, updated label by label.

    A label at x_i changes f by S_i (y_i − f_i)/(S_ii + ν) and S by −S_iS_iᵀ/(S_ii + ν). ν is the
    noise. No refit is needed. S is that of the squared loss, also for a fit with another loss.
    Above 300 unlabeled rows only some are candidates: half of them are the rows of most doubt, half
    are drawn. The effect of a label is evaluated at the candidates and at 300 drawn rows.

    Parameters
    ----------
    objective : Problem
        The problem of the fit. With several outputs, the mean of their kernels counts, because a
        label informs all of them.
    doubt : array of shape (n,), optional
        The doubt at each row; None if it is not known.
    n : int
        The number of rows to choose. There are more candidates than that.
    seed : int
        Seed that draws the rows.
    costs : array of shape (n,), optional
        The cost of a label of each row. Gains are compared per unit of cost.
    askable : bool array of shape (n,), optional
        The rows that may be chosen.
    outputs : sequence of int, optional
        Only the variance of these outputs counts. A row is labeled if one of them is. Empty means
        all outputs.

    Attributes
    ----------
    rows : integer array of shape (c,)
        The candidates.
    points : integer array of shape (m,)
        All rows at which effects are evaluated, the candidates first.
    S : array of shape (m, c)
        The posterior covariance.

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
        """The fall of the total variance by a label at each candidate, Σ_j S_ji²/(S_ii + ν)."""
        fall = np.einsum("ji,ji->i", self.S, self.S) / (np.diagonal(self.S) + self.noise)
        return np.where(self.open, fall, -np.inf)

    def step(self, i: int) -> np.ndarray:
        """S_i/(S_ii + ν): the change of f per unit of y_i − f_i."""
        return self.S[:, i] / (self.S[i, i] + self.noise)

    def take(self, i: int) -> None:
        """Count row i as labeled."""
        self.S -= np.outer(self.step(i), self.S[i])
        self.open[i] = False


def output_weights(objective: Problem, outputs: Sequence[int] = ()) -> np.ndarray:
    """The weight of each labeled row for some outputs, or for all, (l,)."""
    every = np.broadcast_to(objective.w, objective.y.shape)
    return every[:, list(outputs) or slice(None)].max(axis=1)


def _most(objective: Problem, n: int) -> int:
    """The maximum number of candidates."""
    if objective.n_rows <= EVERY or objective.deformation.factored:
        return max(CANDIDATES, 2 * n)
    return max(FEWER, min(CANDIDATES, SECTION_ENTRIES // objective.n_rows), 2 * n)


def _drawn(others: np.ndarray, doubt, most: int, draw) -> tuple[np.ndarray, np.ndarray]:
    """The candidates and further rows for evaluation, both in ascending order."""
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
    """A mask of the rows that has an unlabeled row, or None."""
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
    """K̃ of labeled rows, of points and of candidates with these, and of points with candidates.

    A candidate's section is approximate, and entries of K̃ are as large as 1/γ_A. S is a small
    difference of them. It is as accurate as the section only if the values at labeled rows come
    from the same section.
    """
    l, at, asked = len(labeled), np.r_[labeled, points], np.r_[labeled, rows]
    parts, many = objective.deformation.components, len(points) > len(rows)
    kept = [(_kept(part, labeled, many), mixing) for part, mixing in parts]
    if kept and all(sections for sections, _ in kept):
        k, both = np.zeros((l, l)), np.zeros((len(at), len(asked)))
        for sections, mixing in kept:
            squares = mixing.squares(objective.n_columns)
            share = float(np.mean(squares[list(outputs) or slice(None)]))
            k += share * sections.gram(labeled)
            both += share * sections.columns(at, asked)
        return k, both[l:, :l], both[:l, l:].T, both[l:, l:]
    everything = np.concatenate([labeled, points])
    kernel, at = objective.deformation.gram(everything), np.arange(len(everything))
    own_kernels = [kernel.pairs(at, np.full(len(at), j)) for j in outputs]
    K = np.mean(own_kernels, axis=0) if outputs else kernel.marginal(objective.n_columns)
    own = slice(l, l + len(rows))
    return K[:l, :l], K[l:, :l], K[own, :l], K[l:, own]


def _kept(part: PlainDeformation, labeled: np.ndarray, many: bool) -> Any:
    """The sections that K̃ keeps; new ones for many points; None where a space has none."""
    if part.kept or not many:
        return part.kept
    made = kept_deformation(part.space, part.operator, part.gamma_A, part.lam, labeled, None)
    return made and made.kept


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
    """n rows, each with the smallest expected error after its label is known.

    The label is not known yet, so each class counts with its present probability. For the next
    choice, the chosen row gets its most probable label.

    Parameters
    ----------
    queries : ActiveLearning
        The covariances.
    f : array of shape (m, t)
        The scores at ``queries.points``.
    targets : array of shape (q, t)
        The ±1 targets of a label of each class.
    probability : callable
        A function from scores, (m, t), to probabilities, (m, q).
    n : int
        The number of rows.
    of_interest : int, optional
        Only this class against the rest counts. None means that all classes count.
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
    steps = np.array([queries.step(i)[judged] for i in shortlist])
    falls = now - _risks(steps, f[judged], f[shortlist], p[shortlist], targets, probability,
                         of_interest)  # fmt: skip
    best = falls / costs if falls.max() > 0 else falls * costs  # no gain: least harm, low cost
    return int(shortlist[int(best.argmax())])


def _risks(steps, f, own, p, targets, probability, of_interest) -> np.ndarray:
    """Σ_c p_c · the mean doubt after the label c of each candidate, (s,).

    Parameters
    ----------
    steps : array of shape (s, m)
        The change of f at the judged rows per unit of y_i − f_i, for each candidate i.
    f, own : arrays of shape (m, t) and (s, t)
        The scores at the judged rows and at the candidates.
    p : array of shape (s, q)
        The probabilities at the candidates.
    """
    i, c = np.nonzero(p > 1e-3)
    doubts, most = np.empty(len(i)), max(1, TOGETHER // f.size)
    for start in range(0, len(i), most):
        some = slice(start, start + most)
        moves = targets[c[some]] - own[i[some]]
        after = f + steps[i[some], :, None] * moves[:, None]
        found = _doubts(probability(after.reshape(-1, f.shape[1])), of_interest)
        doubts[some] = found.reshape(len(moves), -1).mean(axis=1)
    return np.bincount(i, p[i, c] * doubts, minlength=len(p))


def _doubts(p: np.ndarray, of_interest: int | None) -> np.ndarray:
    """1 − the largest probability, (m,), of all classes or of one against the rest."""
    if of_interest is None:
        return 1.0 - p.max(axis=1)
    return np.minimum(p[:, of_interest], 1.0 - p[:, of_interest])
