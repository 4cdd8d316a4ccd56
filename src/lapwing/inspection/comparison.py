"""A picture of a fit, its supervised limit and simple alternatives."""

from typing import Any, Self

import numpy as np

from ..types import Axes, MatrixLike
from .display import TitledDisplay


class ComparisonDisplay(TitledDisplay):
    """The mean loss of each method at left-out labels, with standard errors.

    Parameters
    ----------
    names : list of str
        The names of the k methods.
    means, errors : arrays of shape (k,)
        The mean loss of each method, and its standard error.
    verdict : str
        The title.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    bars_ : BarContainer

    Examples
    --------
    >>> from lapwing.inspection import ComparisonDisplay
    >>> display = ComparisonDisplay(names=["ours", "SVC"], means=[0.1, 0.2], errors=[0.02, 0.03],
    ...                             verdict="It helped.")
    >>> display.plot().ax_.get_title()
    'It helped.'
    """

    def __init__(
        self, *, names: Any, means: MatrixLike, errors: MatrixLike, verdict: str = ""
    ) -> None:
        self.names = names
        self.means: np.ndarray = means
        self.errors: np.ndarray = errors
        self.verdict = verdict

    @classmethod
    def from_comparison(cls, comparison: Any) -> Self:
        """Make the picture from the result of :func:`lapwing.compare`."""
        means = comparison.means
        return cls(
            names=list(means),
            means=[m for m, _ in means.values()],
            errors=[e for _, e in means.values()],
            verdict=comparison.verdict,
        )

    def _draw(self, ax: Axes):
        colors = ["C0"] + ["0.7"] * (len(self.names) - 1)
        self.bars_: Any = ax.barh(self.names, self.means, xerr=self.errors, color=colors, capsize=3)
        ax.invert_yaxis()
        ax.set_xlim(left=0.0)
        ax.set_xlabel("loss at labeled rows, each without its label")

    def _title(self):
        return self.verdict
