"""The values of parameters (a name, an instance, "auto"), and how they are stored."""

import inspect
import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from ..types import TargetLike

Part = TypeVar("Part")

AUTO = "auto"


def is_auto(value: Any) -> bool:
    """Whether a parameter is "auto"."""
    return isinstance(value, str) and value == AUTO


def from_name(
    value: Any, what: str, kind: type, names: Mapping[str, Callable[[], Part]], *others: str
) -> Part:
    """Return the object for a name, with default parameters, or the given instance itself.

    Parameters
    ----------
    value : str or instance of ``kind``
    what : str
        The name of the parameter in error messages.
    kind : type
        The class of valid instances.
    names : dict
        A mapping from names to classes, or to functions without arguments.
    *others : str
        Other accepted values, for the error message.

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


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def parameters(cls: type[Part]) -> type[Part]:
    """Add a constructor that stores the annotated parameters of a class and of its bases.

    A subclass lists only new parameters and parameters with another default. Equality and
    representation are those of scikit-learn.

    Examples
    --------
    >>> @parameters
    ... class Quiet:
    ...     tol: float = 1e-8
    ...     verbose: int = 0
    >>> @parameters
    ... class Loud(Quiet):
    ...     verbose: int = 2
    >>> Loud(tol=0.1).verbose, Loud(tol=0.1).tol
    (2, 0.1)
    """
    made = dataclass(kw_only=True, eq=False, repr=False)(cls)
    made.__init__.__annotations__.clear()  # signatures then look like those of scikit-learn
    return made


def with_parameters(*groups: type) -> Callable[[type[Part]], type[Part]]:
    """:func:`parameters` with shared groups of parameters. A later group overrides earlier ones.

    A group is a class with annotated defaults and a docstring. The docstrings of the groups, and of
    the bases of a class, have the sections Parameters and Attributes. The entries of these sections
    replace ``{parameters}`` and ``{attributes}`` in the docstring of the class.

    Examples
    --------
    >>> class Solving:
    ...     '''Parameters
    ...     ----------
    ...     tol : float
    ...     '''
    ...     tol: float = 1e-8
    >>> @with_parameters(Solving)
    ... class Loud:
    ...     "Has {parameters}."
    ...     verbose: int = 2
    >>> Loud(tol=0.1).verbose, Loud(tol=0.1).tol, Loud.__doc__
    (2, 0.1, 'Has tol : float.')
    """

    def declare(cls):
        own = inspect.get_annotations(cls)
        shared = {name: getattr(g, name) for g in groups for name in inspect.get_annotations(g)}
        for name in shared.keys() - own.keys():
            setattr(cls, name, shared[name])
        cls.__annotations__ = {**dict.fromkeys(shared, Any), **own}
        described = (*groups, *reversed(cls.__mro__[1:]))
        told: dict[str, dict] = {"Parameters": {}, "Attributes": {}}
        for title, kind in itertools.product(told, described):
            told[title] |= section(kind, title)
        texts = {title.lower(): "\n".join(found.values()) for title, found in told.items()}
        return documented(**texts)(parameters(cls))

    return declare


def section(kind: type, title: str) -> dict[str, str]:
    """The entries of one section of a class docstring, by the names of the entries."""
    text = inspect.cleandoc(kind.__doc__ or "")
    found = re.search(rf"(?:^|\n){title}\n-+\n(.*?)(?=\n\n\S[^\n]*\n---|\Z)", text, re.S)
    entries = re.split(r"\n(?=\S)", found[1].rstrip()) if found else []
    return {entry.partition(" :")[0]: entry for entry in entries}


def documented(**texts: str) -> Callable[[type[Part]], type[Part]]:
    """Replace ``{name}`` in a class docstring by a text that several classes share.

    Examples
    --------
    >>> @documented(seed="random_state : int")
    ... class Draws:
    ...     "Needs a {seed}."
    >>> Draws.__doc__
    'Needs a random_state : int.'
    """

    def fill(cls: type[Part]) -> type[Part]:
        for name, text in texts.items():
            if cls.__doc__ is not None:  # python -OO removes docstrings
                cls.__doc__ = cls.__doc__.replace(f"{{{name}}}", text.replace("\n", "\n    "))
        return cls

    return fill


def first(default: Any) -> Any:
    """A parameter that may be passed without its name."""
    return field(default=default, kw_only=False)


def to_array(y: TargetLike) -> np.ndarray:
    """y as an array. Missing entries of a nullable column and masked entries stay missing."""
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        out = y.data.astype(object)
        out[y.mask] = None
        return out
    if type(y).__module__.startswith("polars") and _has_nulls(y):
        return np.array(y.to_list(), dtype=object)  # integers would turn into floats
    # nullable columns of pandas with pd.NA would become strings or raise an error
    return np.asarray(y.to_numpy(dtype=object) if _nullable(y) else y)


def _has_nulls(y) -> bool:
    return getattr(y, "null_count", None) is not None and np.ndim(y) == 1 and y.null_count() > 0


def _nullable(y) -> bool:
    return hasattr(y, "to_numpy") and hasattr(getattr(y, "dtype", None), "na_value")
