"""Rare positives: 5 % of 400 rows, 10 labels, recall and precision at the unlabelled rows.

    python benchmarks/unequal_classes.py [--seeds 20]

Two problems: a digit against the others, and overlapping Gaussian clouds in 4 dimensions. Labels
are drawn at random with at least one of each class.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.svm import SVC

from lapwing import LapRLSClassifier, LapSVC

N, POSITIVES, LABELS = 400, 20, 10
PRIOR = {0: 0.95, 1: 0.05}


def digits(rng):
    X, y = load_digits(return_X_y=True)
    rare = rng.permutation(np.flatnonzero(y == 8))[:POSITIVES]
    rest = rng.permutation(np.flatnonzero(y != 8))[: N - POSITIVES]
    return X[np.r_[rare, rest]]


def clouds(rng):
    X = rng.standard_normal((N, 4))
    X[:POSITIVES] += 1.3
    return X


MACHINES = {
    "SVC, balanced": lambda: SVC(class_weight="balanced"),
    "LapRLS": LapRLSClassifier,
    "LapRLS, balanced": lambda: LapRLSClassifier(class_weight="balanced"),
    "LapRLS, balanced, prior": lambda: LapRLSClassifier(class_weight="balanced", class_prior=PRIOR),
    "LapSVC, balanced": lambda: LapSVC(class_weight="balanced"),
    "LapSVC, balanced, prior": lambda: LapSVC(class_weight="balanced", class_prior=PRIOR),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    truth = (np.arange(N) < POSITIVES).astype(int)
    for draw in (digits, clouds):
        table: dict[str, list] = {name: [] for name in MACHINES}
        for seed in range(arguments.seeds):
            rng = np.random.default_rng(seed)
            X, y = draw(rng), np.full(N, -1)
            rows = np.r_[rng.permutation(N)[: LABELS - 1], rng.integers(POSITIVES)]
            y[rows] = truth[rows]
            hidden = y < 0
            for name, make in MACHINES.items():
                if isinstance(make(), SVC):
                    found = make().fit(X[~hidden], y[~hidden]).predict(X[hidden])
                else:
                    found = make().fit(X, y).transduction_[hidden]
                hits = np.sum((found == 1) & (truth[hidden] == 1))
                recall = hits / truth[hidden].sum()
                table[name].append((recall, hits / max(1, np.sum(found == 1))))
        for name, values in table.items():
            recall, precision = np.mean(values, axis=0)
            print(f"{draw.__name__:7} {name:26} recall {recall:.2f}  precision {precision:.2f}")


if __name__ == "__main__":
    main()
