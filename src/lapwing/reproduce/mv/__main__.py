"""``python -m lapwing.reproduce.mv {webkb,mfeat} --data DIRECTORY [--draws N]``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .draws import HERE, report, run
from .mfeat import MFeat
from .webkb import WebKB

EXPERIMENTS: dict[str, tuple[Any, int]] = {"webkb": (WebKB, 100), "mfeat": (MFeat, 20)}


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lapwing.reproduce.mv", description=__doc__)
    parser.add_argument("experiment", choices=tuple(EXPERIMENTS))
    parser.add_argument("--data", required=True, help="the directory with the .npz files")
    parser.add_argument("--draws", type=int, default=None, help="100 for webkb, 20 for mfeat")
    parser.add_argument("--output", type=Path, default=HERE, help="where results are written")
    options = parser.parse_args(arguments)
    load, draws = EXPERIMENTS[options.experiment]
    experiment = load(options.data)
    chosen = experiment.draws(options.draws or draws)
    errors = run(experiment.kernels(), experiment.y, chosen, experiment.score)
    path = options.output / f"results_{options.experiment}.csv"
    for row in report(errors, list(experiment.single), path):
        print("  ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
