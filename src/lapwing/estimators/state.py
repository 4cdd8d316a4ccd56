"""Saved models are told apart by their format when they are read again."""

from ..version import __version__

FORMAT = 2
"""Raised when a saved model no longer reads as an earlier version wrote it."""

OLDEST = 2
"""The oldest format that can still be read: 2 has the names of version 0.1.0."""

KEY = "_lapwing_saved"


class Saved:
    """An estimator whose saved state says which version wrote it, and in which format; a mixin."""

    def __getstate__(self):
        state = dict(super().__getstate__())  # type: ignore[call-overload]
        state.pop("_warm", None)
        return {**state, KEY: {"format": FORMAT, "version": __version__}}  # type: ignore[dict-item]

    def __setstate__(self, state):
        state = dict(state)
        saved = state.pop(KEY, None)
        _check(type(self).__name__, saved if isinstance(saved, dict) else {})
        super().__setstate__(state)  # type: ignore[misc]


def _check(name: str, saved: dict) -> None:
    """An error unless the header of a saved model names a format that can be read."""
    found, version = saved.get("format"), saved.get("version", "of unknown version")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise ValueError(
            f"This saved {name} has a damaged header (format {found!r}): it cannot be read. "
            "Fit and save the model again."
        )
    if found > FORMAT:
        raise ValueError(
            f"This {name} was saved by lapwing {version} in format {found}, but lapwing "
            f"{__version__} reads formats up to {FORMAT}: update lapwing, or fit and save the "
            "model again."
        )
    if found < OLDEST:
        raise ValueError(
            f"This {name} was saved in format {found}, before names changed in lapwing "
            f"{__version__}, which reads formats from {OLDEST}: fit and save the model again."
        )
