"""A picture of an automatic choice: its scores over γ_I and γ_A."""

from __future__ import annotations

from textwrap import wrap
from typing import Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..selection import Selection
from ..types import Axes, Estimator
from .display import Display, draw_cells, frame_cell
from .steps import last_step


class SelectionDisplay(Display):
    """The leave-one-out loss over γ_I and γ_A for the chosen kernel, regularizer and intercept.

    Parameters
    ----------
    selection : Selection
        The attribute ``selection_`` of a fitted estimator.

    Attributes
    ----------
    ax_, figure_ : the axes and figure, once :meth:`plot` was called

    Examples
    --------
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(100, labels_per_class=10, random_state=0)
    >>> display = SelectionDisplay.from_estimator(LapRLSClassifier().fit(X, y))
    >>> display.score.shape == (len(display.gamma_A), len(display.gamma_I))
    True
    """

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.gamma_I, self.gamma_A, self.score = selection.surface()

    @classmethod
    def from_estimator(cls, estimator: Estimator) -> SelectionDisplay:
        """Make the picture from a fitted estimator with a choice, or from its pipeline."""
        estimator, _ = last_step(estimator)
        check_is_fitted(estimator, "solution_")
        selection = estimator.selection_
        if selection is None or selection.best is None:
            reason = "nothing was left to 'auto'" if selection is None else selection.reason
            raise ValueError(f"{type(estimator).__name__} compared nothing: {reason}.")
        return cls(selection)

    def plot(self, ax: Axes = None, *, cmap: str = "viridis_r") -> Self:
        """Draw the surface. The chosen weights have a frame. The title is the reason.

        Parameters
        ----------
        ax : matplotlib axes, optional
        cmap : str

        Returns
        -------
        self
        """
        ax = self._on(ax, (7.0, 4.8))
        draw_cells(ax, self.score, cmap, self.gamma_I, self.gamma_A, "leave-one-out loss")
        ax.set(xlabel="γ_I / rule", ylabel="γ_A / rule")
        ax.set_title("\n".join(wrap(self.selection.reason, 70)), fontsize=10)
        best = self.selection.best
        assert best is not None
        column = int(np.flatnonzero(self.gamma_I == best.gamma_I)[0])
        frame_cell(ax, int(np.flatnonzero(self.gamma_A == best.gamma_A)[0]), column)
        return self
