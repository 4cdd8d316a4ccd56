"""The format of saved models."""

from ..parameters.shelf import KEPT, LENT
from ..version import __version__

FORMAT = 2
"""The format number. It rises when older files can no longer be read; 2 is that of 0.1.0."""

KEY = "_lapwing_saved"


def sealed(state: dict) -> dict:
    """The state of an estimator to save, with the version and the format that wrote it."""
    for passing in (KEPT, LENT):
        state.pop(passing, None)
    return {**state, KEY: {"format": FORMAT, "version": __version__}}


def opened(name: str, state: dict) -> dict:
    """A saved state without its header. An error if the format cannot be read."""
    saved = state.pop(KEY, None)
    saved = saved if isinstance(saved, dict) else {}
    found, version = saved.get("format"), saved.get("version", "of unknown version")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise ValueError(
            f"This saved {name} has a damaged header (format {found!r}): it cannot be read. "
            "Fit and save the model again."
        )
    if found > FORMAT:
        raise ValueError(
            f"This {name} was saved by lapwing {version} in format {found}, but lapwing "
            f"{__version__} reads format {FORMAT}: update lapwing, or fit and save the "
            "model again."
        )
    if found < FORMAT:
        raise ValueError(
            f"This {name} was saved in format {found}, before names changed in lapwing "
            f"{__version__}, which reads format {FORMAT}: fit and save the model again."
        )
    return state
