"""Checks of parameters, with clear errors. A boolean is not a number."""

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any


def is_number(value: Any) -> bool:
    """Whether the value is a finite real number.

    Examples
    --------
    >>> is_number(1), is_number(True), is_number("1"), is_number(float("nan"))
    (True, False, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def is_positive(value: Any) -> bool:
    """Whether the value is a finite real number above 0."""
    return is_number(value) and value > 0


def is_count(value: Any) -> bool:
    """Whether the value is an integer of at least 1."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1


def check_weight(name: str, value: Any, *, positive: bool = False) -> None:
    """Raise an error unless ``value`` is a finite number ≥ 0 (> 0 if ``positive``)."""
    if not is_number(value) or value < 0 or (positive and value == 0):
        raise ValueError(f"{name}={value!r} must be a finite number {'>' if positive else '≥'} 0.")


def check_count(name: str, value: Any) -> int:
    """Return the value. Raise an error unless it is a positive integer."""
    if not is_count(value):
        raise ValueError(f"{name}={value!r} must be a positive integer.")
    return int(value)


def check_option(name: str, value: Any, options: Sequence[str]) -> None:
    """Raise an error unless ``value`` is one of the options."""
    if not isinstance(value, str) or value not in options:
        raise ValueError(f"{name}={value!r} must be {' or '.join(map(repr, options))}.")
