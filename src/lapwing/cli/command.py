"""``lapwing <verb>``: what people can run without writing Python.

Nothing heavy is imported before the arguments are parsed, so that help and version are quick.
"""

import argparse
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

from lapwing_papers import command as reproduce

from ..version import __version__
from .verbs import VERBS

FAILED, INTERRUPTED = 1, 130
LABEL = "lapwing.label.command"
"""Declares ``label`` and ``export``, where it is there."""


def build_parser() -> argparse.ArgumentParser:
    """The parser; each verb adds its own arguments."""
    parser = argparse.ArgumentParser(
        prog="lapwing",
        description="Manifold regularization for few labels and much data: a table in, answers "
        "out. Each verb explains itself: lapwing look --help.",
    )
    parser.add_argument("--version", action="version", version=f"lapwing {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="verb")
    for verb in VERBS:
        verb.add_to(commands)
    for module in (reproduce, *_label()):
        module.add_arguments(commands)
    return parser


def _label() -> list:
    """The labeling page's commands, where they are there."""
    try:
        return [import_module(LABEL)] if find_spec(LABEL) else []
    except ModuleNotFoundError:
        return []


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; None takes those of the process.

    Returns
    -------
    int
        0; 1 where a file could not be read or written or the input is wrong; 130 after Ctrl-C.
        A wrong argument ends the process with 2, as argparse does.
    """
    with _one_interrupt():
        try:
            parser = build_parser()
            arguments = parser.parse_args(argv)
            if arguments.command is None:
                parser.print_help(sys.stderr)
                parser.exit(2)
            with warnings.catch_warnings():
                warnings.showwarning = _OneLine()
                return _run(arguments)
        except KeyboardInterrupt:
            sys.stderr.write("\nlapwing: interrupted; no file is half written\n")
            return INTERRUPTED


@contextmanager
def _one_interrupt() -> Iterator[None]:
    """A second Ctrl-C does not break off the tidying up after the first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number, frame):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _run(arguments: argparse.Namespace) -> int:
    try:
        arguments.run(arguments)
    except BrokenPipeError:  # whoever read our output has enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (OSError, ValueError, ImportError, MemoryError) as error:
        # on a terminal a line of progress may be open
        clear = "\r\033[K" if sys.stderr.isatty() else ""
        sys.stderr.write(f"{clear}lapwing: {_sentence(error)}\n")
        return FAILED
    return 0


class _OneLine:
    """Warnings as one line each, and each once."""

    def __init__(self):
        self.seen: set[str] = set()

    def __call__(self, message, category, filename, lineno, file=None, line=None) -> None:
        text = _typed(str(message))
        if text not in self.seen:
            self.seen.add(text)
            sys.stderr.write(f"note: {text}\n")


def _typed(text: str) -> str:
    """A warning with options in place of Python's parameters.

    Examples
    --------
    >>> _typed("It may mean unlabeled: pass unlabeled='none', or write NaN there.")
    'It may mean unlabeled: say --unlabeled none.'
    """
    text = re.sub(
        r"pass unlabeled='?([^',]*?)'?(, or write [^.]*)?\.", r"say --unlabeled \1.", text
    )
    empty = "Leave the cells of unlabeled rows empty, or say --unlabeled VALUE."
    return re.sub(r"Mark unlabeled rows with .*", empty, text)


def _sentence(error: BaseException) -> str:
    """What went wrong, in words."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__
