"""Arguments that several verbs share. Only argparse is imported here, so that help is quick."""

import argparse
from collections.abc import Callable

TASKS = ("auto", "class", "real")


def add_file(parser: argparse.ArgumentParser, text: str = "the table") -> None:
    """A file to read, and how it was written."""
    parser.add_argument(
        "file", metavar="FILE",
        help=f"{text}: CSV, TSV, Parquet, JSON lines or Excel, also .gz; - is the standard input",
    )  # fmt: skip
    group = parser.add_argument_group("how the file is written (found where it is not given)")
    group.add_argument("--delimiter", metavar="SIGN", help="between two cells, such as ';'")
    group.add_argument("--encoding", metavar="NAME", help="such as utf-8 or latin-1")


def add_target(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """The column to learn, and how it is read."""
    parser.add_argument(
        "--target", "-t", action="append", required=required, metavar="COLUMN",
        help="the column to learn; several are learned one by one",
    )  # fmt: skip
    parser.add_argument(
        "--unlabeled", action="append", default=[], metavar="VALUE",
        help="what else marks an unlabeled row; empty, NA, NaN, None and, among whole numbers, -1 "
        "do anyway",
    )  # fmt: skip
    parser.add_argument(
        "--task", choices=TASKS, default="auto", help="classes or real numbers (auto)"
    )
    parser.add_argument(
        "--separator", metavar="SIGN", help="between several labels in one cell, such as ';'"
    )


def add_roles(parser: argparse.ArgumentParser) -> None:
    """What the other columns are for."""
    group = parser.add_argument_group("columns (each a name, or several with commas)")
    roles = (
        ("--drop", "leave these columns out"),
        ("--only", "learn from these columns alone"),
        ("--text", "read these columns as texts"),
        ("--keep", "use these columns although they look like keys"),
        ("--vector", "columns of vectors, or a .npy file with a row for each row"),
        ("--id", "columns that name a row: shown, and not learned from"),
    )
    for name, text in roles:
        group.add_argument(name, action="append", default=[], metavar="COLUMN", help=text)
    group.add_argument(
        "--group", metavar="COLUMN", help="rows with the same value stay together in folds"
    )


def add_output(parser: argparse.ArgumentParser, text: str, *, required: bool = False) -> None:
    """A file to write."""
    parser.add_argument("--output", "-o", metavar="FILE", required=required, help=text)
    parser.add_argument("--force", action="store_true", help="replace a file that exists")


def add_manners(parser: argparse.ArgumentParser, *, seed: bool = True) -> None:
    """What every verb understands."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--quiet", "-q", action="store_true", help="no words besides the result")
    if seed:
        parser.add_argument("--seed", type=whole(0), default=0, metavar="N", help="of draws (0)")


def whole(lowest: int, highest: int = 2**31) -> Callable[[str], int]:
    """A type of argument: whole numbers within bounds."""

    def number(text: str) -> int:
        value = int(text)
        if not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"{value} is not between {lowest} and {highest}")
        return value

    number.__name__ = "whole number"
    return number


def share(text: str) -> float:
    """A type of argument: a number between 0 and 1."""
    value = float(text)
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{value} is not between 0 and 1")
    return value
