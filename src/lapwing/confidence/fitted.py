"""All that a fit's labels tell about the fit, computed when it is first asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from ..problem import Problem
from ..selection import alike, tell
from ..targets import best_class, both_columns
from .calibration import Columns, Temperature, doubted, smoothed, typical_gap
from .errors import error_estimate, error_interval, size_interval
from .posterior import Posterior
from .scores import unseen_scores
from .suspicion import EXPECTED, SUSPICIOUS, outlying_probability, wrong_labels


@dataclass(eq=False)
class Diagnostics:
    """Leave-one-out scores of a fit and what follows from them.

    Parameters
    ----------
    objective : Problem
    codes : integer array of shape (l,), or None
        Class codes of the labeled rows; None for labels that do not exclude each other and for
        real targets.
    signs : bool
        Whether the targets are ±1.
    given : array of shape (l, t), optional
        The ±1 targets, where the objective's are coded otherwise.
    optimism : array of shape (k,), optional
        How much more labels cost that had no part in the choice of the settings
        (:attr:`lapwing.selection.Selection.optimism`).
    groups : integer array of shape (l,), optional
        Labels of one group are left out together; empty: each alone.
    gap : float
        The typical gap between the two best classes at unlabeled rows.
    learned : pair of arrays of shape (m, t), optional
        Where new rows have a function of their own: what it says of rows it was left without, and
        what the graph says of them.

    Examples
    --------
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(100, labels_per_class=5, random_state=0)
    >>> y[(y == 0).nonzero()[0][0]] = 1               # one wrong label
    >>> Diagnostics(LapRLSClassifier(kernel="rbf").fit(X, y).objective_).unseen.shape
    (10, 1)
    """

    objective: Problem
    codes: np.ndarray | None = None
    signs: bool = True
    given: np.ndarray | None = None
    optimism: np.ndarray | None = None
    groups: Sequence[int] | np.ndarray = ()
    gap: float = 1.0
    learned: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def y(self) -> np.ndarray:
        """The targets that margins and calibrations read, (l, t)."""
        return self.objective.y if self.given is None else self.given

    def __getstate__(self) -> dict:
        """Without what can be computed again."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @cached_property
    def unseen(self) -> np.ndarray:
        """Scores at the labeled rows of fits without their labels, (l, t)."""
        return unseen_scores(self.objective, self.groups)

    @property
    def posterior(self) -> Posterior:
        """The Gaussian process of K̃, whose mean is the fit: for the squared loss."""
        loss = self.objective.loss
        if not loss.quadratic:
            raise ValueError(
                "Predictive variances need the squared loss, whose fit is the mean of a Gaussian "
                f"process; the loss is {type(loss).__name__}."
            )
        return self._process

    @cached_property
    def _process(self) -> Posterior:
        return Posterior(self.objective)

    def novelty(self, X) -> np.ndarray:
        """:meth:`Posterior.novelty`: it asks where the labels are, not what, whatever the loss."""
        return self._process.novelty(X)

    @cached_property
    def temperature(self) -> Temperature:
        """Of the scores at the training rows, by the unseen scores of labels that tell.

        Where settings that were chosen without a label answer otherwise than those chosen with it,
        it counts as undecided to that degree. A label that is left out is one of the m of its
        class, and the fewer there are the more the fit without it differs from the fit: it counts
        1 − 1/m, which is nothing where it is the only one.
        """
        assert self.codes is not None
        known = self.telling & ~np.isnan(self.unseen).any(axis=1)
        scores, codes = self.unseen[known], self.codes[known]
        weights = 1.0 - 1.0 / np.bincount(self.codes)[codes]
        shares = smoothed(codes, both_columns(self.unseen).shape[1])
        doubt = np.clip(np.abs(self.added[known]), 0.0, 1.0)
        return Temperature(self.gap).fit(scores, doubted(shares, scores, codes, doubt), weights)

    def learned_temperature(self, probability: Callable) -> Temperature:
        """Of the scores that a function for new rows has learned from the graph's answers.

        At rows that it is left without, it is as sure on average as the graph is of these rows: it
        is right as often. Where the two differ the graph is not the better one, so that the graph's
        probabilities, row by row, would make it too unsure (``docs/benchmarks/calibration.md``).
        """
        assert self.learned is not None
        scores, graph = self.learned
        sure = float(probability(graph).max(axis=1).mean())
        return Temperature(typical_gap(scores)).as_sure(scores, sure)

    def apart(self) -> float:
        """How far what answers for new rows is from the graph, at rows it was left without."""
        if self.learned is None:
            return 0.0
        scores, graph = self.learned
        if self.codes is not None:
            return float(np.mean(best_class(scores) != best_class(graph)))
        if self.signs:
            return float(np.mean((scores > 0) != (graph > 0)))
        spread = graph.std(axis=0)
        return float(np.sqrt(np.mean((scores - graph) ** 2 / np.where(spread > 0, spread, 1) ** 2)))

    def columns(self, method: str) -> Columns:
        """One calibration per label; not kept, as it depends on the method."""
        return Columns(method).fit(self.unseen, self.y)

    @cached_property
    def margins(self) -> np.ndarray:
        """How far each label agrees with what the others say, (l,): below 0 it does not.

        Classes: the unseen score of the own class minus the best other. Labels: the smallest
        y_ij s_ij.
        """
        unseen, y = self.unseen, self.y
        if self.codes is not None and unseen.shape[1] > 1:
            own = np.take_along_axis(unseen, self.codes[:, None], axis=1)[:, 0]
            others = unseen.copy()
            np.put_along_axis(others, self.codes[:, None], -np.inf, axis=1)
            return own - others.max(axis=1)
        return np.where(np.isnan(unseen), np.inf, y * unseen).min(axis=1)

    @cached_property
    def telling(self) -> np.ndarray:
        """Labels that say something once they are left out: another of their class is there."""
        known = ~np.isnan(self.unseen).all(axis=1)
        return known if self.codes is None else known & tell(self.codes, self._group)

    @property
    def _group(self) -> np.ndarray:
        return np.asarray(self.groups) if len(self.groups) else np.arange(len(self.unseen))

    @cached_property
    def prices(self) -> np.ndarray:
        """What each left-out label costs where it had no part in the choice, (l,); NaN: unknown.

        Classes: the probability that it is answered wrongly. Labels: the share of them. Real
        targets: the squared error over the variance, averaged over the targets.
        """
        if self.codes is not None:
            found = (self.margins < 0).astype(float)
        elif self.signs:
            wrong = np.where(np.isnan(self.unseen), np.nan, self.y * self.unseen <= 0)
            found = _mean_of_known(wrong)
        else:
            spread = np.nanvar(np.where(np.isnan(self.unseen), np.nan, self.y), axis=0)
            found = _mean_of_known((self.y - self.unseen) ** 2 / np.where(spread > 0, spread, 1.0))
        found = found + self.added
        return np.where(self.telling, np.clip(found, 0.0, 1.0) if self.signs else found, np.nan)

    @property
    def added(self) -> np.ndarray:
        """The optimism of each label; the mean of those known where the search saw others."""
        known = np.empty(0) if self.optimism is None else self.optimism
        if not np.isfinite(known).any():
            return np.zeros(len(self.unseen))
        mean = float(np.nanmean(known))
        if len(known) != len(self.unseen):
            return np.full(len(self.unseen), mean)
        return np.where(np.isfinite(known), known, mean)

    def error(self) -> float:
        """Expected at unlabeled rows: the share of errors, or a root mean square.

        A group of labels counts as one label does: its rows are alike.
        """
        prices, counts = self._by_group
        if self.signs:
            return error_estimate(prices, counts)
        return float(np.sqrt(max(prices.mean(), 0.0))) if len(prices) else float("nan")

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Of :meth:`error`."""
        prices, counts = self._by_group
        if self.signs:
            return error_interval(prices, counts, level)
        return size_interval(np.maximum(prices, 0.0), level)

    @property
    def _by_group(self) -> tuple[np.ndarray, np.ndarray]:
        """Prices of labels that tell something, and how many times as many labels as the own group
        has there are of their class; means of each group."""
        codes = np.zeros(len(self.unseen), dtype=int) if self.codes is None else self.codes
        every, own = alike(codes, self._group)
        counts = np.maximum(every / own, 2.0) if self.codes is None else every / own
        _, group = np.unique(self._group[self.telling], return_inverse=True)
        found = (np.bincount(group, part[self.telling]) for part in (self.prices, counts))
        prices, counts = (part / np.bincount(group) for part in found)
        return prices, counts

    @cached_property
    def suspicion(self) -> np.ndarray:
        """How likely each label is wrong, (l,): :mod:`.suspicion`."""
        if self.codes is not None:
            found = np.full(len(self.codes), EXPECTED)
            at = self.telling & ~np.isnan(self.unseen).any(axis=1)
            found[at] = wrong_labels(self.unseen[at], self.codes[at], self.gap)
            return found
        if not self.signs:
            return outlying_probability(self.y - self.unseen)
        found = np.zeros(len(self.unseen))
        for s, y in zip(self.unseen.T, self.y.T, strict=True):
            at = ~np.isnan(s)
            scores = s[at][:, None]
            wrong = wrong_labels(scores, (y[at] > 0).astype(int), typical_gap(scores))
            found[at] = np.maximum(found[at], wrong)
        return found

    @property
    def suspicious(self) -> np.ndarray:
        """Training rows whose label is more likely wrong than right, the worst first."""
        with np.errstate(invalid="ignore"):
            missed = np.nan_to_num(np.abs(self.y - self.unseen)).max(axis=1)
        order = np.lexsort([-missed, -self.suspicion])
        return self.objective.rows[order[self.suspicion[order] > SUSPICIOUS]]


def _mean_of_known(entries: np.ndarray) -> np.ndarray:
    known = ~np.isnan(entries)
    total, count = np.where(known, entries, 0.0).sum(axis=1), known.sum(axis=1)
    return np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)


def __getattr__(name: str):
    """Models saved before 0.1.0 name a class that no longer exists: say so in one sentence."""
    if name == "Confidence":
        raise ValueError(
            "This model was saved before names changed in lapwing 0.1.0, and cannot be read: fit "
            "and save it again."
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
