"""A score over a grid of two parameters, as a picture (VV Fig. 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ..path import PathPoint

LABELS = {"gamma_I": "γ_I", "gamma_A": "γ_A", "gamma_O": "γ_O"}


class SurfaceDisplay:
    """A score over two parameters of a path; best use :meth:`from_path`.

    Parameters
    ----------
    x, y : arrays of shape (a,) and (b,)
        The parameters' values, ascending.
    score : array of shape (b, a)
    x_name, y_name, score_name : str

    Attributes
    ----------
    ax_, figure_ : the axes and figure, once :meth:`plot` was called

    Examples
    --------
    >>> import numpy as np
    >>> display = SurfaceDisplay([0, 1], [0, 1, 2], np.arange(6).reshape(3, 2), "γ_I", "γ_O", "AUC")
    >>> display.best
    (1.0, 2.0, 5.0)
    """

    def __init__(self, x, y, score, x_name: str, y_name: str, score_name: str = "score"):
        self.x, self.y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        self.score = np.asarray(score, dtype=float)
        self.x_name, self.y_name, self.score_name = x_name, y_name, score_name
        if self.score.shape != (len(self.y), len(self.x)):
            raise ValueError(
                f"score has shape {self.score.shape}; expected ({len(self.y)}, {len(self.x)}), one "
                "row per y and one column per x."
            )

    @classmethod
    def from_path(
        cls,
        path: Iterable[PathPoint],
        score: Callable[[PathPoint], float],
        x: str = "gamma_I",
        y: str = "gamma_O",
        score_name: str = "score",
    ) -> SurfaceDisplay:
        """Score every point of a path; where a third parameter varies, its best value counts.

        Parameters
        ----------
        path : iterable of PathPoint
            From :func:`lapwing.path.vector_valued_path`.
        score : callable
            PathPoint ↦ number, larger is better.
        x, y : {"gamma_I", "gamma_A", "gamma_O"}
        """
        for name in (x, y):
            if name not in LABELS:
                raise ValueError(f"{name!r} is no parameter of a path; expected {list(LABELS)}.")
        found: dict[tuple[float, float], float] = {}
        for point in path:
            key = (getattr(point, x), getattr(point, y))
            found[key] = max(found.get(key, -np.inf), score(point))
        xs, ys = (sorted({key[i] for key in found}) for i in (0, 1))
        values = [[found[a, b] for a in xs] for b in ys]
        return cls(xs, ys, values, LABELS[x], LABELS[y], score_name)

    @property
    def best(self) -> tuple[float, float, float]:
        """(x, y, score) of the largest score."""
        row, column = np.unravel_index(np.nanargmax(self.score), self.score.shape)
        return float(self.x[column]), float(self.y[row]), float(self.score[row, column])

    def plot(self, ax=None, *, cmap="viridis", fmt=".3g"):
        """Draw a map with one cell per pair of values (grids need not be even), best cell marked.

        Parameters
        ----------
        ax : matplotlib axes, optional
        cmap : str
        fmt : str or None
            How the score is written into each cell; None leaves the cells empty.

        Returns
        -------
        self
        """
        import matplotlib.pyplot as plt

        ax = plt.subplots()[1] if ax is None else ax
        image = ax.imshow(self.score, origin="lower", aspect="auto", cmap=cmap)
        ax.set_xticks(range(len(self.x)), [f"{v:g}" for v in self.x])
        ax.set_yticks(range(len(self.y)), [f"{v:g}" for v in self.y])
        ax.set(xlabel=self.x_name, ylabel=self.y_name)
        ax.figure.colorbar(image, ax=ax, label=self.score_name)
        if fmt is not None:
            middle = 0.5 * (np.nanmin(self.score) + np.nanmax(self.score))
            for (row, column), value in np.ndenumerate(self.score):
                colour = "black" if value > middle else "white"
                ax.text(column, row, f"{value:{fmt}}", ha="center", va="center", color=colour)
        row, column = np.unravel_index(np.nanargmax(self.score), self.score.shape)
        ax.add_patch(plt.Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, ec="red", lw=2))
        self.ax_, self.figure_ = ax, ax.figure
        return self
