"""Saved models are told apart by their format when they are read again."""

from ..version import __version__

FORMAT = 1
"""Raised when a saved model no longer reads as an earlier version wrote it."""

KEY = "_lapwing_saved"


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
