"""The rules for γ_A and γ_I. Their units mean the same for every kernel, n and M.

γ_A = 1e-6 · mean k(x, x), and γ_I = 1e-3 · n² / max(1, ‖M‖/4): decision 0003.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from ..operators import Operator
from ..parameters.checks import is_number

AMBIENT_RULE = 1e-6
INTRINSIC_RULE = 1e-3
FEW_PAIRS = 40  # for smaller matrices all eigenvalues are cheap


def multiple_of_rule(value) -> float:
    """c for ``"c*rule"``, 1 for ``"rule"``, 0 for 0. NaN for other values.

    Examples
    --------
    >>> multiple_of_rule("rule"), multiple_of_rule("0.1*rule"), multiple_of_rule(0.1)
    (1.0, 0.1, nan)
    """
    if is_number(value) and value == 0:
        return 0.0
    factor, star, word = value.rpartition("*") if isinstance(value, str) else ("", "", "")
    try:
        multiple = float(factor) if star else 1.0
    except ValueError:
        return np.nan
    return multiple if word.strip() == "rule" and 0 <= multiple < np.inf else np.nan


def vanishes(gamma: float | str) -> bool:
    """Whether a weight is 0 or 0 times the rule."""
    return multiple_of_rule(gamma) == 0


def in_numbers(given: float | str, rule: float) -> float:
    """The number for a given weight: a number, "rule", a multiple of it, or "auto" for the rule.

    Examples
    --------
    >>> in_numbers("10*rule", 0.5), in_numbers(3, 0.5), in_numbers("auto", 0.5)
    (5.0, 3.0, 0.5)
    """
    if not isinstance(given, str):
        return float(given)
    multiple = multiple_of_rule(given)
    return multiple * rule if multiple >= 0 else rule


def spelled(multiple: float) -> str | float:
    """The parameter value for a multiple of the rule, such as ``"100*rule"``.

    Examples
    --------
    >>> spelled(1.0), spelled(100.0), spelled(0.0)
    ('rule', '100*rule', 0.0)
    """
    if multiple == 0:
        return 0.0
    return "rule" if multiple == 1 else f"{multiple:g}*rule"


def ambient_rule(diagonal: np.ndarray) -> float:
    """γ_A = 1e-6 · mean k(x, x). γ_A‖f‖² then does not depend on the scale of the kernel."""
    return AMBIENT_RULE * (float(np.mean(diagonal)) or 1.0)


def intrinsic_rule(operator: Operator) -> float:
    """λ = γ_I/n² = 1e-3 / max(1, ‖M‖/4). Smoothness then has a similar weight for every M.

    The first and second power of a normalized Laplacian have ‖M‖ ≤ 4.
    """
    if operator.norm_bound() <= 4.0 * (1.0 + 1e-9):
        return INTRINSIC_RULE
    return INTRINSIC_RULE / max(1.0, operator_norm(operator) / 4)


def operator_norm(operator: Operator) -> float:
    """‖M‖, the largest eigenvalue of M, converged. It does not depend on the order of the rows."""
    shape = (operator.n, operator.n_outputs)
    order = shape[0] * shape[1]
    if order <= FEW_PAIRS:
        dense = operator.toarray()
        _check_finite(float(np.abs(dense).max()))
        return max(0.0, float(np.linalg.eigvalsh(dense)[-1]))
    start = operator.apply(np.random.default_rng(0).standard_normal(shape)).ravel()
    size = float(np.abs(start).max())
    _check_finite(size)
    if size == 0:
        return 0.0
    start /= size  # ARPACK treats a vector of tiny numbers as zero

    def scaled(v: np.ndarray) -> np.ndarray:
        return operator.apply(v.reshape(shape)).ravel() / size

    M = LinearOperator((order, order), matvec=scaled, dtype=np.float64)
    try:
        return size * float(eigsh(M, 1, v0=start, tol=1e-8, return_eigenvectors=False)[0])
    except ArpackNoConvergence:  # the largest eigenvalues are close together: any of them will do
        return size * float(eigsh(M, 1, v0=start, tol=1e-3, return_eigenvectors=False)[0])


def _check_finite(size: float) -> None:
    if not np.isfinite(size):
        raise ValueError(
            "The regularizer overflows on these points. Scale the columns of X, for example with "
            "StandardScaler."
        )
