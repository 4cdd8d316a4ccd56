"""What a comparison found: its table, its verdict, and whether to doubt."""

from dataclasses import dataclass, field

import numpy as np
from scipy.stats import norm

from ..confidence.errors import DEPENDENT

SHOWN = 5e-4  # half of the last digit that is printed


@dataclass(frozen=True)
class Comparison:
    """What :func:`compare` found.

    Attributes
    ----------
    losses : dict of arrays of shape (l,)
        The loss of each method at each labeled row, without its label: 1 or 0 for a wrong class,
        Δ(y, ŷ) of a structure, the share of wrong labels of a row, the squared error over the
        variance of y for real targets; the mean over the targets observed in that row.
    homophily : float
        How often the nearest labeled point along the graph has the same class or labels (for real
        targets 1 − half the mean squared difference over the variance); NaN without a graph.
    chance : float
        The same if labels were shuffled.
    unreached : int
        Rows in components of the graph without a label.
    graph_sensitivity : float
        How many predictions change when a fifth of the unlabeled rows is taken away (real
        targets: the mean squared change over the variance); NaN where none can be taken away.
    label_sensitivity : array of shape (m,)
        The same when one label is taken away.
    label_rows : integer array of shape (m,)
        Which label that is.
    """

    losses: dict[str, np.ndarray] = field(repr=False)
    homophily: float
    chance: float
    unreached: int
    graph_sensitivity: float
    label_sensitivity: np.ndarray = field(repr=False)
    label_rows: np.ndarray = field(repr=False)

    OURS = "semi-supervised"
    LIMIT = "supervised (γ_I = 0)"

    @property
    def means(self) -> dict[str, tuple[float, float]]:
        """Mean loss of each method and its standard error."""
        return {
            name: (float(v.mean()), float(v.std(ddof=1) / np.sqrt(len(v))))
            for name, v in self.losses.items()
        }

    def gain(self, over: str) -> tuple[float, float]:
        """How much lower our mean loss is than another's, and the paired standard error."""
        d = self.losses[over] - self.losses[self.OURS]
        return float(d.mean()), float(d.std(ddof=1) / np.sqrt(len(d)))

    def _told(self, over: str) -> float:
        """The gain where labels tell it, or 0.

        It comes from more than one labeled row, shows in three digits, and is beyond what 1 of 40
        comparisons without any difference would show. Being better than all others is one
        comparison, being worse than any of them is as many as there are; left-out labels are not
        independent, and 1.4 of them count as one (:mod:`lapwing.confidence.errors`).
        """
        gain, error = self.gain(over)
        rows = np.count_nonzero(np.abs(self.losses[over] - self.losses[self.OURS]) > SHOWN)
        chances = 1 if gain > 0 else max(1, len(self.losses) - 1)
        enough = float(norm.ppf(1.0 - 0.025 / chances)) * np.sqrt(DEPENDENT) * error
        return gain if abs(gain) > max(enough, SHOWN) and rows > 1 else 0.0

    @property
    def doubtful(self) -> bool:
        """Whether the manifold assumption looks false: no gain, or unlike labels on the graph."""
        worse = any(self._told(name) < 0 for name in self.losses if name != self.OURS)
        return worse or bool(self.homophily <= self.chance)

    @property
    def verdict(self) -> str:
        """One sentence."""
        others = [name for name in self.losses if name != self.OURS]
        if not others:
            return "There is nothing to compare with."
        best = min(others, key=lambda name: self.losses[name].mean())
        (gain, error), told = self.gain(best), self._told(best)
        if told > 0:
            found = f"The unlabeled points helped: {gain:.3f} ± {error:.3f} below {best}"
        elif told < 0:
            found = f"The unlabeled points misled: {-gain:.3f} ± {error:.3f} above {best}"
        else:
            found = f"No difference that these labels tell from {best} ({gain:+.3f} ± {error:.3f})"
        if self.homophily <= self.chance:
            found += ", and neighbors on the graph share labels no more often than by chance"
        return found + "."

    def _shown(self, name: str) -> str:
        """Without a supervised limit of its own the model is supervised itself."""
        alone = name == self.OURS and self.LIMIT not in self.losses
        return "supervised, as chosen" if alone else name

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
        return "\n".join([f"loss at {l} labeled rows, each without its label", *rows])
