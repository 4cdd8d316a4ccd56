"""``lapwing reproduce``: the papers' tables and figures, ours beside theirs.

The arguments alone are declared here, so that the command line answers without loading NumPy.
"""

import argparse
from importlib import import_module
from pathlib import Path

FOLDER = "lapwing-reproduction"


def add_arguments(commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "reproduce",
        help="the papers' tables and figures, ours beside theirs",
        description="Without a name it lists the experiments. A run that was stopped continues "
        "where it was when the same command is given again; results depend on the seed, not on "
        "the number of jobs.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="mr-table5, so-table1 …, or all")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="the data files; without it they are downloaded"
    )
    parser.add_argument("--repeats", type=_count, metavar="N", help="repetitions (the paper's)")
    parser.add_argument("--jobs", type=_count, default=1, metavar="J", help="processes (1)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of all draws (0)")
    parser.add_argument(
        "--out", type=Path, default=Path(FOLDER), metavar="DIR", help=f"results ({FOLDER})"
    )
    parser.add_argument("--quick", action="store_true", help="a small version, in minutes")
    parser.add_argument(
        "--report-only", action="store_true", help="write the report of what has been run"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """List, or run and report."""
    import_module("lapwing_papers.reproduce").command(arguments)


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not a positive number")
    return value
