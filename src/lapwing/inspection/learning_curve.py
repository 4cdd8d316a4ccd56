"""A picture of scores by the number of labeled or unlabeled rows."""

from typing import Any, Self

import numpy as np

from ..types import Axes
from .display import TitledDisplay

PLACES = {"transduction": "unlabeled rows of the fit", "unseen": "unseen rows"}


class LearningCurveDisplay(TitledDisplay):
    """Mean scores over repeats with their standard errors. Each entry of ``scores`` is one line.

    Parameters
    ----------
    varied : {"labeled", "unlabeled"}
        The rows whose number varies.
    sizes : array of shape (k,)
        The numbers of rows.
    scores : dict of arrays of shape (k, n_repeats)
        The scores of each line, by its name.
    score_name : str, default="score"

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    lines_ : list of ErrorbarContainer

    Examples
    --------
    >>> from lapwing.inspection import LearningCurveDisplay
    >>> display = LearningCurveDisplay(varied="labeled", sizes=[2, 8],
    ...                                scores={"unseen rows": [[0.7, 0.8], [0.9, 0.9]]})
    >>> display.plot().ax_.get_xlabel()
    'labeled rows'
    """

    def __init__(self, *, varied: Any, sizes: Any, scores: Any, score_name: str = "score") -> None:
        self.varied = varied
        self.sizes = sizes
        self.scores = scores
        self.score_name = score_name

    @classmethod
    def from_curve(cls, *curves: Any, names: Any = None, score_name: str = "score") -> Self:
        """Make the picture from results of :func:`lapwing.comparison.learning_curve`.

        Parameters
        ----------
        *curves : LearningCurve
            One or more results with the same sizes.
        names : sequence of str, optional
            The names of the models, if there are several curves.
        score_name : str
        """
        if len({(c.varied, *map(int, c.sizes)) for c in curves}) != 1:
            raise ValueError("The curves must vary the same rows over the same sizes.")
        if names is None:
            names = [""] if len(curves) == 1 else [f"model {i + 1}" for i in range(len(curves))]
        scores = {
            f"{name}, {text}".lstrip(", "): getattr(curve, place)
            for name, curve in zip(names, curves, strict=True)
            for place, text in PLACES.items()
            if not np.isnan(getattr(curve, place)).all()
        }
        first = curves[0]
        return cls(varied=first.varied, sizes=first.sizes, scores=scores, score_name=score_name)

    def _draw(self, ax: Axes):
        self.lines_: list[Any] = []
        for name, scores in self.scores.items():
            scores = np.asarray(scores, dtype=float)
            seen = ~np.isnan(scores).all(axis=1)
            counts = np.maximum(1, (~np.isnan(scores[seen])).sum(axis=1))
            error = np.nanstd(scores[seen], axis=1) / np.sqrt(counts)
            self.lines_.append(
                ax.errorbar(
                    np.asarray(self.sizes)[seen], np.nanmean(scores[seen], axis=1), yerr=error,
                    marker="o", capsize=3, label=name,
                )
            )  # fmt: skip
        ax.set_xlabel(f"{self.varied} rows")
        ax.set_ylabel(self.score_name)
        ax.legend()

    def _title(self):
        return f"Scores against the number of {self.varied} rows"
