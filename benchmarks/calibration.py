"""Are probabilities and error intervals right? Unlabeled and unseen rows, few and many.

    python benchmarks/calibration.py DIRECTORY [--draws 5] [--model LapRLSClassifier]

DIRECTORY holds the sets of ``selection_sets.py``. Each set is fitted by the default call with its
labels and 300 unseen rows: once with as many unlabeled rows as make 500 rows in all, and once with
at most 800 unlabeled rows. ``--space exact`` takes exact fits instead of values on the graph.
``--goals`` adds the sets with one or two labels per class. ``--model CoMRClassifier`` or
CoRLSClassifier takes sets of several views; ``--given`` adds parameters. The table goes to
``docs/benchmarks/calibration.md``; ± is the standard error of a gap over the draws.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.stats import binomtest
from selection_sets import SETS, Set, generated, own, rows_of
from sklearn import datasets
from sklearn.preprocessing import StandardScaler

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


HALVES = [("upper", "rbf", slice(0, 32)), ("lower", "rbf", slice(32, 64))]


def blocks(data, names):
    file = np.load(data / "mfeat.npz")
    return [StandardScaler().fit_transform(file[name].astype(float)) for name in names]


def features(*names):
    """Views of handwritten digits."""
    sizes = {"fou": 76, "fac": 216, "kar": 64, "pix": 240, "zer": 47, "mor": 6}
    ends = np.cumsum([0, *(sizes[name] for name in names)])
    views = [
        (n, "rbf", slice(int(a), int(b)))
        for n, a, b in zip(names, ends[:-1], ends[1:], strict=True)
    ]

    def make(data, draw):
        return rows_of(np.hstack(blocks(data, names)), np.load(data / "mfeat.npz")["y"], draw)

    return make, views


def courses(data, draw):
    file = np.load(data / "webkb_course.npz")
    kept = file["page"].any(axis=1) & file["link"].any(axis=1)
    X = np.hstack([file["page"][kept], file["link"][kept]]).astype(float)
    return rows_of(X, (file["y"].ravel()[kept] > 0) + 0, draw)


def nuisance(data, draw, n=1000):
    """Three classes in three of fifteen columns."""
    truth, centers = draw.integers(0, 3, n), 2.5 * draw.standard_normal((3, 3))
    X = np.hstack([centers[truth] + draw.standard_normal((n, 3)), draw.standard_normal((n, 12))])
    return X, truth


def mixed(k):
    return Set(
        generated(
            datasets.make_classification, n_samples=1000, n_features=20, n_informative=6,
            n_classes=3,
        ), k,
    )  # fmt: skip


ONE, THREE = features("fou", "zer"), features("fou", "kar", "mor")
SEVERAL = {
    "digits, 5 each": (Set(own(datasets.load_digits), 5), HALVES),
    "digits, 2 each": (Set(own(datasets.load_digits), 2), HALVES),
    "mfeat, two, 10 each": (Set(ONE[0], 10), ONE[1]),
    "mfeat, three, 5 each": (Set(THREE[0], 5), THREE[1]),
    "mfeat, three, 2 each": (Set(THREE[0], 2), THREE[1]),
    "cancer, 10 each": (
        Set(own(datasets.load_breast_cancer, True), 10),
        [("means", "rbf", slice(0, 10)), ("others", "rbf", slice(10, 30))],
    ),
    "webkb, 8 each": (
        Set(courses, 8), [("page", "rbf", slice(0, 3000)), ("link", "rbf", slice(3000, 4840))]
    ),
    "nuisance, 5 each": (
        Set(nuisance, 5), [("a", "rbf", [0, *range(3, 8)]), ("b", "rbf", [1, 2, *range(8, 15)])]
    ),
    "classification, 10 each": (
        mixed(10), [("a", "rbf", slice(0, 10)), ("b", "rbf", slice(10, 20))]
    ),
}  # fmt: skip
"""Sets of several views, and the views."""


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
    parser.add_argument("--given", type=json.loads, default={}, help="parameters, as JSON")
    parser.add_argument("--side", choices=list(SIDES))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    alone = {n: s for n, s in SETS.items() if options.goals or s.group != "goals"} | OTHERS
    how = options.given | {"space": options.space}
    every = {n: (s, how) for n, s in alone.items()}
    if options.model.startswith("Co"):
        every = {n: (s, how | {"views": views}) for n, (s, views) in SEVERAL.items()}
    for side, most in SIDES.items():
        if options.side in (None, side):
            _table(side, every, options, most)


def _table(side: str, every: dict[str, tuple[Set, dict]], options, most: int) -> None:
    found: dict[str, dict[str, float]] = {}
    covered, widths = [], []
    for name, (problem, how) in every.items():
        runs = defaultdict(list)
        for seed in range(options.first, options.first + options.draws):
            model = getattr(lapwing, options.model)(**how)
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
