"""Which method beats which: signed-rank tests between all pairs as a picture."""

import numpy as np

from lapwing.inspection.canvas import load
from lapwing.inspection.display import Display

from ..statistics import pairwise_wilcoxon

COLORS = ("#b2182b", "0.85", "#2166ac")
"""The column's method is better, inconclusive, the row's method is better."""
SIGNS = {-1: "−\n", 0: "", 1: "+\n"}


class PairwiseSignificanceDisplay(Display):
    """A cell per pair: + (blue) where the row's method is better at level α, − (red) where worse.

    Parameters
    ----------
    names : list of str
    pvalues : array of shape (n_methods, n_methods)
    winner : array of shape (n_methods, n_methods)
        +1 where the row's method does better, −1 where the column's does.
    alpha : float

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    image_ : AxesImage
    texts_ : list of Text

    References
    ----------
    MT Fig. 5.

    Examples
    --------
    >>> from lapwing_papers.inspection import PairwiseSignificanceDisplay
    >>> errors = [[0.1, 0.2], [0.1, 0.3], [0.2, 0.6], [0.1, 0.2], [0.3, 0.5], [0.2, 0.4]]
    >>> display = PairwiseSignificanceDisplay.from_scores(errors, ["a", "b"])
    >>> display.verdict.tolist()
    [[0, 1], [-1, 0]]
    """

    def __init__(self, *, names, pvalues, winner, alpha):
        self.names = names
        self.pvalues = pvalues
        self.winner = winner
        self.alpha = alpha

    @property
    def verdict(self) -> np.ndarray:
        """+1, −1 or 0 per pair: who is better at level α, if either."""
        return np.where(self.pvalues <= self.alpha, self.winner, 0)

    @classmethod
    def from_scores(cls, scores, names, *, greater_is_better=False, alpha=0.1):
        """Exact signed-rank tests between all pairs of columns.

        Parameters
        ----------
        scores : array of shape (n_datasets, n_methods)
            Errors, or scores if ``greater_is_better``.
        names : list of str
        greater_is_better : bool, default=False
        alpha : float, default=0.1
            Level of the two-sided test; MT's figure has 0.1.
        """
        p, winner = pairwise_wilcoxon(scores, greater_is_better=greater_is_better)
        if len(names) != len(p):
            raise ValueError(f"{len(names)} names were given for {len(p)} methods: one per column.")
        return cls(names=list(names), pvalues=p, winner=winner, alpha=alpha)

    def plot(self, ax=None, *, title=None, show_pvalues=True):
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
            None makes a new figure.
        title : str, optional
        show_pvalues : bool, default=True

        Returns
        -------
        self
        """
        k = len(self.names)
        ax = self._on(ax, (1.6 + 0.55 * k, 1.2 + 0.5 * k))
        colors = load("matplotlib.colors").ListedColormap(list(COLORS))
        self.image_ = ax.imshow(self.verdict, cmap=colors, vmin=-1.5, vmax=1.5)
        self.texts_ = self._draw_pvalues(ax, k) if show_pvalues else []
        ax.set_xticks(range(k), self.names, rotation=45, ha="right")
        ax.set_yticks(range(k), self.names)
        text = f"Wilcoxon at α = {self.alpha:g}: + the row is better, − the column is"
        ax.set_title(text if title is None else title, fontsize=9)
        return self

    def _draw_pvalues(self, ax, k: int) -> list:
        return [
            ax.text(
                b,
                a,
                f"{SIGNS[self.verdict[a, b]]}{self.pvalues[a, b]:.2f}",
                ha="center",
                va="center",
                fontsize=7,
                color="white" if self.verdict[a, b] else "black",
            )
            for a in range(k)
            for b in range(k)
            if a != b
        ]
