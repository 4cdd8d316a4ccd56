"""γ_A and γ_I by rule, in units that mean the same for every kernel, n and M.

γ_A = 1e-6 · mean k(x, x), and γ_I = 1e-3 · n² / max(1, ‖M‖/4): decision 0003.
"""

from __future__ import annotations

import math

import numpy as np

from ..operators import Operator

AMBIENT_RULE = 1e-6
INTRINSIC_RULE = 1e-3


def multiple_of_rule(value) -> float | None:
    """c of ``"c*rule"``, 1 for ``"rule"``; None for anything else.

    Examples
    --------
    >>> multiple_of_rule("rule"), multiple_of_rule("0.1*rule"), multiple_of_rule(0.1)
    (1.0, 0.1, None)
    """
    if not isinstance(value, str):
        return None
    factor, star, word = value.rpartition("*")
    if word.strip() != "rule":
        return None
    try:
        multiple = float(factor) if star else 1.0
    except ValueError:
        return None
    return multiple if math.isfinite(multiple) and multiple >= 0 else None


def in_numbers(given: float | str, rule: float) -> float:
    """A number as it is; "rule" and its multiples as numbers; "auto" is the rule.

    Examples
    --------
    >>> in_numbers("10*rule", 0.5), in_numbers(3, 0.5), in_numbers("auto", 0.5)
    (5.0, 3.0, 0.5)
    """
    if not isinstance(given, str):
        return float(given)
    multiple = multiple_of_rule(given)
    return rule if multiple is None else multiple * rule


def spelled(multiple: float) -> str | float:
    """The way back: what one types for a multiple of the rule.

    Examples
    --------
    >>> spelled(1.0), spelled(100.0), spelled(0.0)
    ('rule', '100*rule', 0.0)
    """
    if multiple == 0:
        return 0.0
    return "rule" if multiple == 1 else f"{multiple:g}*rule"


def ambient_rule(diagonal: np.ndarray) -> float:
    """γ_A = 1e-6 · mean k(x, x): then γ_A‖f‖² does not depend on the kernel's scale."""
    return AMBIENT_RULE * (float(np.mean(diagonal)) or 1.0)


def intrinsic_rule(operator: Operator) -> float:
    """λ = γ_I/n² = 1e-3 / max(1, ‖M‖/4), so that smoothness counts alike for every M.

    Powers one and two of a normalised Laplacian have ‖M‖ ≤ 4.
    """
    return INTRINSIC_RULE / max(1.0, operator_norm(operator) / 4)


def operator_norm(operator: Operator, n_iter: int = 10) -> float:
    """‖M‖ from below, within a few per cent, by power iterations from a seeded start."""
    v = np.random.default_rng(0).standard_normal((operator.n, operator.n_outputs))
    norm = 0.0
    for _ in range(n_iter):
        v /= np.linalg.norm(v)
        v = operator.apply(v)
        norm = float(np.linalg.norm(v))
        if norm == 0.0:
            break
    return norm
