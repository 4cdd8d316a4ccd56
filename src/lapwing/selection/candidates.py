"""The settings that are compared. The first value of each list is the documented default.

==============  =================================================================================
points          unchanged; each column standardized (first if few columns hold the variance); rows
                of norm 1; ten leading components (:mod:`.frames`)
kernel          with a graph RBF("local"); without one RBF() and LaplacianKernel(), both of the
                median distance, and Linear(); with eigenvectors the median distance comes first
regularizer     0.3 L + 0.85 L² over 6 neighbors, and L²; for counts of words L³ and L². For real
                targets and label sets L is bistochastic: it does not penalize constants
fit_intercept   True for real targets, if M does not penalize constants, or without M; else False
gamma_A         rule; 1e2, 1e4, 1e6 times the rule; for real targets also 0.01 times the rule
gamma_I         the same multiples of 10·rule; 0
gamma_C         for views: rule; 10, 100, 0.1, 0.01 times the rule
gamma_M         for several targets: rule; 0, or the list of gamma_I
output_kernel   None; ``OutputGraph`` with γ_O = 0.5 and 1
n_components    rule; half, twice and four times as many
==============  =================================================================================

An estimator names the parameters that it has (``Recipe.axes``).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graphs import Graph
from ..kernels import RBF, Kernel, LaplacianKernel, Linear, check_magnitude
from ..operators import Operator
from ..outputs import OutputGraph
from ..parameters.arguments import is_auto
from ..regularizers import Laplacian, LaplacianPolynomial, Regularizer
from .frames import Frame
from .rules import in_numbers, spelled

AMBIENT = (1.0, 1e2, 1e4, 1e6, 1e-2)
"""The γ_A compared, in multiples of the rule, the default first. The last one is only for real
targets, because they may have no noise at all."""

INTRINSIC = (10.0, 100.0, 1.0, 0.1, 0.01)
"""The values of a single weight compared, in multiples of its rule. The first value is the default
of γ_I, and of γ_I/γ_A if both are "auto". The default of other weights is the rule."""

MIXED = (0.0, 0.3, 0.85)
"""0.3 L + 0.85 L². Its norm is at most 4, as for L². L² alone hardly penalizes changes along a
densely sampled curve; L does. L alone gives spikes at labels in clouds of points; L² does not."""

NEIGHBORS = 6
"""The number of neighbors in the graphs."""

Degree = int | tuple[float, ...]
Gammas = tuple[float, float]


@dataclass(frozen=True)
class Axis:
    """One parameter and the values to compare, the default first.

    Attributes
    ----------
    name : str
    values : tuple
        Multiples of the rule for a weight. For other parameters, the values that a user would pass.
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
"""The values of each parameter that is searched by itself, if the estimator has it."""


def degrees(words: bool) -> list[Degree]:
    """Powers of L, or polynomials in L, the default first."""
    return [3, 2] if words else [MIXED, 2]


def laplacian(graph: Graph, normalized: bool | str, degree: Degree) -> Regularizer:
    """A power of L, or the polynomial in L with the given coefficients.

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
    frame: Frame, Z, local: float, median: float, manhattan: float, linear_only: bool
) -> list[tuple[Kernel, Kernel]]:
    """The kernel of graphs, then those compared without a graph, as typed and with their widths.

    The Laplacian kernel adds the differences of the columns. On tables, where columns of unequal
    meaning stand side by side, it makes fewer errors than the RBF kernel (docs/choosing.md). It is
    left out if its width ``manhattan`` is 0.
    """
    if linear_only:
        return [(Linear(), Linear())]
    found: list[tuple[Kernel, Kernel]] = [(RBF("local"), RBF(local))]
    if frame.plain:
        found.append((RBF(), RBF(median)))
        if manhattan:
            found.append((LaplacianKernel(), LaplacianKernel(manhattan)))
    with suppress(ValueError):  # the values overflow or underflow
        check_magnitude(Linear(), Z)
        found.append((Linear(), Linear()))
    return found


def intercept(given, operator: Operator, classes: bool) -> bool:
    """Whether to fit an intercept.

    Real targets have an arbitrary zero (°C or K), so an intercept is needed. For classes there is
    an intercept only if M does not penalize constants. The normalized Laplacian does not penalize
    √degree = √d. With an intercept b, all functions c√d + b would cost nothing, and they could fit
    a few labels.
    """
    if not is_auto(given):
        return bool(given)
    if not classes:
        return True
    one = np.ones((operator.n, operator.n_outputs))
    z = np.random.default_rng(0).standard_normal(one.shape)
    size = float(np.linalg.norm(operator.apply(z))) or 1.0
    return bool(np.linalg.norm(operator.apply(one)) <= 1e-6 * size)


def ambient(classes: bool) -> tuple[float, ...]:
    """The values of γ_A to compare, in multiples of the rule."""
    return AMBIENT[:-1] if classes else AMBIENT


def weights(given: dict, rule_A: float, rule_I: float, tried: Sequence[float]) -> list[Gammas]:
    """The pairs (γ_A, γ_I > 0) to compare, in multiples of the rules, the default first.

    If both are "auto", their ratio is fixed. If one is given, the list of the other is used.
    """
    gamma_A, gamma_I = given["gamma_A"], given["gamma_I"]
    ambient_sizes = sizes(gamma_A, rule_A, tried)
    if is_auto(gamma_A) and is_auto(gamma_I):
        return [(a, INTRINSIC[0] * a) for a in ambient_sizes]
    return [(a, i) for i in sizes(gamma_I, rule_I, INTRINSIC) for a in ambient_sizes]


def sizes(given, rule: float, tried: Sequence[float]) -> tuple[float, ...]:
    """The values of a weight to compare, in multiples of its rule: the given value, or a list."""
    return tuple(tried) if is_auto(given) else (in_numbers(given, rule) / rule,)
