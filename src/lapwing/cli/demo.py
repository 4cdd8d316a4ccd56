"""``lapwing demo``: what the library does, in a table and four pictures."""

import argparse
from collections.abc import Callable
from pathlib import Path

from threadpoolctl import threadpool_limits

from ..inspection.canvas import load
from . import pictures
from .comparison import METHODS, Outcome, Split, draw
from .steps import Steps
from .table import render


def run(arguments: argparse.Namespace) -> None:
    """Table, pictures, and where they are."""
    missing = None if arguments.no_plots else _why_no_plots()
    todo = {} if arguments.no_plots or missing else _pictures(arguments.seed)
    if todo:
        arguments.out.mkdir(parents=True, exist_ok=True)
    steps = Steps(arguments.draws * len(METHODS) + len(todo))
    splits = [draw(arguments.labels_per_class, arguments.seed + i) for i in range(arguments.draws)]
    # one thread: the times compare, and a busy machine does not make threads wait for each other
    with threadpool_limits(1):
        outcomes = compare(splits, steps)
        for name, picture in todo.items():
            steps(f"picture {name}")
            picture(arguments.out / name, splits[0])
    steps.close()
    print(render(outcomes, splits[0], arguments.labels_per_class))
    if todo:
        print(f"\nPictures in {arguments.out.resolve()}:")
        print("\n".join(f"  {name}" for name in todo))
    if missing:
        print(f"\nNo pictures: {missing}")


def compare(splits: list[Split], steps: Steps) -> dict[str, list[Outcome]]:
    """Every method on every draw."""
    outcomes: dict[str, list[Outcome]] = {name: [] for name in METHODS}
    for i, split in enumerate(splits, start=1):
        for name, method in METHODS.items():
            steps(f"{name}, draw {i} of {len(splits)}")
            outcomes[name].append(method(split))
    return outcomes


def _pictures(seed: int) -> dict[str, Callable[[Path, Split], None]]:
    return {
        "two_moons.png": lambda path, _: pictures.two_moons(path, seed),
        "graph.png": lambda path, _: pictures.moons_graph(path, seed),
        "digit_embedding.png": pictures.digit_embedding,
        "certificates.png": pictures.certificates,
    }


def _why_no_plots() -> str | None:
    try:
        load("matplotlib.figure")
    except ImportError as error:
        return str(error)
    return None
