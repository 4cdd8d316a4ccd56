"""A cache for several fits to the same rows. Each object is built once per key."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import joblib
import numpy as np
import scipy.sparse as sp

PLAIN = (str, bytes, int, float, bool, type(None), np.generic)
LENT, KEPT = "_shelf", "_warm"
"""The attribute of a model with a shelf: a lent one, or its own between fits. It is never saved."""


class Shelf:
    """A cache of built objects: kernels, Gram matrices, graphs, factors and starting points.

    A shelf belongs to one X. The key of an object is made from its parameters. An object that was
    changed in place therefore has another key. Functions are compared by identity.

    Parameters
    ----------
    contents : bool, default=False
        Whether arrays are compared by their contents, and not by identity. This is needed if the
        shelf is kept after a fit, because an array may be changed later.

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
        self._held: list[Any] = []  # objects compared by identity must stay alive

    def once(self, make: Callable[[], Any], *key: Any) -> Any:
        """Return the result of ``make``. It is called once for each key."""
        found = self._told(key)
        if found not in self._made:
            self._made[found] = make()
        return self._made[found]

    def put(self, value: Any, *key: Any) -> None:
        """Store a value. It replaces an earlier value of the same key."""
        self._made[self._told(key)] = value

    def get(self, *key: Any) -> Any:
        """The stored value of a key. None if there is none."""
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
    """Let the next fits of a model read from a shelf and store results in it."""
    setattr(model, LENT, shelf)


def shelf_of(model: Any) -> Shelf:
    """The shelf that was lent to a model, or a new empty shelf."""
    return getattr(model, LENT, None) or Shelf()


def content_key(*parts: Any) -> str | None:
    """A hash of the contents. None if a part, such as a function, has no contents to hash."""
    try:
        return None if any(map(_is_code, parts)) else joblib.hash(parts)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None


def _is_code(part) -> bool:
    """Whether a part is a function. pickle stores only its name, so its hash is not enough."""
    nested = part.get_params().values() if hasattr(part, "get_params") else ()
    plain = callable(part) and not hasattr(part, "get_params")
    return plain or any(map(_is_code, nested))
