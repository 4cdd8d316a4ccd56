"""What people type for a parameter: a name, an instance, or "auto"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Part = TypeVar("Part")

AUTO = "auto"


def is_auto(value) -> bool:
    """Whether a parameter is left to be chosen."""
    return isinstance(value, str) and value == AUTO


def from_name(
    value: Any, what: str, kind: type, names: Mapping[str, Callable[[], Part]], *others: str
) -> Part:
    """The part of that name with its default parameters, or the given instance itself.

    Parameters
    ----------
    value : str or instance of ``kind``
    what : str
        The parameter, as error messages call it.
    kind : type
        What an instance is an instance of.
    names : dict
        From names to classes, or to functions without arguments.
    *others : str
        What else the caller takes, for the error message.

    Examples
    --------
    >>> from_name("real", "number", complex, {"real": float, "whole": int})
    0.0
    >>> from_name("imaginary", "number", complex, {"real": float, "whole": int})
    Traceback (most recent call last):
    ...
    ValueError: There is no number 'imaginary'; it must be one of 'real', 'whole', or a complex \
instance.
    """
    if isinstance(value, kind):
        return value  # type: ignore[return-value]
    if isinstance(value, str) and value in names:
        return names[value]()
    known = [f"one of {', '.join(map(repr, names))},"] if names else []
    choices = " or ".join([*known, f"a {kind.__name__} instance", *others])
    if isinstance(value, str) and names:
        raise ValueError(f"There is no {what} {value!r}; it must be {choices}.")
    hint = f"; write {value.__name__}()" if isinstance(value, type) else ""
    raise TypeError(f"{what} must be {choices}, got {value!r}{hint}.")
