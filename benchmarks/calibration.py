"""Are probabilities and error intervals right? Unlabeled and unseen rows, few and many.

    python benchmarks/calibration.py DIRECTORY [--draws 5] [--model LapRLSClassifier]

DIRECTORY holds the sets of ``selection_sets.py``. Each set is fitted by the default call with its
labels and 300 unseen rows: once with as many unlabeled rows as make 500 rows in all, and once with
at most 800 unlabeled rows. ``--space exact`` takes exact fits instead of values on the graph.
``--goals`` adds the sets with one or two labels per class. The table goes to
``docs/benchmarks/calibration.md``; ± is the standard error of a gap over the draws.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.stats import binomtest
from selection_sets import SETS, Set, generated
from sklearn import datasets

import lapwing

SIDES = {"few": 500, "many": 10_000}
"""The most rows of a fit."""

KINDS = "unlabeled", "unseen"


def coins(data, draw):
    return draw.standard_normal((400, 5)), draw.integers(0, 2, 400)


def blobs(k):
    made = generated(datasets.make_blobs, n_samples=500, centers=3, cluster_std=2.0)
    return Set(made, k)


OTHERS = {
    "coin flips, 40": Set(coins, labels=40),
    "coin flips, 100": Set(coins, labels=100),
    "three blobs, 2 each": blobs(2),
    "three blobs, 5 each": blobs(5),
    "quantiles": Set(
        generated(
            datasets.make_gaussian_quantiles, n_samples=800, n_features=4, n_classes=3
        ), 10,
    ),
}  # fmt: skip


def parted(problem: Set, data: Path, seed: int, most: int):
    """Training rows, their labels and truth, and unseen rows with theirs."""
    X, y, truth = problem.draw(data, seed)
    truth = np.unique(truth, return_inverse=True)[1]
    draw = np.random.default_rng([seed, 7])
    rest = draw.permutation(np.flatnonzero(y < 0))
    unseen, inside = np.split(rest[: 800 + min(300, len(rest) // 4)], [min(300, len(rest) // 4)])
    labeled = np.flatnonzero(y >= 0)
    rows = draw.permutation(np.concatenate([labeled, inside[: max(most - len(labeled), 1)]]))
    return X[rows], y[rows], truth[rows], X[unseen], truth[unseen]


def measured(model, X, y, truth, other, answers) -> dict[str, float]:
    """Confidence less accuracy on both kinds of rows, and what the interval says."""
    found, hidden = {}, y < 0
    model.fit(X, y)
    for name, rows, right in zip(KINDS, (X[hidden], other), (truth[hidden], answers), strict=True):
        p = model.predict_proba(rows)
        accuracy = np.mean(model.classes_[p.argmax(axis=1)] == right)
        found[name] = p.max(axis=1).mean() - accuracy
        at = np.searchsorted(model.classes_, right)
        found["loss, " + name] = -np.log(np.maximum(p[np.arange(len(at)), at], 1e-12)).mean()
    error = np.mean(model.transduction_[hidden] != truth[hidden])
    low, high = model.leave_one_out_interval_
    l = int((~hidden).sum())
    k = 0 if np.isnan(model.leave_one_out_error_) else round(model.leave_one_out_error_ * l)
    plain = binomtest(k, l).proportion_ci(0.95, method="wilson")
    return found | {
        "error": error,
        "estimate": model.leave_one_out_error_,
        "covered": low <= error <= high,
        "width": (high - low) / (plain.high - plain.low),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--model", default="LapRLSClassifier")
    parser.add_argument("--space", default="auto")
    parser.add_argument("--goals", action="store_true")
    parser.add_argument("--side", choices=list(SIDES))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    every = {n: s for n, s in SETS.items() if options.goals or s.group != "goals"} | OTHERS
    for side, most in SIDES.items():
        if options.side in (None, side):
            _table(side, every, options, most)


def _table(side: str, every: dict[str, Set], options, most: int) -> None:
    found: dict[str, dict[str, float]] = {}
    covered, widths = [], []
    for name, problem in every.items():
        runs = defaultdict(list)
        for seed in range(options.first, options.first + options.draws):
            model = getattr(lapwing, options.model)(space=options.space)
            rows = parted(problem, options.directory, seed, most)
            for key, value in measured(model, *rows).items():
                runs[key].append(value)
        found[name] = {key: float(np.nanmean(values)) for key, values in runs.items()}
        covered += runs["covered"]
        widths += runs["width"]
        line = found[name]
        apart = {key: np.std(runs[key]) / max(options.draws - 1, 1) ** 0.5 for key in KINDS}
        gaps = "  ".join(f"{key} {line[key]:+.3f} ± {apart[key]:.3f}" for key in KINDS)
        print(
            f"{side:5} {name:26} {gaps}  error {line['error']:.3f} estimate {line['estimate']:.3f} "
            f"covered {line['covered']:.2f}",
            flush=True,
        )
    for rows in KINDS:
        gaps = np.array([line[rows] for line in found.values()])
        loss = np.mean([line["loss, " + rows] for line in found.values()])
        print(
            f"{side}, {rows} rows, {len(gaps)} sets: mean {gaps.mean():+.3f}, mean size "
            f"{np.abs(gaps).mean():.3f}, largest {np.abs(gaps).max():.3f}; log loss {loss:.3f}"
        )
    print(
        f"{side}: intervals cover {np.mean(covered):.3f} of {len(covered)} problems, "
        f"median width {np.median(widths):.2f} times the binomial one"
    )


if __name__ == "__main__":
    main()
