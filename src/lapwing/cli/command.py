"""``lapwing <command>``: what people can run without writing Python."""

import argparse
import sys
from collections.abc import Sequence

from lapwing_papers import command as reproduce

from .. import __version__
from . import demo

COMMANDS = (demo, reproduce)
FAILED, INTERRUPTED = 1, 130


def build_parser() -> argparse.ArgumentParser:
    """The parser; each command adds its own arguments."""
    parser = argparse.ArgumentParser(
        prog="lapwing",
        description="Manifold regularization for few labels and much data.",
    )
    parser.add_argument("--version", action="version", version=f"lapwing {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    for command in COMMANDS:
        command.add_arguments(commands)
    return parser


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
    arguments = build_parser().parse_args(argv)
    try:
        arguments.run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("\nlapwing: interrupted\n")
        return INTERRUPTED
    except (OSError, ValueError) as error:
        sys.stderr.write(f"\nlapwing: {error}\n")
        return FAILED
    return 0
