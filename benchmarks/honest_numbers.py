"""Do the numbers flatter? Coin-flip labels in ``compare``, and what the error's interval covers.

    python benchmarks/honest_numbers.py [--runs 40] [--draws 5] [--first 0] [--part NAME]

Coins: labels that no row tells, in different sizes; ``compare`` may say that the unlabeled points
helped in 1 of 40 runs. Intervals: ``leave_one_out_interval_`` of default fits on twelve sets that
come with scikit-learn. Of 60 problems the interval holds the error at the unlabeled rows in at
least 54, and its median width is at most 1.5 times that of a binomial interval of as many labels.
Families (``--part flips`` and, with ``--data DIRECTORY``, ``--part families``): the same of every
estimator, for labels by coins and for sets of ``selection_choices.py``. "Chosen" is leave-one-out
with the settings that all labels chose, "told" is ``leave_one_out_error_``.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import selection_choices
from scipy.stats import binomtest
from selection_sets import newsgroups
from sklearn import datasets

import lapwing
from lapwing import LapRLSClassifier, compare
from lapwing.datasets import keep_labels

MOST_ROWS = 600


def coins(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that tell nothing, 20 to 60 of them labeled by coins."""
    rng = np.random.default_rng([seed, 1])
    n, l = int(rng.choice([100, 200, 400])), int(rng.choice([20, 40, 60]))
    y = np.full(n, -1)
    y[rng.choice(n, l, replace=False)] = rng.permutation(np.arange(l) % 2)
    return rng.standard_normal((n, int(rng.choice([2, 5, 20])))), y


def made(name: str, **how):
    return lambda seed: getattr(datasets, f"make_{name}")(random_state=seed, **how)


def bundled(name: str):
    return lambda seed: getattr(datasets, f"load_{name}")(return_X_y=True)


def flips(seed: int):
    rng = np.random.default_rng([seed, 2])
    return rng.standard_normal((400, 5)), rng.integers(0, 2, 400)


hard = {"n_samples": 600, "n_informative": 5}
SETS = {
    "digits, 3 each": (bundled("digits"), 3),
    "digits, 10 each": (bundled("digits"), 10),
    "wine, 5 each": (bundled("wine"), 5),
    "iris, 4 each": (bundled("iris"), 4),
    "cancer, 5 each": (bundled("breast_cancer"), 5),
    "cancer, 20 each": (bundled("breast_cancer"), 20),
    "moons, 10 each": (made("moons", n_samples=400, noise=0.3), 10),
    "circles, 10 each": (made("circles", n_samples=400, noise=0.15, factor=0.6), 10),
    "blobs, 5 each": (made("blobs", n_samples=500, centers=3, cluster_std=2.5), 5),
    "classification, 20 each": (made("classification", **hard), 20),
    "quantiles, 10 each": (made("gaussian_quantiles", n_samples=600, n_features=4), 10),
    "coin flips, 20 each": (flips, 20),
}


def problem(name: str, seed: int):
    """Rows, labels and the truth of one draw."""
    make, each = SETS[name]
    X, truth = make(seed)
    rng = np.random.default_rng([seed, 3])
    rows = rng.permutation(len(X))[:MOST_ROWS]
    X, truth = np.asarray(X)[rows], np.asarray(truth)[rows]
    y = np.full(len(X), -1)
    for c in np.unique(truth):
        at = rng.choice(np.flatnonzero(truth == c), each, replace=False)
        y[at] = c
    return X, y, truth


def said_of_coins(runs: int, first: int) -> None:
    said = []
    for seed in range(first, first + runs):
        X, y = coins(seed)
        said.append(compare(LapRLSClassifier(), X, y).verdict)
        if "No difference" not in said[-1]:
            print(f"  run {seed}, {X.shape} rows, {np.sum(y >= 0)} labels: {said[-1]}", flush=True)
    helped = sum("helped" in verdict or "is better" in verdict for verdict in said)
    misled = sum("misled" in verdict or "is worse" in verdict for verdict in said)
    print(f"coins: helped in {helped}, misled in {misled} of {runs} runs", flush=True)


def intervals(draws: int, first: int) -> None:
    every = []
    for name in SETS:
        found = []
        for seed in range(first, first + draws):
            X, y, truth = problem(name, seed)
            model, hidden = LapRLSClassifier().fit(X, y), y < 0
            error = float(np.mean(model.transduction_[hidden] != truth[hidden]))
            low, high = model.leave_one_out_interval_
            l = int((~hidden).sum())
            plain = binomtest(round(model.leave_one_out_error_ * l), l).proportion_ci(
                0.95, method="wilson"
            )
            width = (high - low) / (plain.high - plain.low)
            found.append((low <= error <= high, width, error, model.leave_one_out_error_))
        covered, width, error, estimate = np.mean(found, axis=0)
        every += found
        print(
            f"  {name:24} covered {covered:.1f}, {width:.2f} times the binomial width, error "
            f"{error:.3f}, estimate {estimate:.3f}",
            flush=True,
        )
    held, widths = [row[0] for row in every], [row[1] for row in every]
    print(f"intervals: {sum(held)} of {len(held)} hold; median width {np.median(widths):.2f}")


HALVES = [("left", "rbf", slice(0, 2)), ("right", "rbf", slice(2, 4))]
CLASSIFIERS = (
    "LapRLSClassifier", "LapSVC", "LapLogisticClassifier", "VectorValuedClassifier",
    "CoMRClassifier", "CoRLSClassifier", "StructuredLapSVC",
)  # fmt: skip
REGRESSORS = (
    "LapRLSRegressor", "VectorValuedRegressor", "SSSLRegressor", "LapS3LRegressor",
    "LSMRRegressor", "CoMRRegressor", "CoRLSRegressor",
)  # fmt: skip


def said_of(model, X, y, truth) -> tuple[float, float, float, bool]:
    """The error at unlabeled rows, that of left-out labels at the chosen settings, what is told."""
    model.fit(X, y)
    told = model.diagnostics()
    chosen = replace(told, optimism=None)
    chosen.unseen = told.unseen
    hidden = (np.isnan(y) if y.dtype.kind == "f" else y < 0).reshape(len(y), -1).all(axis=1)
    answers = np.asarray(model.transduction_)[hidden]
    if told.signs:
        error = float(np.mean(answers != truth[hidden]))
    else:
        spread = np.nanstd(y, axis=0)
        error = float(np.sqrt(np.mean(((answers - truth[hidden]) / spread) ** 2)))
    low, high = told.interval()
    return error, chosen.error(), told.error(), low <= error <= high


def shown(found: dict[str, list]) -> None:
    every = [row for rows in found.values() for row in rows]
    for name, rows in found.items():
        error, chosen, told, held = np.mean(rows, axis=0)
        print(
            f"  {name:30} error {error:.3f}, chosen {chosen:.3f}, told {told:.3f}, covered "
            f"{held:.2f} of {len(rows)}",
            flush=True,
        )
    error, chosen, told, held = np.array(every, dtype=float).T
    print(
        f"  all: chosen less error {np.mean(chosen - error):+.3f}, told less error "
        f"{np.mean(told - error):+.3f}; covered {held.mean():.3f} of {len(every)}"
    )


def flipped(draws: int, first: int) -> None:
    """Labels that no row tells, in every family: 30 of 150 rows."""
    found = defaultdict(list)
    for name in CLASSIFIERS + REGRESSORS:
        for seed in range(first, first + draws):
            rng = np.random.default_rng([seed, 4])
            X, seen = rng.standard_normal((150, 4)), np.arange(150) < 30
            kind = getattr(lapwing, name)
            model = kind(HALVES) if name.startswith("Co") else kind()
            if name in REGRESSORS:
                several = not name.startswith(("Co", "Lap"))
                truth = rng.standard_normal((150, 3) if several else 150)
                y = np.where(seen[:, None] if several else seen, truth, np.nan)
            else:
                truth = rng.integers(0, 2, 150)
                y = np.where(seen, truth, -1)
            found[name].append(said_of(model, X, y, truth))
    shown(found)


def families(data: Path) -> None:
    """The sets of ``selection_choices.py`` and newsgroups, in every family."""
    found = defaultdict(list)
    for part in (selection_choices.real, selection_choices.outputs):
        for name, model, X, y, truth, _ in part(data):
            found[name.split(" #")[0]].append(said_of(model, X, y, truth))
    groups = newsgroups(["rec.autos", "rec.motorcycles", "sci.med", "sci.space"], 800)
    for seed in range(2):
        X, truth = groups(data, np.random.default_rng([seed, 1]))
        y = keep_labels(truth, 10, random_state=seed)
        found["newsgroups StructuredLapSVC"].append(
            said_of(lapwing.StructuredLapSVC(), X, y, truth)
        )
    shown(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--part", choices=["coins", "intervals", "flips", "families"])
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.part in (None, "coins"):
        said_of_coins(options.runs, options.first)
    if options.part in (None, "intervals"):
        intervals(options.draws, options.first)
    if options.part in (None, "flips"):
        flipped(options.draws, options.first)
    if options.part == "families":
        families(options.data)


if __name__ == "__main__":
    main()
