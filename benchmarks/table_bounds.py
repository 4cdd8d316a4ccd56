"""Do lapwing_low and lapwing_high hold 95 % of real targets? Raw tables, few labels.

Four tables drawn from known rules and scikit-learn's diabetes, 600 rows each (442). Printed by
number of labels: the share of unlabeled rows within the bounds (mean over tables and draws, and
the lowest), and the mean width in standard deviations of the target.

    python benchmarks/table_bounds.py --draws 6 --labels 12 24 60
"""

import argparse
import warnings

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes

from lapwing import LapRLSRegressor, tables
from lapwing.tables.answers import answers_of_training

ROWS = 600


def diabetes(rng):
    """Ten measurements of patients, one of them in words."""
    X, y = load_diabetes(return_X_y=True)
    rows = rng.permutation(len(X))
    frame = pd.DataFrame(X[rows], columns=list("abcdefghij"))
    frame["b"] = np.where(frame["b"] > 0, "m", "f")
    return frame, y[rows]


def tickets(rng):
    """Hours of work by amount, kind and words."""
    kind = rng.integers(0, 4, ROWS)
    words = np.array(["invoice refund card", "parcel late courier", "broken screen", "thanks"])
    more = np.array(["please", "order number", "since yesterday", "the product", "again"])
    amount = np.exp(rng.normal(3 + 0.5 * (kind == 0), 1, ROWS))
    note = [f"{words[k]} {' '.join(rng.choice(more, 3))}" for k in kind]
    frame = pd.DataFrame({"amount": amount, "note": note, "city": rng.choice(list("LPKZ"), ROWS)})
    return frame, 5 + 3 * kind + 0.05 * amount + rng.normal(0, 2, ROWS)


def curve(rng):
    """A curve through the columns, which bend."""
    t = rng.uniform(0, 3, ROWS)
    columns = {f"n{j}": np.sin(a * t + b) for j, (a, b) in enumerate(rng.uniform(0.5, 3, (5, 2)))}
    frame = pd.DataFrame(columns) + rng.normal(0, 0.2, (ROWS, 5))
    frame["size"] = pd.cut(t + rng.normal(0, 0.4, ROWS), 4, labels=list("SMLX")).astype(str)
    return frame, t**2 + rng.normal(0, 0.3, ROWS)


def plane(rng):
    """Linear in two numbers and a category, with heavy tails."""
    frame = pd.DataFrame(rng.normal(size=(ROWS, 6)), columns=list("abcdef"))
    frame["k"] = rng.choice(list("xyz"), ROWS)
    noise = rng.standard_t(4, ROWS)
    return frame, 2 * frame["a"] + frame["b"] - 3.0 * (frame["k"] == "x") + noise


def unequal(rng):
    """Skewed columns; the noise of some rows is 2.5 times that of others."""
    frame = pd.DataFrame(rng.lognormal(size=(ROWS, 5)), columns=list("abcde"))
    noise = rng.normal(0, 1 + 1.5 * (frame["c"] > 1), ROWS)
    return frame, 3 * np.log(frame["a"] * frame["b"]) + noise


TABLES = (diabetes, tickets, curve, plane, unequal)


def covered(make, n_labels: int, seed: list[int]) -> tuple[float, float]:
    """The share of unlabeled rows within the bounds, and their width."""
    rng = np.random.default_rng(seed)
    frame, truth = make(rng)
    truth = np.asarray(truth, dtype=float)
    y = np.full(len(truth), np.nan)
    chosen = rng.permutation(len(truth))[:n_labels]
    y[chosen] = truth[chosen]
    model = tables.pipeline(LapRLSRegressor()).fit(frame, y)
    found = answers_of_training(model, model[0].transform(frame))
    inside = (found.low <= truth) & (truth <= found.high)
    open_rows = np.isnan(y)
    return inside[open_rows].mean(), np.mean(found.high - found.low) / truth.std()


def main() -> None:
    """Print one line for each number of labels."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--labels", type=int, nargs="*", default=[12, 24, 60])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    draws = range(arguments.first, arguments.first + arguments.draws)
    for n_labels in arguments.labels:
        found = np.array([covered(make, n_labels, [d, n_labels]) for make in TABLES for d in draws])
        share, width = found.T
        print(
            f"{n_labels} labels: {share.mean():.3f} within, lowest {share.min():.2f}, "
            f"{(share < 0.85).mean():.0%} of fits below 0.85; width {width.mean():.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
