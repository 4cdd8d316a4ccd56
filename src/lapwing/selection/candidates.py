"""Which parts and weights are tried; the first of each list is the documented default.

=============  ==================================================================================
kernel         RBF("local"), RBF("median"), half the median width, Linear()
regularizer    Laplacian(KNN(6), degree=2), or degree 1 where classes have fewer than five labels
               on average: curves want the first power, whose limit is harmonic, and clouds with
               more labels the second; then 10 and 20 neighbours, the other degrees up to 3, and
               the bistochastic normalisation, whose null vector is the constant; for regression
               that one comes first
fit_intercept  True where M annihilates constants or there is no M, else False; then the other
gamma_I        10·rule; in multiples of γ_A: 0, and 0.01 … 100 times what the rule has
gamma_A        rule; 0.01 … 1e6 times the rule
=============  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..graphs import KNN
from ..kernels import RBF, Kernel, Linear, check_magnitude, get_kernel
from ..kernels.widths import median_distance
from ..linalg.arguments import is_auto
from ..operators import Operator
from ..regularizers import Laplacian, Regularizer, get_regularizer
from .rules import multiple_of_rule

RATIOS = (10.0, 100.0, 1.0, 0.1, 0.01)
"""γ_I/γ_A tried, in multiples of what the rule has; the default first."""

AMBIENT = (1.0, 1e-2, 1e1, 1e2, 1e3, 1e4, 1e6)
"""γ_A tried, in multiples of the rule; the default first."""

INTRINSIC = (10.0, 100.0, 1.0, 0.1, 0.01)
"""γ_I tried where γ_A is given, in multiples of the rule."""


FEW = 5
"""Labels per class below which the default is the first power of the Laplacian."""

NO_MANIFOLD = 3.0
"""How far γ_I = 0 is from the default, in powers of ten of the ratio."""


@dataclass(frozen=True)
class Weights:
    """One pair of weights in multiples of the rule, and as numbers."""

    gamma_A: float
    lam: float
    typed_A: float
    typed_I: float

    @property
    def ratio(self) -> float:
        """λ/γ_A, rounded so that equal ones are equal."""
        return float(f"{self.lam / self.gamma_A:.10g}")


def kernels(given, X, space, random_state) -> list[Kernel]:
    """The kernels to try."""
    primal = isinstance(space, str) and space == "linear"
    if primal or not is_auto(given):
        kernel = Linear() if is_auto(given) else get_kernel(given)
        check_magnitude(kernel.build(X, random_state), X)
        return [kernel]
    half = 0.5 * median_distance(X, random_state=random_state)
    return [RBF("local"), RBF(), RBF(half), *([Linear()] if _holds(Linear(), X) else [])]


def _holds(kernel: Kernel, X) -> bool:
    """Whether the kernel's values on the rows of X are numbers a computer can add up."""
    try:
        check_magnitude(kernel, X)
    except ValueError:
        return False
    return True


def regularizers(given, labels_per_class: float) -> list[Regularizer]:
    """The regularizers to try; ``labels_per_class`` is 0 where there are no classes."""
    if not is_auto(given):
        return [get_regularizer(given)]
    first = 1 if 0 < labels_per_class < FEW else 2
    degrees = (first, *({1, 2, 3} - {first}))
    plain = [(k, True, degree) for k in (6, 10, 20) for degree in degrees]
    flat = [(k, "bistochastic", degree) for k in (6, 10) for degree in degrees[:2]]
    ordered = plain + flat if labels_per_class else flat + plain
    return [Laplacian(KNN(k), normalized=how, degree=degree) for k, how, degree in ordered]


def intercepts(given, operator: Operator, ratio: float) -> list[bool]:
    """With an intercept or without, the default first.

    What M does not annihilate but an intercept adds, few labels are fitted by: the normalised
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
