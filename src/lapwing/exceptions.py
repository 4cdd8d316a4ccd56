"""The warnings that Lapwing gives, so that they can be filtered by name, and how it gives them.

``warnings.catch_warnings`` changes the filters of the whole process, and with several threads the
one that leaves last may restore those of another. So what our own code would say twice is left
unsaid per thread (:func:`unsaid`), and others' warnings are muted one thread at a time
(:func:`muted`).
"""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import RLock

from .parameters.callers import current_fold, users_frame

Said = list[tuple[str, type[Warning]]]

_silent: ContextVar[Said | None] = ContextVar("silent", default=None)
_filters = RLock()


class UnreachedWarning(UserWarning):
    """A component of the graph holds no label: its points are told by the kernel alone."""


class LabelWarning(UserWarning):
    """A marker in y can be read in two ways; the message says which one was taken."""


class ChanceWarning(UserWarning):
    """Left-out labels are answered no better than by a guess: the fit has learned nothing."""


class ManifoldAssumptionWarning(UserWarning):
    """The unlabeled points seem to mislead: labels do not vary slowly along the graph."""


class MemoryLimitWarning(UserWarning):
    """The faster way does not fit into memory, so a slower one is taken."""


class GraphWarning(UserWarning):
    """The graph is not what one would expect: hubs, one column that outweighs all, k clipped."""


class ScaleWarning(UserWarning):
    """Many points: an exact fit will be slow, or neighbors are searched along few axes."""


class ApproximationWarning(UserWarning):
    """Something was computed approximately, and worse than one would expect."""


def warn(message: str, category: type[Warning]) -> None:
    """``warnings.warn`` at the user's line, unless the same is said later (:func:`unsaid`).

    The line is the first one on the stack outside of this package and of the libraries that call
    it: a message then shows the user's own call, and Python repeats it only for another call. The
    fits of one cross-validation say the same, but for its numbers, once.
    """
    unheard = _silent.get()
    if unheard is not None:
        unheard.append((message, category))
        return
    level, frame = users_frame()
    words = category, re.sub(r"[0-9.]+", "", message), frame.f_code.co_filename, frame.f_lineno
    if all(fold.first(*words) for fold in current_fold()):
        warnings.warn(message, category, stacklevel=level)


@contextmanager
def unsaid() -> Iterator[Said]:
    """In this thread, what :func:`warn` is told is not passed on, but collected.

    Examples
    --------
    >>> with unsaid() as said:
    ...     warn("said again by the fit itself", GraphWarning)
    >>> said
    [('said again by the fit itself', <class 'lapwing.exceptions.GraphWarning'>)]
    """
    said: Said = []
    token = _silent.set(said)
    try:
        yield said
    finally:
        _silent.reset(token)


@contextmanager
def muted(category: type[Warning] = Warning) -> Iterator[None]:
    """Without warnings of that category, whoever gives them; one thread at a time."""
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield
