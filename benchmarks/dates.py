"""Dates in tables: is a season, a weekday or an hour worth its columns?

Tables of 700 rows with six other columns and one date within three years. In each table another
part of the date decides the class together with two of the numbers; in the last one none does.
Errors in percent at the unlabeled rows.

    python benchmarks/dates.py --draws 6 --labels 40
"""

import argparse
import warnings

import numpy as np
import pandas as pd

from lapwing import LapRLSClassifier, tables
from lapwing.tables import dates

ROWS = 700
PERIODS = dict(dates.PERIODS)
RULES = {
    "season": lambda when: 2 * ((when.day_of_year > 100) & (when.day_of_year < 280)) - 1.0,
    "weekend": lambda when: np.where(when.day_of_week >= 5, 2.0, -0.8),
    "hour": lambda when: np.where((when.hour > 6) & (when.hour < 18), 1.0, -1.0),
    "trend": lambda when: (when - when.min()) / (when.max() - when.min()) * 3.4 - 1.7,
    "none": lambda when: np.zeros(len(when)),
}


def table(rule: str, rng):
    """A table and its classes."""
    when = pd.DatetimeIndex(
        pd.Timestamp("2021-03-01") + pd.to_timedelta(rng.integers(0, 3 * 365 * 24, ROWS), unit="h")
    )
    frame = pd.DataFrame(rng.normal(size=(ROWS, 4)), columns=list("abcd"))
    frame["town"] = rng.choice(["Lyon", "Bonn", "Graz"], ROWS)
    score = 1.5 * RULES[rule](when) + frame["a"] + frame["b"] + rng.normal(0, 0.3, ROWS)
    frame["when"] = when.strftime("%Y-%m-%d %H:%M")
    frame["member"] = np.where(rng.random(ROWS) < 0.5, "yes", "no")
    return frame, np.where(score > 0, "up", "down")


def error(rule: str, draw: int, labels: int) -> float:
    """Percent of wrong answers at the unlabeled rows."""
    rng = np.random.default_rng([draw, list(RULES).index(rule)])
    frame, truth = table(rule, rng)
    chosen = rng.permutation(ROWS)[:labels]
    y = np.full(ROWS, None)
    y[chosen] = truth[chosen]
    model = tables.pipeline(LapRLSClassifier()).fit(frame, y)
    open_rows = np.setdiff1d(np.arange(ROWS), chosen)
    return 100 * float(np.mean(model.transduction_[open_rows] != truth[open_rows]))


def main() -> None:
    """Print errors by rule, with the time alone and with circles of several weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--labels", type=int, default=40)
    parser.add_argument("--weights", type=float, nargs="*", default=[0.0, 0.5, 1.0])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for weight in arguments.weights:
        dates.WEIGHT = weight
        dates.PERIODS = PERIODS if weight else {}
        found = {
            rule: np.mean(
                [error(rule, arguments.first + d, arguments.labels) for d in range(arguments.draws)]
            )
            for rule in RULES
        }
        rows.append({"weight of circles": weight, **found, "mean": np.mean(list(found.values()))})
        print(rows[-1], flush=True)
    print(pd.DataFrame(rows).round(1).to_string(index=False))


if __name__ == "__main__":
    main()
