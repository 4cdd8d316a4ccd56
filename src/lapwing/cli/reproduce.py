"""``lapwing reproduce``: the papers' tables and figures, ours beside theirs."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..datasets import CATALOG
from ..inspection.canvas import load
from ..progress import duration
from ..reproduce import EXPERIMENTS, Experiment, find
from ..reproduce.report import section, write_report
from ..reproduce.runner import open_store, run

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
    parser.set_defaults(run=command)


def command(arguments: argparse.Namespace) -> None:
    """List, or run and report."""
    if not arguments.names:
        print(listing())
        return
    chosen = find(arguments.names)
    experiments = [kind(arguments.data, arguments.quick) for kind in chosen]
    if not arguments.report_only:
        _check_data(experiments, arguments.data)
        for experiment in experiments:
            run(
                experiment, arguments.out, repetitions=arguments.repeats, jobs=arguments.jobs,
                seed=arguments.seed,
            )  # fmt: skip
    print("\n".join(_report(experiments, arguments.out, arguments.seed)))


def listing() -> str:
    """Every experiment with its size, duration and data."""
    entries = [
        f"{_names(kind)}\n    {kind.title}\n    {kind.repetitions} repetitions, about "
        f"{duration(60 * kind.minutes)} on one core; "
        f"data: {', '.join(dict.fromkeys(_files(kind))) or 'made here'}"
        for kind in EXPERIMENTS
    ]
    usage = (
        "lapwing reproduce NAME --data DIR    runs one\n"
        "lapwing reproduce all --quick        runs a small version of each, in minutes"
    )
    return "\n\n".join([*entries, usage])


def _names(kind: type[Experiment]) -> str:
    """``so-table1, table2``: the paper once, then what the same fits give."""
    first, *others = kind.names
    return ", ".join([first, *(name.split("-", 1)[1] for name in others)])


def _files(kind: type[Experiment]) -> list[str]:
    return [
        file.split("/")[0] + "/" if "/" in file else file
        for name in kind.datasets
        for file in CATALOG[name].files
    ]


def _check_data(experiments: Sequence[Experiment], data: Path | None) -> None:
    """Missing files are an error before the first fit."""
    for experiment in experiments:
        for name in experiment.datasets:
            CATALOG[name].locate(data)


def _report(experiments: Sequence[Experiment], out: Path, seed: int) -> list[str]:
    pictures, missing = True, []
    try:
        load("matplotlib.figure")
    except ImportError as error:
        pictures, missing = False, [f"No figures: {error}"]
    stores = [(e, open_store(e, out, seed)) for e in experiments]
    sections = [section(e, store, pictures=pictures) for e, store in stores if store.done]
    if not sections:
        return ["Nothing has been run yet."]
    written = write_report(sections, out)
    held = sum(c.holds for s in sections for c in s.claims)
    total = sum(len(s.claims) for s in sections)
    return [f"{held} of {total} claims hold.", *(f"{path.resolve()}" for path in written), *missing]


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not a positive number")
    return value
