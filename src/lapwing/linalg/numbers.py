"""What counts as a number when a parameter is checked: a boolean does not."""

from __future__ import annotations

import math
from numbers import Integral, Real


def is_number(value) -> bool:
    """A finite real number.

    Examples
    --------
    >>> is_number(1), is_number(True), is_number("1"), is_number(float("nan"))
    (True, False, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def is_positive(value) -> bool:
    """A finite real number above 0."""
    return is_number(value) and value > 0


def is_count(value) -> bool:
    """An integer of at least 1."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1
