"""Fitted state: whole or not at all, and told apart by its format when it is read again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..version import __version__

FORMAT = 1
"""Raised when a saved model no longer reads as an earlier version wrote it."""

KEY = "_lapwing_saved"


@contextmanager
def all_or_nothing(model) -> Iterator[None]:
    """What a fit sets stays only if it ends well; an error or Ctrl-C leaves the model as it was.

    Examples
    --------
    >>> class Model:
    ...     pass
    >>> model = Model()
    >>> try:
    ...     with all_or_nothing(model):
    ...         model.classes_ = [0, 1]
    ...         raise ValueError("no solution")
    ... except ValueError:
    ...     vars(model)
    {}
    """
    before = dict(vars(model))
    try:
        yield
    except BaseException:
        vars(model).clear()
        vars(model).update(before)
        raise


class Saved:
    """An estimator whose saved state says which version wrote it, and in which format; a mixin."""

    def __getstate__(self):
        return {**super().__getstate__(), KEY: {"format": FORMAT, "version": __version__}}  # type: ignore[dict-item]

    def __setstate__(self, state):
        state = dict(state)
        saved = state.pop(KEY, {"format": FORMAT, "version": __version__})
        if saved["format"] > FORMAT:
            raise ValueError(
                f"This {type(self).__name__} was saved by lapwing {saved['version']} in format "
                f"{saved['format']}, but lapwing {__version__} reads formats up to {FORMAT}: "
                "update lapwing, or fit and save the model again."
            )
        super().__setstate__(state)  # type: ignore[misc]
