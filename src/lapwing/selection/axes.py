"""Choosing what is "auto" in any estimator: its parameters in turn, all from K̃ at the labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..spaces import LabeledKernel
from .decision import leading, preferred, reason
from .leave_one_out import squared_held_out_grid
from .rules import spelled
from .selection import Selection, runner_up

SCALES = (1.0, 1e-2, 1e1, 1e2, 1e3, 1e4, 1e6)
"""Common multiples of all weights tried at each point: K̃/c costs nothing once K̃ is known."""

NOTHING = 3.0
"""How far a weight of 0 is from the default, in powers of ten."""

UNTOLD = 10.0
"""The loss of a row that the others tell nothing of: what has overflowed is no better."""


@dataclass(frozen=True)
class Axis:
    """One parameter and the values tried, the default first.

    Attributes
    ----------
    name : str
    values : tuple
        Of a weight, multiples of its rule; else what one types.
    weight : bool
    """

    name: str
    values: tuple
    weight: bool = True

    def distance(self, i: int) -> float:
        """How far the i-th value is from the default, in powers of ten."""
        if not self.weight:
            return 1.0 + 0.1 * i if i else 0.0
        value = self.values[i]
        return abs(float(np.log10(value / self.values[0]))) if value else NOTHING

    def typed(self, i: int):
        return spelled(self.values[i]) if self.weight else self.values[i]


@dataclass(frozen=True)
class Setting:
    """One point of a search over axes, and its leave-one-out losses.

    Attributes
    ----------
    settings : dict
        What one types.
    losses : array of shape (l,)
    steps : float
        How far it is from the default.
    multiples : dict
        Its weights in multiples of the rule.
    """

    settings: dict[str, Any]
    losses: np.ndarray = field(repr=False)
    steps: float = 0.0
    multiples: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The mean loss: smaller is better."""
        return float(np.mean(self.losses))

    @property
    def gamma_A(self) -> float:
        return self.multiples.get("gamma_A", 1.0)

    @property
    def gamma_I(self) -> float:
        return self.multiples.get("gamma_I", 1.0)

    def same_parts(self, other: Setting) -> bool:
        """Whether they differ in γ_A and γ_I only."""
        mine, theirs = (
            {k: v for k, v in t.settings.items() if k not in ("gamma_A", "gamma_I")}
            for t in (self, other)
        )
        return mine.keys() == theirs.keys() and all(
            mine[k] is theirs[k] or mine[k] == theirs[k] for k in mine
        )

    def __str__(self) -> str:
        return ", ".join(f"{k}={' '.join(repr(v).split())}" for k, v in self.settings.items())


def search_axes(
    axes: Sequence[Axis],
    scaled: Sequence[str],
    labeled: Callable[[dict], tuple[LabeledKernel, np.ndarray, np.ndarray]],
    judge: Callable[[np.ndarray], np.ndarray],
    least: float = 0.0,
) -> Selection:
    """Each parameter in turn, the others at the best so far; the default is left for a reason only.

    K̃ at the labeled rows tells the leave-one-out readouts of the squared loss in closed form,
    whatever couples outputs or views; the weights are tried once more at the end. Where several
    weights scale K̃ together, all their common multiples are compared at each point.

    Parameters
    ----------
    axes : sequence of Axis
    scaled : sequence of str
        The weights whose common multiple c makes K̃/c; empty where there is none.
    labeled : callable
        Settings, as typed, ↦ (K̃ at the labeled rows, targets (l, t), weights).
    judge : callable
        Held-out readouts, (l, t), ↦ the loss of each row that tells something.
    least : float
        A lead that is no evidence (:func:`lapwing.selection.decision.preferred`).

    Returns
    -------
    Selection
    """
    search = _AxisSearch(axes, scaled, labeled, judge)
    search.try_point(dict.fromkeys((a.name for a in axes), 0))
    if not search.trials:
        default = {axis.name: axis.typed(0) for axis in axes}
        return Selection(default, "rounding leaves nothing of the default to compare with")
    again = [axis for axis in axes if axis.weight] if len(axes) > 1 else []
    for axis in (*axes, *again):
        at = search.best_point()
        for i in range(len(axis.values)):
            search.try_point({**at, axis.name: i})
    return search.decide(least)


class _AxisSearch:
    def __init__(self, axes, scaled, labeled, judge):
        self.axes = {axis.name: axis for axis in axes}
        self.scaled = tuple(name for name in scaled if name in self.axes)
        self.labeled, self.judge = labeled, judge
        self.trials: list[Setting] = []
        self.at: list[dict[str, int]] = []
        self._tried: set[tuple] = set()

    def try_point(self, point: dict[str, int]) -> None:
        """All common multiples of the weights at one point; nothing where it was seen before."""
        key = tuple(point.values())
        if key in self._tried:
            return
        self._tried.add(key)
        scales = SCALES if self.scaled else (1.0,)
        try:
            kernel, Y, w = self.labeled({n: self.axes[n].typed(i) for n, i in point.items()})
            held = squared_held_out_grid(kernel, Y, w, scales)
        except (np.linalg.LinAlgError, ArithmeticError):
            return
        except ValueError:
            if not self.trials:  # what is wrong with the default is wrong with the fit
                raise
            return
        for scale, H in zip(scales, held, strict=True):
            losses = np.nan_to_num(self.judge(H), nan=UNTOLD, posinf=UNTOLD)
            self.trials.append(self._setting(point, scale, losses))
            self.at.append(point)

    def _setting(self, point: dict[str, int], scale: float, losses: np.ndarray) -> Setting:
        settings, multiples = {}, {}
        for name, i in point.items():
            axis = self.axes[name]
            settings[name] = axis.typed(i)
            if axis.weight:
                multiples[name] = axis.values[i] * (scale if name in self.scaled else 1.0)
                settings[name] = spelled(multiples[name])
        steps = sum(self.axes[n].distance(i) for n, i in point.items())
        return Setting(settings, losses, steps + 0.5 * abs(float(np.log10(scale))), multiples)

    def best_point(self) -> dict[str, int]:
        best = leading(self.trials)
        return next(p for p, t in zip(self.at, self.trials, strict=True) if t is best)

    def decide(self, least: float) -> Selection:
        chosen = preferred(self.trials, least)
        return Selection(
            dict(chosen.settings),
            reason(self.trials, chosen),
            chosen,
            self.trials[0],
            runner_up(self.trials, chosen),
            tuple(self.trials),
        )
