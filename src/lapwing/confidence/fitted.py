"""Diagnostics of a fit by its labels. Each is computed on first use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from ..problem import Problem, Solution
from ..selection import alike, tell
from ..targets import best_class, both_columns, typical_gap
from .calibration import Columns, Temperature, doubted, smoothed
from .errors import error_estimate, error_interval, size_interval
from .posterior import Posterior
from .scores import between_rows, unseen_scores
from .suspicion import EXPECTED, SUSPICIOUS, outlying_probability, wrong_labels


@dataclass(eq=False)
class Diagnostics:
    """The leave-one-out scores of a fit, and the quantities that follow from them.

    Parameters
    ----------
    objective : Problem
        The problem of the fit.
    codes : integer array of shape (l,), or None
        The class codes of the labeled rows. None for several labels per row and for real targets.
    signs : bool
        Whether the targets are ±1.
    given : array of shape (l, t), optional
        The ±1 targets, if the targets of the problem have another code.
    optimism : array of shape (k,), optional
        The extra loss of labels that had no part in the choice of the settings
        (:attr:`lapwing.selection.Selection.optimism`).
    groups : integer array of shape (l,), optional
        Labels of one group are left out together. If empty, each label is left out alone.
    gap : float
        The typical gap between the scores of the two best classes at unlabeled rows.
    learned : pair of arrays of shape (m, t), optional
        With a separate function for new rows: its scores at rows that it did not learn from, and
        the graph's scores at these rows.
    between : tuple, optional
        :func:`.between_rows` of a fit with one function for all rows, if :meth:`as_new` was called.

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
    between: tuple = ()

    @property
    def y(self) -> np.ndarray:
        """The targets for margins and calibrations, (l, t)."""
        return self.objective.y if self.given is None else self.given

    def __getstate__(self) -> dict:
        """The state without parts that can be computed again."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @cached_property
    def unseen(self) -> np.ndarray:
        """The scores at the labeled rows, (l, t), each from a fit without its own label."""
        return unseen_scores(self.objective, self.groups)

    @property
    def posterior(self) -> Posterior:
        """The Gaussian process of K̃. Its mean is the fit. It needs the squared loss."""
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
        """:meth:`Posterior.novelty`. It uses only the rows of the labels, so every loss has it."""
        return self._process.novelty(X)

    @cached_property
    def temperature(self) -> Temperature:
        """The temperature of the scores at the training rows, fitted to the unseen scores.

        If settings chosen without a label predict it differently from those chosen with it, the
        label counts as undecided to that degree. A left-out label is one of the m labels of its
        class. With few labels, the fit without it differs more from the full fit. So its weight is
        1 − 1/m, which is 0 for a single label.
        """
        assert self.codes is not None
        known = self.telling & ~np.isnan(self.unseen).any(axis=1)
        scores, codes = self.unseen[known], self.codes[known]
        counts = np.bincount(self.codes)
        weights, few = 1.0 - 1.0 / counts[codes], float(np.mean(1.0 / counts[counts > 0]))
        shares = smoothed(codes, both_columns(self.unseen).shape[1])
        doubt = np.clip(np.abs(self.added[known]), 0.0, 1.0)
        shares = doubted(shares, scores, codes, doubt)
        return Temperature(self.gap, few).fit(scores, shares, weights)

    def as_new(self, solution: Solution) -> tuple:
        """:func:`.between_rows`, computed once."""
        if not self.between:
            self.between = between_rows(self.objective, solution)
        return self.between

    def new_temperature(self, probability: Callable) -> Temperature:
        """The temperature of new rows, if these have scores of another size than training rows.

        That is a function that learned the graph's predictions, or the fit's own between the
        training rows. The mean confidence at rows that the scores were not learned from equals the
        expected accuracy there. A function that learned the graph's predictions is right as often
        as the graph: where the two differ, the graph is not the better one. The fit's own function
        bends to single rows, and elsewhere is right as often as the fit says of the class that it
        predicts there (``docs/benchmarks/calibration.md``).
        """
        scores, fit = (self.learned or self.between)[:2]
        p = probability(fit)
        picked = p.argmax(axis=1) if self.learned else best_class(scores)
        sure = float(p[np.arange(len(p)), picked].mean())
        return Temperature(typical_gap(scores)).as_sure(scores, sure)

    def apart(self) -> float:
        """The difference between the function for new rows and the graph, at held-out rows."""
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
        """One calibration per label. It is not kept, because it depends on the method."""
        return Columns(method).fit(self.unseen, self.y)

    @cached_property
    def margins(self) -> np.ndarray:
        """The agreement of each label with the other labels, (l,). Below 0 they disagree.

        For classes it is the unseen score of the labeled class minus the best other score. For
        several labels it is the smallest y_ij s_ij.
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
        """A mask of the labels that can be left out: another one, of the same class, remains."""
        known = ~np.isnan(self.unseen).all(axis=1) & (len(self.unseen) > 1)
        return known if self.codes is None else known & tell(self.codes, self._group)

    @property
    def _group(self) -> np.ndarray:
        return np.asarray(self.groups) if len(self.groups) else np.arange(len(self.unseen))

    @cached_property
    def prices(self) -> np.ndarray:
        """The loss of each left-out label that had no part in the choice, (l,); NaN if unknown.

        For classes it is the probability of a wrong prediction. For several labels it is the share
        of wrong ones. For real targets it is the squared error over the variance, averaged over the
        targets.
        """
        if self.codes is not None:
            found = (self.margins < 0).astype(float)
        elif self.signs:
            wrong = np.where(np.isnan(self.unseen), np.nan, self.y * self.unseen <= 0)
            found = _mean_of_known(wrong)
        else:
            columns = zip(self.y.T, ~np.isnan(self.unseen.T), strict=True)
            spread = np.array([np.var(y[known]) if known.any() else 0.0 for y, known in columns])
            found = _mean_of_known((self.y - self.unseen) ** 2 / np.where(spread > 0, spread, 1.0))
        found = found + self.added
        return np.where(self.telling, np.clip(found, 0.0, 1.0) if self.signs else found, np.nan)

    @property
    def added(self) -> np.ndarray:
        """The optimism of each label. It is the mean of the known ones if the search saw other
        labels.
        """
        known = np.empty(0) if self.optimism is None else self.optimism
        if not np.isfinite(known).any():
            return np.zeros(len(self.unseen))
        mean = float(np.nanmean(known))
        if len(known) != len(self.unseen):
            return np.full(len(self.unseen), mean)
        return np.where(np.isfinite(known), known, mean)

    def error(self) -> float:
        """The expected error at unlabeled rows: the share of errors, or a root mean square.

        A group counts as one label, because its rows are alike.
        """
        prices, counts = self._by_group
        if self.signs:
            return error_estimate(prices, counts)
        return float(np.sqrt(max(prices.mean(), 0.0))) if len(prices) else float("nan")

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The interval of :meth:`error`."""
        prices, counts = self._by_group
        if self.signs:
            return error_interval(prices, counts, level)
        return size_interval(np.maximum(prices, 0.0), level)

    @property
    def _by_group(self) -> tuple[np.ndarray, np.ndarray]:
        """The mean losses of each group, and the ratio of the labels of its class to those in the
        group.
        """
        codes = np.zeros(len(self.unseen), dtype=int) if self.codes is None else self.codes
        every, own = alike(codes, self._group)
        counts = np.maximum(every / own, 2.0) if self.codes is None else every / own
        _, group = np.unique(self._group[self.telling], return_inverse=True)
        found = (np.bincount(group, part[self.telling]) for part in (self.prices, counts))
        prices, counts = (part / np.bincount(group) for part in found)
        return prices, counts

    @cached_property
    def suspicion(self) -> np.ndarray:
        """The probability that each label is wrong, (l,): :mod:`.suspicion`."""
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
        """The training rows whose label is more likely wrong than right, the worst first."""
        with np.errstate(invalid="ignore"):
            missed = np.nan_to_num(np.abs(self.y - self.unseen)).max(axis=1)
        order = np.lexsort([-missed, -self.suspicion])
        return self.objective.rows[order[self.suspicion[order] > SUSPICIOUS]]


def _mean_of_known(entries: np.ndarray) -> np.ndarray:
    known = ~np.isnan(entries)
    total, count = np.where(known, entries, 0.0).sum(axis=1), known.sum(axis=1)
    return np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)


def __getattr__(name: str):
    """A clear error for models that were saved before 0.1.0, which name a removed class."""
    if name == "Confidence":
        raise ValueError(
            "This model was saved before names changed in lapwing 0.1.0, and cannot be read: fit "
            "and save it again."
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
