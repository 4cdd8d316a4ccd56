"""``lapwing demo``: what the library does, in two tables and four pictures."""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict

from threadpoolctl import threadpool_limits

from ..inspection.canvas import load
from . import pictures
from .comparison import METHODS, SETS, Outcome, Split
from .steps import Steps
from .table import notes, render


def run(arguments: argparse.Namespace) -> None:
    """Table, pictures, and where they are."""
    missing = None if arguments.no_plots else _why_no_plots()
    todo = {} if arguments.no_plots or missing else _pictures(arguments.seed)
    if todo:
        arguments.out.mkdir(parents=True, exist_ok=True)
    steps = Steps(arguments.draws * len(METHODS) * len(SETS) + len(todo))
    seeds = range(arguments.seed, arguments.seed + arguments.draws)
    splits = {
        name: [draw(arguments.labels_per_class, i) for i in seeds] for name, draw in SETS.items()
    }
    # one thread: the times compare, and a busy machine does not make threads wait for each other
    with threadpool_limits(1):
        outcomes = {name: compare(name, draws, steps) for name, draws in splits.items()}
        for name, picture in todo.items():
            steps(f"picture {name}")
            picture(arguments.out / name, splits, outcomes)
    steps.close()
    if arguments.json:
        sets = {name: told(by_method) for name, by_method in outcomes.items()}
        drawn = [str(arguments.out / name) for name in todo]
        print(json.dumps({"draws": arguments.draws, "sets": sets, "pictures": drawn}, indent=2))
        return
    for name, found in outcomes.items():
        print(render(name, found, splits[name][0], arguments.labels_per_class), end="\n\n")
    print("\n".join(notes(outcomes)))
    if todo:
        print(f"\nPictures in {arguments.out.resolve()}:")
        print("\n".join(f"  {name}" for name in todo))
    if missing:
        print(f"\nNo pictures: {missing}")


def told(outcomes: dict[str, list[Outcome]]) -> dict[str, list[dict]]:
    """What each method did on each draw, for ``--json``."""
    return {method: [asdict(outcome) for outcome in found] for method, found in outcomes.items()}


def compare(name: str, splits: list[Split], steps: Steps) -> dict[str, list[Outcome]]:
    """Every method on every draw of a set."""
    outcomes: dict[str, list[Outcome]] = {name: [] for name in METHODS}
    for i, split in enumerate(splits, start=1):
        for title, method in METHODS.items():
            steps(f"{name.lower()}, {title}, draw {i} of {len(splits)}")
            outcomes[title].append(method(split))
    return outcomes


def _pictures(seed: int) -> dict[str, Callable]:
    """Per file what draws it from the path, the draws and what the methods did on them."""
    return {
        "errors.png": lambda path, _, outcomes: pictures.errors(path, outcomes),
        "two_moons.png": lambda path, *_: pictures.two_moons(path, seed),
        "graph.png": lambda path, *_: pictures.moons_graph(path, seed),
        "digit_map.png": lambda path, splits, _: pictures.digit_map(
            path, next(iter(splits.values()))[0]
        ),
    }


def _why_no_plots() -> str | None:
    try:
        load("matplotlib.figure")
    except ImportError as error:
        return str(error)
    return None
