"""The critical-difference diagram: mean ranks on a line, bars over what cannot be told apart."""

import numpy as np

from lapwing.inspection.display import TitledDisplay

from ..statistics import critical_difference, friedman, indistinguishable, mean_ranks


class CriticalDifferenceDisplay(TitledDisplay):
    """Mean ranks of methods, best at the left, with bars joining groups within the distance CD.

    Parameters
    ----------
    names : list of str
    mean_ranks : array of shape (n_methods,)
    cd : float
        The critical distance.
    groups : list of tuple of int
        Methods that Nemenyi's test does not tell apart.
    friedman_pvalue : float or None
        Of the test that comes first; shown in the title.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    bars_, marks_ : lists of Line2D
    texts_ : list of Text

    References
    ----------
    Demšar 2006, §3.2.4, Fig. 1; MT Fig. 6.

    Examples
    --------
    >>> from lapwing_papers.inspection import CriticalDifferenceDisplay
    >>> errors = [[0.1, 0.2, 0.3], [0.1, 0.3, 0.4], [0.2, 0.1, 0.5], [0.1, 0.2, 0.3]]
    >>> display = CriticalDifferenceDisplay.from_scores(errors, ["a", "b", "c"])
    >>> display.mean_ranks.tolist()
    [1.25, 1.75, 3.0]
    >>> len(display.plot().marks_)
    3
    """

    def __init__(self, *, names, mean_ranks, cd, groups, friedman_pvalue=None):
        self.names = names
        self.mean_ranks = mean_ranks
        self.cd = cd
        self.groups = groups
        self.friedman_pvalue = friedman_pvalue

    @classmethod
    def from_scores(cls, scores, names, *, greater_is_better=False, alpha=0.05):
        """Ranks, Friedman's test and the critical distance of a table of results.

        Parameters
        ----------
        scores : array of shape (n_datasets, n_methods)
            Errors, or scores if ``greater_is_better``.
        names : list of str
        greater_is_better : bool, default=False
        alpha : float, default=0.05
            Level of Nemenyi's test.
        """
        average = mean_ranks(scores, greater_is_better=greater_is_better)
        n, k = np.shape(scores)
        if len(names) != k:
            raise ValueError(f"{len(names)} names were given for {k} methods: one per column.")
        cd = critical_difference(k, n, alpha)
        test = friedman(scores, greater_is_better=greater_is_better)
        return cls(
            names=list(names),
            mean_ranks=average,
            cd=cd,
            groups=indistinguishable(average, cd),
            friedman_pvalue=test.f_pvalue,
        )

    def _draw(self, ax):
        k = len(self.names)
        rows = (k + 1) // 2
        bars = 0.35 * len(self.groups)
        self._draw_axis(ax, k)
        self.bars_ = [self._draw_bar(ax, i, group) for i, group in enumerate(self.groups)]
        self.marks_, self.texts_ = [], []
        for place, method in enumerate(np.argsort(self.mean_ranks, kind="stable")):
            self._draw_method(ax, place, int(method), k, rows, bars)
        ax.set_xlim(0.2 - 0.12 * k, 0.8 + 1.12 * k)
        ax.set_ylim(-1.2 - bars - 0.6 * rows, 1.6)
        ax.axis("off")

    def _size(self):
        rows = (len(self.names) + 1) // 2
        return 7.0, 1.4 + 0.3 * rows + 0.25 * len(self.groups)

    def _draw_axis(self, ax, k: int) -> None:
        ax.plot([1, k], [0, 0], color="black", linewidth=1.0)
        for rank in range(1, k + 1):
            ax.plot([rank, rank], [0, 0.15], color="black", linewidth=1.0)
            ax.text(rank, 0.25, str(rank), ha="center", va="bottom", fontsize=8)
        ax.plot([1, 1 + self.cd], [1.1, 1.1], color="black", linewidth=1.5)
        ax.text(1 + self.cd / 2, 1.15, f"CD = {self.cd:.3f}", ha="center", va="bottom", fontsize=8)

    def _draw_bar(self, ax, i: int, group: tuple[int, ...]):
        ends = self.mean_ranks[list(group)]
        y = -0.35 * (i + 1)
        (line,) = ax.plot(
            [ends.min() - 0.05, ends.max() + 0.05], [y, y], color="#b2182b", linewidth=3.0
        )
        return line

    def _draw_method(self, ax, place, method, k, rows, bars) -> None:
        """The better half is named at the left, the best highest; the others at the right."""
        left = place < rows
        y = -0.6 - bars - 0.6 * (place if left else k - 1 - place)
        rank, edge = self.mean_ranks[method], 0.7 if left else k + 0.3
        (mark,) = ax.plot([rank, rank, edge], [0, y, y], color="0.35", linewidth=0.9)
        text = ax.text(
            edge + (-0.08 if left else 0.08),
            y,
            f"{self.names[method]}  {rank:.2f}" if left else f"{rank:.2f}  {self.names[method]}",
            ha="right" if left else "left",
            va="center",
            fontsize=9,
        )
        self.marks_.append(mark)
        self.texts_.append(text)

    def _title(self) -> str:
        if self.friedman_pvalue is None:
            return "Mean ranks"
        return f"Mean ranks (Friedman p = {self.friedman_pvalue:.2g})"
