"""Which parts and weights are tried; the first of each list is the documented default.

=============  ==================================================================================
points         as they are, or with every column in its own unit where few hold the variance, or
               along leading components where rows have no neighbors to speak of; then
               standardized, by direction, along leading components (:mod:`.frames`)
kernel         RBF("local"), Linear(); over the points as they are and standardized also the
               median width and half of it
regularizer    Laplacian(KNN(6), degree=2); where classes have fewer than five labels on average
               0.3 L + 0.85 L²: curves want the first power, whose limit is harmonic, clouds the
               second, and both are content with this; degree 3 for counts of words, as in MR's
               Table 5; then 10 and 20 neighbors, the other degrees up to 3, and the
               bistochastic normalization, whose null vector is the constant; for regression that
               one comes first
fit_intercept  True where M annihilates constants or there is no M, else False; then the other
gamma_I        10·rule; in multiples of γ_A: 0, and 0.01 … 100 times what the rule has
gamma_A        rule; 0.01 … 1e6 times the rule
=============  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..graphs import KNN, Graph
from ..kernels import RBF, Kernel, Linear, check_magnitude, get_kernel
from ..kernels.widths import median_distance
from ..operators import Operator
from ..parameters.arguments import is_auto
from ..regularizers import Laplacian, LaplacianPolynomial, Regularizer, get_regularizer
from .frames import PLAIN, Frame, few_entries, frames
from .rules import multiple_of_rule

RATIOS = (10.0, 100.0, 1.0, 0.1, 0.01)
"""γ_I/γ_A tried, in multiples of what the rule has; the default first."""

AMBIENT = (1.0, 1e-2, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6)
"""γ_A tried, in multiples of the rule; the default first."""

INTRINSIC = (10.0, 100.0, 1.0, 0.1, 0.01)
"""γ_I tried where γ_A is given, in multiples of the rule."""


FEW = 5
"""Labels per class below which the default is a mixture of powers of the Laplacian."""

MIXED = (0.0, 0.3, 0.85)
"""0.3 L + 0.85 L², whose norm is at most that of L², 4 (decision 132)."""

Degree = int | tuple[float, ...]

CLOUDS: tuple[Degree, ...] = (2, 1, 3)
"""The degrees to try where points are clouds in many dimensions, however few the labels."""

FRAME_STEPS, GRAPH_STEPS, LINEAR_STEPS = 1.0, 1.0, 2.0
"""How far another frame, another graph and the linear kernel are from the default."""

NO_MANIFOLD = 3.0
"""How far γ_I = 0 is from the default, in powers of ten of the ratio."""


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


@dataclass(frozen=True)
class Parts:
    """A kernel and a regularizer, the frame of both, and how far they are from the default."""

    kernel: Kernel
    regularizer: Regularizer
    frame: Frame
    steps: float


def first_parts(given: dict[str, Any], X, space, random_state, graphs: Graphs) -> list[Parts]:
    """Every frame and kernel over the default graph; the default first.

    A kernel that is given is tried as it is, over the points as they are.
    """
    found = []
    tried = frames(X, not graphs.flat_first) if is_auto(given["kernel"]) else [PLAIN]
    for i, frame in enumerate(tried):
        graph = graphs.over(frame)[0]
        for kernel, steps in kernels(given["kernel"], X, space, random_state, frame):
            found.append(Parts(kernel, graph, frame, steps + FRAME_STEPS * (i > 0)))
    return found


def other_graphs(leading: Parts, graphs: Graphs) -> list[Parts]:
    """The leading kernel over the other graphs of its frame."""
    tried, steps = graphs.over(leading.frame)[1:], leading.steps + GRAPH_STEPS
    return [replace(leading, regularizer=M, steps=steps + 0.1 * i) for i, M in enumerate(tried, 1)]


def kernels(given, X, space, random_state, frame: Frame) -> list[tuple[Kernel, float]]:
    """The kernels of a frame, each with its steps from the default."""
    if not is_auto(given):
        return [(get_kernel(given), 0.0)]
    if isinstance(space, str) and space == "linear":
        if frame.transformer is None:
            check_magnitude(Linear(), X)  # a clear error, since nothing else can be tried
        return [(frame.kernel(Linear()), 0.0)]
    found: list[tuple[Kernel, float]] = [(RBF("local"), 0.0)]
    if frame.plain:
        half = 0.5 * median_distance(frame.seen(X), random_state=random_state)
        found += [(RBF(), 1.0), (RBF(half), 1.0)]
    if frame.transformer is not None or _holds(Linear(), X):
        found.append((Linear(), LINEAR_STEPS))
    return [(frame.kernel(kernel), steps) for kernel, steps in found]


def _holds(kernel: Kernel, X) -> bool:
    """Whether the kernel's values on the rows of X are numbers a computer can add up."""
    try:
        check_magnitude(kernel, X)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Graphs:
    """The regularizers to try, as their degrees are ordered; ``flat`` ones first for regression."""

    given: Any
    degrees: tuple[Degree, ...]
    flat_first: bool = False

    @classmethod
    def for_labels(cls, given, X, per_class: float) -> Graphs:
        """``per_class`` labels, 0 where there are no classes."""
        if per_class and few_entries(X):
            return cls(given, (3, 2, 1))
        return cls(given, (MIXED, 2, 1, 3) if 0 < per_class < FEW else (2, 1, 3), not per_class)

    def over(self, frame: Frame) -> list[Regularizer]:
        """Those of a frame, the default first."""
        if not is_auto(self.given):
            return [get_regularizer(self.given)]
        degrees = CLOUDS if frame.clouds else self.degrees
        first, second, *_ = degrees
        plain: list[tuple[int, bool | str, Degree]] = [(6, True, degree) for degree in degrees]
        plain += [(10, True, first), (20, True, first), (20, True, second)]
        flat: list[tuple[int, bool | str, Degree]]
        flat = [(10, "bistochastic", first), (10, "bistochastic", second)]
        ordered = flat + plain if self.flat_first else plain + flat
        return [laplacian(frame.graph(KNN(k)), how, degree) for k, how, degree in ordered]


def laplacian(graph: Graph, normalized: bool | str, degree: Degree) -> Regularizer:
    """A power of L, or the polynomial with these coefficients."""
    if isinstance(degree, int):
        return Laplacian(graph, normalized=normalized, degree=degree)
    return LaplacianPolynomial(graph, degree, normalized)


def intercepts(given, operator: Operator, ratio: float) -> list[bool]:
    """With an intercept or without, the default first.

    What M does not annihilate but an intercept adds, few labels are fitted by: the normalized
    Laplacian's null vector is √degree, and c√d + b costs nothing.
    """
    if not is_auto(given):
        return [bool(given)]
    if ratio == 0:
        return [True, False]
    one = np.ones((operator.n, operator.n_outputs))
    z = np.random.default_rng(0).standard_normal(one.shape)
    size = float(np.linalg.norm(operator.apply(z))) or 1.0
    harmless = bool(np.linalg.norm(operator.apply(one)) <= 1e-6 * size)
    return [harmless, not harmless]


def weights(gamma_A, gamma_I, rule_A: float, rule_I: float) -> list[Weights]:
    """The pairs (γ_A, λ) to try, the default first.

    Both "auto": ratios times γ_A's. One given: the other's own list. λ = 0 comes with every γ_A.
    """
    ambient = _sizes(gamma_A, rule_A, AMBIENT)
    if is_auto(gamma_A) and is_auto(gamma_I):
        pairs = [(a, r * a) for r in (*RATIOS, 0.0) for a in ambient]
    else:
        pairs = [(a, i) for i in _sizes(gamma_I, rule_I, (*INTRINSIC, 0.0)) for a in ambient]
    return [Weights(a * rule_A, i * rule_I, a, i) for a, i in pairs]


def distance(pair: Weights, default: Weights) -> float:
    """How far apart two pairs are: powers of ten of the ratio, half of them for γ_A."""
    ambient = 0.5 * abs(np.log10(pair.typed_A / default.typed_A))
    if 0 in (pair.ratio, default.ratio):
        return ambient + (0.0 if pair.ratio == default.ratio else NO_MANIFOLD)
    return ambient + abs(float(np.log10(pair.ratio / default.ratio)))


def _sizes(given, rule: float, tried: Sequence[float]) -> tuple[float, ...]:
    """In multiples of the rule."""
    if is_auto(given):
        return tuple(tried)
    multiple = multiple_of_rule(given)
    return (float(given) / rule if multiple is None else multiple,)
