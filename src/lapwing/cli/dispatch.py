"""``lapwing <verb>``: what people can run without writing Python.

Nothing heavy is imported before the arguments are parsed, so that help and version are quick.
"""

import argparse
import importlib
import importlib.util
import os
import sys
import warnings
from collections.abc import Sequence

from ..version import __version__
from .verbs import VERBS

FAILED, INTERRUPTED = 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    parser = build_parser()
    arguments = parser.parse_args(argv)
    warnings.showwarning = _one_line
    try:
        importlib.import_module(arguments.module).run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("\nlapwing: interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (OSError, ValueError, ImportError, MemoryError) as error:
        sys.stderr.write(f"\nlapwing: {_sentence(error)}\n")
        return FAILED
    return 0


def build_parser():
    parser = argparse.ArgumentParser(prog="lapwing", description="Manifold regularization for few labels and much data.")
    parser.add_argument("--version", action="version", version=f"lapwing {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    for verb in VERBS:
        verb.add_to(commands)
    return parser


def _one_line(message, category, filename, lineno, file=None, line=None) -> None:
    sys.stderr.write(f"note: {message}\n")


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


if __name__ == "__main__":
    sys.exit(main())
