"""The warnings of Lapwing, which can be filtered by name, and the functions that give them.

``warnings.catch_warnings`` changes the filters of the whole process. With several threads, the
thread that leaves last may restore the filters of another. So :func:`unsaid` holds back our own
repeated warnings per thread, and :func:`muted` mutes the warnings of other libraries in one thread
at a time.
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
    """A component of the graph holds no label. Only the kernel predicts its rows."""


class LabelWarning(UserWarning):
    """A marker in y has two possible meanings. The message says which one was taken."""


class ChanceWarning(UserWarning):
    """The fit predicts left-out labels no better than a guess: it has learned nothing."""


class ManifoldAssumptionWarning(UserWarning):
    """The unlabeled rows seem to mislead: labels do not vary slowly along the graph."""


class MemoryLimitWarning(UserWarning):
    """The faster method does not fit into memory, so a slower one is used."""


class GraphWarning(UserWarning):
    """The graph is unusual: it has hubs, one column outweighs all others, or k was clipped."""


class ScaleWarning(UserWarning):
    """There are many rows: an exact fit will be slow, or neighbors are searched along few axes."""


class ApproximationWarning(UserWarning):
    """A result is approximate, and less accurate than expected."""


def warn(message: str, category: type[Warning]) -> None:
    """Give a warning at the user's line, unless :func:`unsaid` holds it back.

    The line is the first one on the stack outside this package and the libraries that call it. The
    message then shows the user's own call, and Python repeats it only for another call. The fits of
    one cross-validation give the same message only once, even if its numbers differ.
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
    """Collect the warnings of :func:`warn` in this thread, and do not give them.

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
    """Mute all warnings of a category, also those of other libraries; one thread at a time."""
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield
