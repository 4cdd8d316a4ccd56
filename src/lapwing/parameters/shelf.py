"""What the fits to the same rows share: made once for each key, used by all of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable
from typing import Any

import joblib
import numpy as np
import scipy.sparse as sp

PLAIN = (str, bytes, int, float, bool, type(None), np.generic)
LENT, KEPT = "_shelf", "_warm"
"""Where a model holds a shelf that was lent to it, and its own between fits; never saved."""


class Shelf:
    """Built parts by what they are built from: kernels, Gram matrices, graphs, factors, starts.

    A shelf belongs to one X. Parts are told apart by their parameters, so that one which changed
    in place is another one; functions have nothing to compare and are told apart as objects.

    Parameters
    ----------
    contents : bool, default=False
        Whether arrays are told apart by their contents, and not as objects: for a shelf that
        outlives a fit, after which an array may have been written to.

    Examples
    --------
    >>> shelf = Shelf()
    >>> shelf.once(lambda: sum([1, 2]), "sum", ("of", "all"))
    3
    >>> shelf.once(lambda: 1 / 0, "sum", ("of", "all"))
    3
    """

    def __init__(self, contents: bool = False) -> None:
        self.contents = contents
        self._made: dict[Any, Any] = {}
        self._held: list[Any] = []  # what is told apart as an object may not be replaced

    def once(self, make: Callable[[], Any], *key: Hashable) -> Any:
        """What ``make`` returns, made once for each key."""
        found = self._told(key)
        if found not in self._made:
            self._made[found] = make()
        return self._made[found]

    def put(self, value: Any, *key: Hashable) -> None:
        """Keep a value, in place of what was kept for the same key."""
        self._made[self._told(key)] = value

    def get(self, *key: Hashable) -> Any:
        """What is kept for a key; None where there is nothing."""
        return self._made.get(self._told(key))

    def _told(self, part):
        if isinstance(part, PLAIN):
            return type(part).__name__, part
        if isinstance(part, list | tuple):
            return tuple(map(self._told, part))
        if hasattr(part, "get_params") and not isinstance(part, type):
            return type(part).__qualname__, self._told(sorted(part.get_params(deep=False).items()))
        is_array = isinstance(part, np.ndarray) or sp.issparse(part)
        found = content_key(part) if self.contents and is_array else None
        if found is None:
            self._held.append(part)
            found = f"object {id(part)}"
        return found


def lend(model: Any, shelf: Shelf) -> None:
    """Have the next fits of a model look into a shelf, and leave there what others can use."""
    setattr(model, LENT, shelf)


def shelf_of(model: Any) -> Shelf:
    """The shelf that was lent to a model; an empty one where there is none."""
    return getattr(model, LENT, None) or Shelf()


def content_key(*parts: Any) -> str | None:
    """A hash of the contents; None where something, such as a function, has none of its own."""
    try:
        return None if any(map(_is_code, parts)) else joblib.hash(parts)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None


def _is_code(part) -> bool:
    """A function is pickled by its name: its hash would not notice another body."""
    nested = part.get_params().values() if hasattr(part, "get_params") else ()
    plain = callable(part) and not hasattr(part, "get_params")
    return plain or any(map(_is_code, nested))
