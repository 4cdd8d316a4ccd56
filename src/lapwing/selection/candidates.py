"""Which settings are compared; the first of each list is the one documented default of all.

==============  =================================================================================
points          as they are; each column in its own unit (first where few columns hold the
                variance); by direction; along ten leading components (:mod:`.frames`)
kernel          with a graph RBF("local"); without one also RBF of the median distance and of half
                of it, and Linear(); of eigenvectors the median distance comes first
regularizer     0.3 L + 0.85 L² over 6 neighbors, and L²; for counts of words L³ and L². For real
                targets L is bistochastic: its null vector is the constant
fit_intercept   True for real targets, where M annihilates constants or there is no M; else False
gamma_A         rule; 1e2, 1e4, 1e6 times the rule, for real targets 0.01 times the rule too
gamma_I         as many times 10·rule; 0
gamma_C         of views: rule; 10, 100, 0.1, 0.01 times the rule
gamma_M         of targets: rule; 0, or the list of gamma_I
output_kernel   None; ``OutputGraph`` with γ_O = 0.5 and 1
n_components    rule; half, twice and four times as many
==============  =================================================================================

An estimator says only which of these it has (``Recipe.axes``).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graphs import Graph
from ..kernels import RBF, Kernel, Linear, check_magnitude
from ..operators import Operator
from ..outputs import OutputGraph
from ..parameters.arguments import is_auto
from ..regularizers import Laplacian, LaplacianPolynomial, Regularizer
from .frames import Frame
from .rules import in_numbers, spelled

AMBIENT = (1.0, 1e2, 1e4, 1e6, 1e-2)
"""γ_A compared, in multiples of the rule; the default first. The last one only where targets are no
classes: values may have no noise at all."""

INTRINSIC = (10.0, 100.0, 1.0, 0.1, 0.01)
"""Weights compared by themselves, in multiples of their rules. The first one is γ_I's default, and
γ_I/γ_A wherever both are "auto"; of other weights the default is the rule."""

MIXED = (0.0, 0.3, 0.85)
"""0.3 L + 0.85 L², whose norm is at most that of L², 4: L binds curves, which L² leaves free along
themselves the more the finer they are sampled; L² smooths clouds, where L has spikes at labels."""

NEIGHBORS = 6
"""Neighbors in the graphs."""

Degree = int | tuple[float, ...]
Gammas = tuple[float, float]


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

    def typed(self, i: int) -> Any:
        return spelled(self.values[i]) if self.weight else self.values[i]


RULE_FIRST = tuple(sorted(INTRINSIC, key=lambda weight: weight != 1.0))

AXES = {
    axis.name: axis
    for axis in (
        Axis("kernel", (RBF("local"), RBF(), Linear()), weight=False),
        Axis("fit_intercept", (True, False), weight=False),
        Axis("gamma_A", AMBIENT[:-1]),
        Axis("gamma_I", (*INTRINSIC, 0.0)),
        Axis("gamma_C", RULE_FIRST),
        Axis("gamma_M", (*RULE_FIRST, 0.0)),
        Axis("output_kernel", (None, OutputGraph(), OutputGraph(1.0)), weight=False),
    )
}
"""What is tried of a parameter by itself, where an estimator has it."""


def degrees(words: bool) -> list[Degree]:
    """Powers of L, or polynomials, the default first."""
    return [3, 2] if words else [MIXED, 2]


def laplacian(graph: Graph, normalized: bool | str, degree: Degree) -> Regularizer:
    """A power of L, or the polynomial with these coefficients.

    Examples
    --------
    >>> from lapwing.graphs import KNN
    >>> laplacian(KNN(6), True, 2)
    Laplacian(degree=2, graph=KNN(n_neighbors=6))
    """
    if isinstance(degree, int):
        return Laplacian(graph, normalized=normalized, degree=degree)
    return LaplacianPolynomial(graph, degree, normalized)


def alone_kernels(
    frame: Frame, Z, local: float, median: float, linear_only: bool
) -> list[tuple[Kernel, Kernel]]:
    """The kernels compared without a graph, the default first: as typed, and with their widths."""
    if linear_only:
        return [(Linear(), Linear())]
    half = RBF(0.5 * median)
    others = [(RBF(), RBF(median)), (half, half)] if frame.plain else []
    found: list[tuple[Kernel, Kernel]] = [(RBF("local"), RBF(local)), *others]
    with suppress(ValueError):  # numbers that a computer cannot add up
        check_magnitude(Linear(), Z)
        found.append((Linear(), Linear()))
    return found


def intercept(given, operator: Operator, classes: bool) -> bool:
    """With an intercept or without.

    What M does not annihilate but an intercept adds, few labels of classes are fitted by: the
    normalized Laplacian's null vector is √degree, and c√d + b costs nothing. Real targets have an
    arbitrary zero (°C or K), which only an intercept takes off.
    """
    if not is_auto(given):
        return bool(given)
    if not classes:
        return True
    one = np.ones((operator.n, operator.n_outputs))
    z = np.random.default_rng(0).standard_normal(one.shape)
    size = float(np.linalg.norm(operator.apply(z))) or 1.0
    return bool(np.linalg.norm(operator.apply(one)) <= 1e-6 * size)


def ambient(n_classes: int) -> tuple[float, ...]:
    """The γ_A's compared, in multiples of the rule."""
    return AMBIENT[:-1] if n_classes else AMBIENT


def weights(given: dict, rule_A: float, rule_I: float, tried: Sequence[float]) -> list[Gammas]:
    """The pairs (γ_A, γ_I > 0) to compare, in multiples of the rules, the default first.

    Both "auto": one ratio. One given: the other's own list.
    """
    gamma_A, gamma_I = given["gamma_A"], given["gamma_I"]
    ambient_sizes = sizes(gamma_A, rule_A, tried)
    if is_auto(gamma_A) and is_auto(gamma_I):
        return [(a, INTRINSIC[0] * a) for a in ambient_sizes]
    return [(a, i) for i in sizes(gamma_I, rule_I, INTRINSIC) for a in ambient_sizes]


def sizes(given, rule: float, tried: Sequence[float]) -> tuple[float, ...]:
    """The values of a weight to compare, in multiples of its rule: the given one, or the list."""
    return tuple(tried) if is_auto(given) else (in_numbers(given, rule) / rule,)
