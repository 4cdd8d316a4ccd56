"""What the fits of one search to the same rows share: made once, used by all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class FitCache:
    """A model whose copies make once what does not depend on the settings they differ in.

    A search gives all copies that it fits to the same rows one dictionary, and they ask
    :meth:`_cached` for their Gram matrices, graphs, factors and starts. Elsewhere there is no
    dictionary, and nothing is kept.

    Examples
    --------
    >>> class Model(FitCache):
    ...     def fit(self, X):
    ...         return self._cached(lambda: sum(X), "sum")
    >>> first, second = Model(), Model()
    >>> first._memory = second._memory = {}
    >>> first.fit([1, 2]), second.fit("never looked at")
    (3, 3)
    """

    _memory: dict | None = None
    _cache_keys: ClassVar[tuple[str, ...]] = ()  # what copies with one dictionary may differ in

    def _cached(self, make: Callable[[], Any], *key):
        """What ``make`` returns; the copies of one search make it once for each key."""
        if self._memory is None:
            return make()
        # parts are told apart as objects: a search holds on to those it tries
        key = tuple(part if isinstance(part, str | int) else id(part) for part in key)
        if key not in self._memory:
            self._memory[key] = make()
        return self._memory[key]
