"""The search over parameters one at a time, for families that have more than kernel and weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..spaces import LabeledKernel
from .candidates import Axis, Gammas, ambient
from .comparison import Comparison, Part
from .leave_one_out import held_out_grid, pieces
from .rules import multiple_of_rule, spelled
from .sample import Sample
from .selection import Selection


def search_axes(
    sample: Sample,
    axes: Sequence[Axis],
    scaled: Sequence[str],
    labeled: Callable[[dict], LabeledKernel],
    start: dict[str, Any],
    say: Callable[[str], None],
) -> Selection:
    """Vary one parameter at a time, with the others at the likeliest so far. Then take the medoid.

    K̃ at the labeled rows gives the leave-one-out readouts of the squared loss in closed form, also
    if outputs or views are coupled. All parameters are varied twice: the first ones were compared
    with others that may have been poor. If several weights
    scale K̃ together, all their common multiples are compared at each point. Prior and posterior
    weights are as in every search (:mod:`.posterior`). The settings vote at the left-out labels.

    Parameters
    ----------
    sample : Sample
    axes : sequence of Axis
    scaled : sequence of str
        The weights that scale K̃: their common multiple c gives K̃/c. Empty if there are none.
    labeled : callable
        A function from settings, as a user types them, to K̃ at the labeled rows.
    start : dict
        The choice of an earlier search, as a user types it.
    say : callable
        A function that receives progress messages.

    Returns
    -------
    Selection
    """
    walk = _Walk(sample, axes, scaled, labeled, start)
    walk.look(dict.fromkeys((axis.name for axis in axes), 0))
    if not walk.points:
        default = {axis.name: axis.typed(0) for axis in axes}
        return Selection(default, "Rounding leaves nothing of the default to compare with.")
    again = axes if len(axes) > 1 else ()
    for axis in (*axes, *again):
        say(f"comparing {axis.name} by leave-one-out")
        at = walk.points[int(np.round(walk.comparison.totals, 6).argmin())]
        for i in range(len(axis.values)):
            walk.look({**at, axis.name: i})
    scales = len(ambient(sample.exclusive)) if walk.scaled else 1
    possible = scales * math.prod(len(axis.values) for axis in axes)
    return replace(walk.comparison.selection(), possible=possible)


class _Walk:
    """The points that :func:`search_axes` has compared."""

    def __init__(self, sample: Sample, axes, scaled, labeled, start):
        self.sample, self.labeled, self.start = sample, labeled, start
        self.axes = {axis.name: axis for axis in axes}
        self.weights = {axis.name for axis in axes if axis.weight}
        self.weights |= {name for name, value in start.items() if multiple_of_rule(value) >= 0}
        searched = [name for name in ("gamma_A", "gamma_I") if name in self.weights]
        self.scaled = self.weights.intersection(scaled)
        self.comparison = Comparison(sample, {}, searched)
        self.points: list[dict[str, int]] = []
        self._parts: dict[tuple, Part] = {}

    def look(self, point: dict[str, int]) -> None:
        """Add all common multiples of the weights at one point, unless it was added before."""
        if point in self.points:
            return
        typed = {**self.start, **{name: self.axes[name].typed(i) for name, i in point.items()}}
        own = multiple_of_rule(typed.get("gamma_A"))
        own = own if own > 0 else 1.0
        sizes = ambient(self.sample.exclusive) if self.scaled else [own]
        scales = sorted((a / own for a in sizes), key=lambda c: c != 1.0)
        s = self.sample
        try:
            systems = pieces(self.labeled(typed), s.Y, s.w)
            held = held_out_grid(systems, s.Y, s.w, scales, s.judge.groups)
        except (np.linalg.LinAlgError, ArithmeticError):
            return
        except ValueError:
            if not self.points:  # an error of the default is an error of the fit
                raise
            return
        for scale, H in zip(scales, held, strict=True):
            part, gammas = self._setting(typed, point, scale)
            self.comparison.add(part, [gammas], H[None], H[None], (systems, [scale]))
            self.points.append(point)
        heard = self.comparison.heard  # the systems of other settings would only take memory
        self.comparison.systems = [s for s in self.comparison.systems if heard[s.first]]

    def _setting(self, typed: dict, point: dict[str, int], scale: float) -> tuple[Part, Gammas]:
        """The part (the parameters without γ_A and γ_I) and the pair (γ_A, γ_I)."""
        multiples = {n: multiple_of_rule(typed[n]) for n in typed if n in self.weights}
        multiples |= {n: scale * multiples[n] for n in multiples if n in self.scaled}
        own = {n: spelled(multiples[n]) if n in multiples else v for n, v in typed.items()}
        own = {n: v for n, v in own.items() if n not in self.comparison.searched}
        key = tuple(v if n in multiples else point.get(n) for n, v in own.items())
        part = self._parts.setdefault(key, Part(own))
        return part, (multiples.get("gamma_A", 1.0), multiples.get("gamma_I", 1.0))
