"""The command reference, made from the help: ``python -m lapwing.cli.reference``."""

import argparse
import os
import sys

from .command import build_parser

WIDTH = 88


def reference() -> str:
    """Every verb with its help, as Markdown."""
    before = os.environ.get("COLUMNS"), os.environ.get("NO_COLOR")
    os.environ["COLUMNS"], os.environ["NO_COLOR"] = str(WIDTH), "1"
    try:
        parser = build_parser()
        verbs = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
        parts = [
            "# The command line",
            "This page is made from `lapwing --help` by `python -m lapwing.cli.reference`.",
            "Data go to the standard output, words to the standard error. A result is a table on "
            "a terminal and CSV in a pipe; `--json` prints all of it as JSON. No file is replaced "
            "without `--force`. The exit code is 0, 1 where something is wrong and was said, 2 for "
            "wrong arguments, and 130 after Ctrl-C. Only load model files that you trust.",
            _block(parser.format_help()),
        ]
        for name, verb in verbs.choices.items():
            parts += [f"## lapwing {name}", _block(verb.format_help())]
    finally:
        for key, value in zip(("COLUMNS", "NO_COLOR"), before, strict=True):
            os.environ.pop(key) if value is None else os.environ.__setitem__(key, value)
    return "\n\n".join(parts) + "\n"


def _block(text: str) -> str:
    lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return f"```text\n{lines}\n```"


if __name__ == "__main__":
    sys.stdout.write(reference())
