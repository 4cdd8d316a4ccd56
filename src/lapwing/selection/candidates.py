"""Which settings are compared; the first of each list is the documented default.

=============  ==================================================================================
points         as they are; each column in its own unit (first where few columns hold the
               variance); by direction; along ten leading components (:mod:`.frames`)
kernel         with a graph RBF("local"); without one also RBF of the median distance and of half
               of it, and Linear()
regularizer    0.3 L + 0.85 L² over 6 neighbors, and L²; for counts of words L³ and L². For real
               targets L is bistochastic: its null vector is the constant
fit_intercept  True where M annihilates constants or there is no M, else False
gamma_A        rule; 1e2, 1e4, 1e6 times the rule
gamma_I        as many times 10·rule; 0
=============  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..graphs import Graph
from ..kernels import RBF, Kernel, Linear, check_magnitude
from ..operators import Operator
from ..parameters.arguments import is_auto
from ..regularizers import Laplacian, LaplacianPolynomial, Regularizer
from .frames import Frame
from .rules import multiple_of_rule

RATIO = 10.0
"""γ_I/γ_A, in multiples of what the rules have, wherever both are "auto"."""

AMBIENT = (1.0, 1e2, 1e4, 1e6)
"""γ_A compared, in multiples of the rule; the default first."""

INTRINSIC = (10.0, 100.0, 1.0, 0.1, 0.01)
"""γ_I compared where γ_A is given, in multiples of the rule."""

MIXED = (0.0, 0.3, 0.85)
"""0.3 L + 0.85 L², whose norm is at most that of L², 4: L binds curves, which L² leaves free along
themselves the more the finer they are sampled; L² smooths clouds, where L has spikes at labels."""

Degree = int | tuple[float, ...]

NEIGHBORS = 6
"""Neighbors in the graphs."""


@dataclass(frozen=True)
class Weights:
    """One pair of weights in multiples of the rule, and as numbers."""

    gamma_A: float
    lam: float
    typed_A: float
    typed_I: float

    @cached_property
    def ratio(self) -> float:
        """λ/γ_A, rounded so that equal ones are equal."""
        return float(f"{self.lam / self.gamma_A:.10g}")


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
    linear: list[tuple[Kernel, Kernel]] = [(Linear(), Linear())]
    if linear_only:
        return linear
    found: list[tuple[Kernel, Kernel]] = [(RBF("local"), RBF(local))]
    if frame.plain:
        half = RBF(0.5 * median)
        found += [(RBF(), RBF(median)), (half, half)]
    return [*found, *(linear if holds(Linear(), Z) else [])]


def holds(kernel: Kernel, X) -> bool:
    """Whether the kernel's values on the rows of X are numbers a computer can add up."""
    try:
        check_magnitude(kernel, X)
    except ValueError:
        return False
    return True


def intercept(given, operator: Operator | None) -> bool:
    """With an intercept or without.

    What M does not annihilate but an intercept adds, few labels are fitted by: the normalized
    Laplacian's null vector is √degree, and c√d + b costs nothing.
    """
    if not is_auto(given):
        return bool(given)
    if operator is None:
        return True
    one = np.ones((operator.n, operator.n_outputs))
    z = np.random.default_rng(0).standard_normal(one.shape)
    size = float(np.linalg.norm(operator.apply(z))) or 1.0
    return bool(np.linalg.norm(operator.apply(one)) <= 1e-6 * size)


def weights(gamma_A, gamma_I, rule_A: float, rule_I: float) -> list[Weights]:
    """The pairs (γ_A, λ > 0) to compare, the default first.

    Both "auto": one ratio. One given: the other's own list.
    """
    ambient = _sizes(gamma_A, rule_A, AMBIENT)
    if is_auto(gamma_A) and is_auto(gamma_I):
        pairs = [(a, RATIO * a) for a in ambient]
    else:
        pairs = [(a, i) for i in _sizes(gamma_I, rule_I, INTRINSIC) for a in ambient]
    return [Weights(a * rule_A, i * rule_I, a, i) for a, i in pairs]


def ambient_weights(gamma_A, rule_A: float) -> list[Weights]:
    """The γ_A's to compare without a graph."""
    return [Weights(a * rule_A, 0.0, a, 0.0) for a in _sizes(gamma_A, rule_A, AMBIENT)]


def _sizes(given, rule: float, tried: Sequence[float]) -> tuple[float, ...]:
    """In multiples of the rule."""
    if is_auto(given):
        return tuple(tried)
    multiple = multiple_of_rule(given)
    return (float(given) / rule if multiple is None else multiple,)
