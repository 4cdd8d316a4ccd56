"""``python -m lapwing_papers.fuzz --cases 1000``: count the outcomes, show what went wrong."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from time import process_time

from . import Outcome, Verdict, draw, draw_use, judge, judge_use, lowered
from .limits import SIZES

AROUND = (20, 40, *(int(share * size) for size in SIZES for share in (0.95, 1.05)))
"""Rows of random fits: few, and on both sides of the lowered limits."""


def main(arguments: list[str] | None = None) -> int:
    """0 where every case is fine, flagged, or a clear error."""
    parser = argparse.ArgumentParser(prog="python -m lapwing_papers.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first case")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU time of one case")
    parser.add_argument("--kind", choices=("fits", "uses"), default="fits",
                        help="random fits, or what people do with them")  # fmt: skip
    parser.add_argument("--real", action="store_true", help="the size limits as they are")
    parser.add_argument("--show", action="store_true", help="show clear errors too")
    given = parser.parse_args(arguments)
    counts: Counter[Outcome] = Counter()
    slowest, began = (0.0, given.seed), process_time()
    for seed in range(given.seed, given.seed + given.cases):
        before = process_time()
        case, verdict = _judged(seed, given.kind, given.real, given.seconds)
        counts[verdict.outcome] += 1
        slowest = max(slowest, (process_time() - before, seed))
        if not verdict.passes or (given.show and verdict.outcome is Outcome.CLEAR):
            sys.stdout.write(f"{verdict.outcome.upper()}  {case}\n    {verdict.reason}\n")
            sys.stdout.flush()
    told = ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome)
    sys.stdout.write(f"{given.cases} cases: {told}\n")
    took = process_time() - began
    sys.stdout.write(f"{took:.0f} s of CPU, at most {slowest[0]:.1f} s (seed {slowest[1]})\n")
    return int(any(counts[bad] for bad in (Outcome.RAW, Outcome.WRONG, Outcome.HANG)))


def _judged(seed: int, kind: str, real: bool, seconds: float) -> tuple[object, Verdict]:
    if kind == "uses":
        use = draw_use(seed, real)
        return use, judge_use(use, seconds)
    if real:
        case = draw(seed)
        return case, judge(case, seconds)
    with lowered():
        case = draw(seed, AROUND)
        return case, judge(case, seconds)


if __name__ == "__main__":
    sys.exit(main())
