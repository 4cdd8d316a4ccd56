"""The result of a comparison: its table, its verdict, and a warning sign."""

from dataclasses import dataclass, field

import numpy as np
from scipy.stats import norm

from ..confidence.errors import DEPENDENT

SHOWN = 5e-4  # half of the last digit that is printed


@dataclass(frozen=True)
class Comparison:
    """The result of :func:`compare`.

    Attributes
    ----------
    losses : dict of arrays of shape (l,)
        The loss of each method at each labeled row, predicted without its label; with groups the
        mean loss of each group, predicted without its labels. For classes it is 1 or 0; for a
        structure Δ(y, ŷ); for several labels the share of wrong ones; for real targets the squared
        error over the variance of y. It is the mean over the targets observed in that row.
    homophily : float
        How often the nearest labeled row along the graph has the same class or labels. For real
        targets it is 1 − half the mean squared difference over the variance. NaN without a graph.
    chance : float
        The homophily of shuffled labels.
    unreached : int
        The number of rows in components of the graph without a label.
    graph_sensitivity : float
        The share of predictions that change when a fifth of the unlabeled rows is removed. For real
        targets it is the mean squared change over the variance. NaN if no row can be removed.
    label_sensitivity : array of shape (m,)
        The same when one label is removed.
    label_rows : integer array of shape (m,)
        The row of this label.
    counted : str
        What a loss belongs to: "labeled rows" or "groups of labeled rows".
    added : dict of arrays of shape (l,)
        The part of the losses of a method that allows for the choice of its settings, if it has
        one.
    """

    losses: dict[str, np.ndarray] = field(repr=False)
    homophily: float
    chance: float
    unreached: int
    graph_sensitivity: float
    label_sensitivity: np.ndarray = field(repr=False)
    label_rows: np.ndarray = field(repr=False)
    counted: str = "labeled rows"
    added: dict[str, np.ndarray] = field(default_factory=dict, repr=False)

    OURS = "semi-supervised"
    LIMIT = "supervised (γ_I = 0)"

    @property
    def means(self) -> dict[str, tuple[float, float]]:
        """The mean loss of each method and its standard error."""
        return {
            name: (float(v.mean()), float(v.std(ddof=1) / np.sqrt(len(v))))
            for name, v in self.losses.items()
        }

    def gain(self, over: str) -> tuple[float, float]:
        """The mean loss of another method minus ours, and its paired standard error."""
        d = self.losses[over] - self.losses[self.OURS]
        return float(d.mean()), float(d.std(ddof=1) / np.sqrt(len(d)))

    def _told(self, over: str) -> float:
        """The gain if the labels support it, or 0.

        The gain must come from more than one labeled row and show in three digits. It must exceed
        the gain that 1 of 40 comparisons without any difference would show. Being better than all
        others is one comparison; being worse than any of them is as many comparisons as there are
        others. Left-out labels are not independent, so 1.4 of them count as one
        (:mod:`lapwing.confidence.errors`). All this must hold with and without the part of the
        losses that allows for the choice of settings: it is expected and was not seen at any label.
        """
        added = self.added.get(over, 0.0) - self.added.get(self.OURS, 0.0)
        found = self.losses[over] - self.losses[self.OURS]
        gain, seen = self._supported(found), self._supported(found - added)
        return gain if gain * seen > 0 else 0.0

    def _supported(self, d: np.ndarray) -> float:
        """The mean of paired differences if chance does not explain it, or 0."""
        gain, error = float(d.mean()), float(d.std(ddof=1) / np.sqrt(len(d)))
        chances = 1 if gain > 0 else max(1, len(self.losses) - 1)
        enough = float(norm.ppf(1.0 - 0.025 / chances)) * np.sqrt(DEPENDENT) * error
        rows = np.count_nonzero(np.abs(d) > SHOWN)
        return gain if abs(gain) > max(enough, SHOWN) and rows > 1 else 0.0

    @property
    def doubtful(self) -> bool:
        """Whether the manifold assumption looks false: a worse result, or unlike labels on the
        graph.
        """
        worse = any(self._told(name) < 0 for name in self.losses if name != self.OURS)
        return worse or bool(self.homophily <= self.chance)

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        others = [name for name in self.losses if name != self.OURS]
        if not others:
            return "There is nothing to compare with."
        best = min(others, key=lambda name: self.losses[name].mean())
        (gain, error), told = self.gain(best), self._told(best)
        used = self.LIMIT in self.losses
        if told > 0:
            what = "The unlabeled points helped" if used else "The model is better"
            found = f"{what}: {gain:.3f} ± {error:.3f} below {best}"
        elif told < 0:
            what = "The unlabeled points misled" if used else "The model is worse"
            found = f"{what}: {-gain:.3f} ± {error:.3f} above {best}"
        else:
            found = f"No difference from {best} that these labels tell ({gain:+.3f} ± {error:.3f})"
        found += "" if used else ", and the model uses no graph"
        if self.homophily <= self.chance:
            found += ", and neighbors on the graph share labels no more often than by chance"
        return found + "."

    def _shown(self, name: str) -> str:
        """The name of a method. A model without a supervised limit is supervised itself."""
        alone = name == self.OURS and self.LIMIT not in self.losses
        return "supervised, as chosen" if alone else name

    @property
    def _left_out(self) -> str:
        return "without its label" + "s" * (self.counted != "labeled rows")

    @property
    def _along_the_graph(self) -> str:
        if np.isnan(self.homophily):
            return "no graph is used"
        return f"homophily {self.homophily:.2f} (by chance {self.chance:.2f})"

    @property
    def _without_rows(self) -> str:
        known = not np.isnan(self.graph_sensitivity)
        return f"{self.graph_sensitivity:.3f} without a fifth of the unlabeled rows, " * known

    def __str__(self) -> str:
        rows = [
            f"{self._shown(name):24} {mean:7.3f} ± {error:.3f}"
            for name, (mean, error) in self.means.items()
        ]
        l = len(next(iter(self.losses.values())))
        rows += [
            f"{self._along_the_graph}; rows no label reaches: {self.unreached}",
            f"predictions that change: {self._without_rows}at most "
            f"{self.label_sensitivity.max(initial=0.0):.3f} without one label",
            self.verdict,
        ]
        return "\n".join([f"loss at {l} {self.counted}, each {self._left_out}", *rows])
