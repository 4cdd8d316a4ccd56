"""``python -m lapwing.reproduce.vv {scene,rcv1} --data DIRECTORY [--draws N]``."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

from .data import rcv1, scene
from .experiment import rcv1_setting, run, scene_setting
from .report import HERE, write

EXPERIMENTS = {"scene": (scene, scene_setting), "rcv1": (rcv1, rcv1_setting)}


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lapwing.reproduce.vv", description=__doc__)
    parser.add_argument("experiment", choices=tuple(EXPERIMENTS))
    parser.add_argument("--data", required=True, help="the directory with the .npz files")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument(
        "--no-intercept", action="store_true", help="VV (15) to the letter: no constants"
    )
    parser.add_argument("--output", type=Path, default=HERE, help="where results are written")
    options = parser.parse_args(arguments)
    load, make = EXPERIMENTS[options.experiment]
    split, setting = load(options.data), make()
    if options.no_intercept:
        name = f"{setting.name}_no_intercept"
        setting = replace(setting, name=name, fit_intercept=False)
    found, start = [], time.monotonic()
    for seed in range(options.draws):
        found.append(run(setting, split.draw(seed)))
        sys.stderr.write(
            f"\r{setting.name}: draw {seed + 1} of {options.draws}, "
            f"{time.monotonic() - start:.0f} s "
        )
    sys.stderr.write("\n")
    print(write(found, setting, options.output))


if __name__ == "__main__":
    main()
