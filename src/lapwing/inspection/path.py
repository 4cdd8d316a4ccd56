"""A picture of predictions along increasing γ_I."""

from typing import Any, Self

import numpy as np

from ..types import Axes, MatrixLike, RandomState, TargetLike
from .display import TitledDisplay

LINES = 60


class PathDisplay(TitledDisplay):
    """f(x_i) along γ_I, one line per row, and the share of rows that changed sign or class.

    Parameters
    ----------
    gamma_I : array of shape (k,)
        The values of γ_I.
    values : array of shape (k, m)
        One score per drawn row. It is the readout of one output. With several classes it is the
        largest readout minus the second largest.
    changed : array of shape (k,)
        The share of all rows with another class (or sign) than at the first γ_I.
    groups : integer array of shape (m,)
        The class or sign of each row at the last γ_I, for the colors.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    lines_ : list of Line2D
    share_ : Line2D

    Examples
    --------
    >>> import lapwing
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.inspection import PathDisplay
    >>> X, y, truth = make_two_moons(80, labels_per_class=2, random_state=0)
    >>> points = lapwing.path(lapwing.LapRLSClassifier(kernel="rbf"), X, y, gamma_I=[0.01, 1.0])
    >>> PathDisplay.from_path(points).plot().ax_.get_xlabel()
    'γ_I'
    """

    def __init__(
        self, *, gamma_I: MatrixLike, values: Any, changed: MatrixLike, groups: TargetLike
    ) -> None:
        self.gamma_I = gamma_I
        self.values = values
        self.changed = changed
        self.groups = groups

    @classmethod
    def from_path(
        cls, points: MatrixLike, *, output: int = 0, random_state: RandomState = 0
    ) -> Self:
        """Make the picture from the points of :func:`lapwing.path`. Only γ_I may vary.

        Parameters
        ----------
        points : iterable of PathPoint
        output : int
            The drawn output, if there are several real outputs. Classes are drawn by their margin.
        random_state : int
            The seed that draws 60 rows if there are more.
        """
        points = list(points)
        readouts = np.stack([p.readout for p in points])
        classes = readouts.shape[2] > 1 and points[0].objective.loss.kind != "regression"
        if classes:
            ordered = np.sort(readouts, axis=2)
            values, groups = ordered[..., -1] - ordered[..., -2], readouts.argmax(axis=2)
        else:
            values = readouts[..., output]
            groups = (values > 0).astype(int)
        n = values.shape[1]
        rows = np.random.default_rng(random_state).permutation(n)[:LINES]
        return cls(
            gamma_I=np.array([p.gamma_I for p in points]),
            values=values[:, rows],
            changed=(groups != groups[0]).mean(axis=1),
            groups=groups[-1, rows],
        )

    def _draw(self, ax: Axes):
        x = np.asarray(self.gamma_I, dtype=float)
        self.lines_: list[Any] = [
            ax.plot(x, v, color=f"C{g % 10}", alpha=0.4, linewidth=0.8)[0]
            for v, g in zip(self.values.T, self.groups, strict=True)
        ]
        beside = ax.twinx()  # the share has its own scale
        (self.share_,) = beside.plot(x, self.changed, "k-", linewidth=2)
        beside.set_ylim(0.0, max(0.05, 1.05 * float(np.max(self.changed))))
        beside.set_ylabel("share of rows changed (black)")
        positive = x[x > 0]
        ax.set_xscale("symlog", linthresh=positive.min() if len(positive) else 1.0)
        if x.min() < x.max():
            ax.set_xlim(x.min(), x.max())
        ax.set_xlabel("γ_I")
        ax.set_ylabel("f, one line per row")

    def _title(self):
        return "Predictions as the geometry counts more"
