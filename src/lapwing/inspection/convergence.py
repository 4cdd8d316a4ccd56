"""A picture of the certificate of a solver after each iteration."""

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..estimators.base import ManifoldModel
from ..solvers import Solution, tolerance
from ..types import Axes, Estimator
from .canvas import load
from .display import Display
from .points import COLORS, MARKERS
from .steps import last_step

GRADIENT = "‖∇(c)‖ / ‖∇(0)‖"
GAP = "relative duality gap"
MARKED = 60  # a longer history is drawn without markers
FLOOR = 1e-17  # zero has no logarithm; it is drawn here


class ConvergenceDisplay(Display):
    """The certificate after each iteration on a logarithmic axis, with its tolerance.

    For a smooth loss it is the relative norm of the gradient, for the worst column. For a hinge
    loss the dual is solved for each class. Each marker is then the relative duality gap of one
    class.

    Parameters
    ----------
    history : array of shape (k,)
        The certificate after each iteration.
    tol : float or None
        The tolerance. It is drawn as a line.
    name : str
        The name of the curve in the legend.
    iterates : bool
        True if ``history`` has one entry per iteration, False if it has one entry per column.
    quantity : str
        The label of the axis.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    line_ : Line2D
    tol_line_ : Line2D or None
    legend_ : Legend

    Examples
    --------
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.inspection import ConvergenceDisplay
    >>> X, y, _ = make_two_moons(random_state=0)
    >>> model = LapRLSClassifier(kernel="rbf", solver="cg", gamma_A=1e-2, gamma_I=1.0).fit(X, y)
    >>> display = ConvergenceDisplay.from_estimator(model)
    >>> bool(display.history[-1] <= display.tol)
    True
    >>> display.plot().ax_.get_yscale()
    'log'
    """

    def __init__(
        self,
        *,
        history: Any,
        tol: float | None = None,
        name: str = "",
        iterates: bool = True,
        quantity: str = GRADIENT,
    ) -> None:
        self.history = history
        self.tol = tol
        self.name = name
        self.iterates = iterates
        self.quantity = quantity

    @classmethod
    def from_estimator(cls, estimator: Estimator, *, name: str | None = None) -> Self:
        """Make the picture from the history in ``solution_`` of a fitted estimator.

        Parameters
        ----------
        estimator : classifier or regressor of lapwing, fitted, or a pipeline that ends in one
        name : str, optional
            None is the name of the class.
        """
        estimator, _ = last_step(estimator)
        if not isinstance(estimator, ManifoldModel):
            raise TypeError(
                f"ConvergenceDisplay.from_estimator needs a classifier or regressor of lapwing, "
                f"got {estimator!r}; from_solution draws a solver's Solution."
            )
        check_is_fitted(estimator)
        loss = estimator.objective_.loss
        smooth = loss.smooth
        return cls.from_solution(
            estimator.solution_,
            tol=tolerance(estimator.tol, loss),
            name=type(estimator).__name__ if name is None else name,
            smooth=smooth,
        )

    @classmethod
    def from_solution(
        cls, solution: Solution, *, tol: float | None = None, name: str = "", smooth: bool = True
    ) -> Self:
        """Make the picture from a solution. For a smooth loss it ends at the certificate.

        Parameters
        ----------
        solution : Solution
        tol : float, optional
        name : str
        smooth : bool, default=True
            Whether the loss is smooth. Otherwise the history holds one duality gap per column.
        """
        history = np.array(solution.history, dtype=np.float64)
        if not len(history):
            raise ValueError("The solution has an empty history: the solver recorded nothing.")
        if smooth:
            # a solver may have solved an equivalent smaller problem; only at the end, the
            # certificate of the whole problem is known
            history[-1] = solution.optimality
        return cls(
            history=history,
            tol=tol,
            name=name,
            iterates=smooth,
            quantity=GRADIENT if smooth else GAP,
        )

    def plot(
        self, ax: Axes = None, *, title: str | None = None, color: Any = None, tol_line: bool = True
    ) -> Self:
        """Draw the curve. Several displays may share one ``ax``.

        Parameters
        ----------
        ax : matplotlib axes, optional
            None makes a new figure.
        title : str, optional
        color : str, optional
            None takes the next color. The colors are safe for color-blind readers.
        tol_line : bool, default=True

        Returns
        -------
        self
        """
        ax = self._on(ax)
        turn = sum(line.get_gid() == "history" for line in ax.lines)
        self.line_: Any = self._draw(ax, turn, color)
        self.tol_line_: Any = self._draw_tol(ax) if tol_line and self.tol is not None else None
        ax.set_yscale("log")
        ax.set_xlabel("iteration" if self.iterates else "column (class or target)")
        ax.set_ylabel(f"certificate: {self.quantity}")
        ax.xaxis.set_major_locator(load("matplotlib.ticker").MaxNLocator(integer=True))
        ax.grid(True, alpha=0.25)
        ax.set_title("Convergence" if title is None else title)
        self.legend_: Any = ax.legend(fontsize=8, frameon=False)
        return self

    def _draw(self, ax: Axes, turn: int, color):
        (line,) = ax.plot(
            np.arange(len(self.history)),
            np.maximum(self.history, FLOOR),
            color=COLORS[turn % len(COLORS)] if color is None else color,
            marker=MARKERS[turn % len(MARKERS)] if len(self.history) <= MARKED else None,
            markersize=4,
            linewidth=1.2,
            linestyle="-" if self.iterates else "none",
            label=self.name or "certificate",
            gid="history",
        )
        return line

    def _draw_tol(self, ax: Axes):
        return ax.axhline(
            self.tol, color="black", linestyle="--", linewidth=1.0, label=f"tol = {self.tol:.0e}"
        )
