"""Choosing what is "auto" in any estimator: its parameters in turn, all from K̃ at the labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..spaces import LabeledKernel
from .criterion import SQUARES
from .leave_one_out import squared_held_out_grid
from .posterior import medoid, posterior_weights, prior_masses
from .rules import spelled
from .selection import Selection

SCALES = (1.0, 1e-2, 1e1, 1e2, 1e3, 1e4, 1e6)
"""Common multiples of all weights tried at each point: K̃/c costs nothing once K̃ is known."""

FAR = 1e6
"""Size beyond which a held-out readout is as wrong as any."""

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

    def typed(self, i: int):
        return spelled(self.values[i]) if self.weight else self.values[i]


def search_axes(
    axes: Sequence[Axis],
    scaled: Sequence[str],
    labeled: Callable[[dict], tuple[LabeledKernel, np.ndarray, np.ndarray]],
    judge: Callable[[np.ndarray], np.ndarray],
    real: bool = True,
) -> Selection:
    """Each parameter in turn, the others at the likeliest so far; then the medoid of all.

    K̃ at the labeled rows tells the leave-one-out readouts of the squared loss in closed form,
    whatever couples outputs or views; the weights are tried once more at the end. Where several
    weights scale K̃ together, all their common multiples are compared at each point. The prior and
    the weights are those of every search (:mod:`.posterior`).

    Parameters
    ----------
    axes : sequence of Axis
    scaled : sequence of str
        The weights whose common multiple c makes K̃/c; empty where there is none.
    labeled : callable
        Settings, as typed, ↦ (K̃ at the labeled rows, targets (l, t), weights).
    judge : callable
        Held-out readouts, (l, t), ↦ the loss of each row that tells something.
    real : bool
        Whether losses are squares: their likelihood is normal, with the likeliest variance.

    Returns
    -------
    Selection
    """
    search = _AxisSearch(axes, scaled, labeled, judge, real)
    search.try_point(dict.fromkeys((a.name for a in axes), 0))
    if not search.losses:
        default = {axis.name: axis.typed(0) for axis in axes}
        return Selection(
            default, "Rounding leaves nothing of the default to compare with, so it is taken."
        )
    again = [axis for axis in axes if axis.weight] if len(axes) > 1 else []
    for axis in (*axes, *again):
        at = search.likeliest()
        for i in range(len(axis.values)):
            search.try_point({**at, axis.name: i})
    return search.decide()


class _AxisSearch:
    def __init__(self, axes, scaled, labeled, judge, real):
        self.axes = {axis.name: axis for axis in axes}
        self.scaled = tuple(name for name in scaled if name in self.axes)
        self.labeled, self.judge, self.real = labeled, judge, real
        self.at: list[dict[str, int]] = []
        self.scales: list[float] = []
        self.losses: list[np.ndarray] = []
        self.answers: list[np.ndarray] = []
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
            if not self.losses:  # what is wrong with the default is wrong with the fit
                raise
            return
        for scale, H in zip(scales, held, strict=True):
            self.losses.append(np.nan_to_num(self.judge(H), nan=UNTOLD, posinf=UNTOLD))
            self.answers.append(np.clip(np.nan_to_num(H).ravel(), -FAR, FAR))
            self.at.append(point)
            self.scales.append(scale)

    @property
    def weights(self) -> np.ndarray:
        losses, n = np.array(self.losses), len(self.losses)
        totals = losses.sum(axis=1)
        if self.real:
            tiny = np.finfo(float).tiny
            totals = 0.5 * losses.shape[1] * np.log(np.maximum(losses.mean(axis=1), tiny))
        alone = [self._multiples(i).get("gamma_I", 1.0) == 0 for i in range(n)]
        prior = prior_masses([0] * n, alone, [0] * n)
        return posterior_weights(prior, totals, losses.shape[1])

    def _multiples(self, i: int) -> dict[str, float]:
        """The weights of a setting in multiples of their rules."""
        point, scale = self.at[i], self.scales[i]
        return {
            name: axis.values[point[name]] * (scale if name in self.scaled else 1.0)
            for name, axis in self.axes.items()
            if axis.weight
        }

    def likeliest(self) -> dict[str, int]:
        return self.at[int(self.weights.argmax())]

    def decide(self) -> Selection:
        weights, multiples = self.weights, [self._multiples(i) for i in range(len(self.at))]
        searched = tuple(n for n in ("gamma_A", "gamma_I") if n in multiples[0])
        keys, parts, part = [], [], []
        for i, point in enumerate(self.at):
            typed = {n: axis.typed(point[n]) for n, axis in self.axes.items() if not axis.weight}
            typed |= {n: spelled(m) for n, m in multiples[i].items() if n not in searched}
            key = tuple((n, point[n]) for n in typed if not self.axes[n].weight)
            key += tuple((n, v) for n, v in typed.items() if self.axes[n].weight)
            if key not in keys:
                keys.append(key)
                parts.append(typed)
            part.append(keys.index(key))
        found = Selection(
            choice={},
            settings=tuple(parts),
            part=np.array(part),
            gamma_A=np.array([m.get("gamma_A", 1.0) for m in multiples]),
            gamma_I=np.array([m.get("gamma_I", 1.0) for m in multiples]),
            weights=weights,
            losses=np.array(self.losses, dtype=np.float32),
            best_at=medoid(weights, np.array(self.answers), 0),
            searched=searched,
            unit=SQUARES if self.real else "",
        )
        assert found.best is not None
        return found.typed({name: found.best.settings[name] for name in self.axes})
