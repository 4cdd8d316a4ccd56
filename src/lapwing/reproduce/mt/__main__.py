"""``python -m lapwing.reproduce.mt --data DIRECTORY [--repetitions 3 --draws 20 --folds 5]``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .data import DATASETS, draw, load
from .experiment import run
from .report import append, write_report

HERE = Path(__file__).parent


def main(arguments: list[str] | None = None) -> None:
    """Run the repetitions, all data sets in each, and write the report after every one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="directory of the .npz files")
    parser.add_argument("--out", type=Path, default=HERE / "results")
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), choices=DATASETS)
    parser.add_argument("--first", type=int, default=0, help="number of the first repetition")
    parser.add_argument("--repetitions", type=int, default=3, help="20 in the paper")
    parser.add_argument("--draws", type=int, default=20, help="of the random search")
    parser.add_argument("--folds", type=int, default=5, help="10 in the paper")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    for repetition in range(options.first, options.first + options.repetitions):
        for name in options.datasets:
            split = draw(*load(options.data, name), seed=repetition)
            record = run(split, options.draws, options.folds, seed=repetition)
            append(options.out, name, repetition, record)
            best = min(record["armse"], key=record["armse"].get)
            print(
                f"[{time.monotonic() - begun:6.0f} s] repetition {repetition}  {name:10s} "
                f"LSMR {record['armse']['LSMR']:.3f}  SSSL {record['armse']['SSSL']:.3f}  "
                f"best {best} {record['armse'][best]:.3f}",
                file=sys.stderr,
                flush=True,
            )
        write_report(options.out)


if __name__ == "__main__":
    main()
