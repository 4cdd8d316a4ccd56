"""The default call beside ``GridSearchCV(SVC())`` of 16 settings and 3 folds on the same 50 labels.

CPU seconds in one run, and their ratio: at most 3 at 200 rows, 6 at 1,000 and 2,000. The SVC never
sees the unlabeled rows while it learns; both answer all of them. Errors in % stand beside the
times. Run with one thread (OMP_NUM_THREADS=1).

    python benchmarks/beside_svc.py [--draws 3]
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.datasets import load_digits, make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from lapwing import LapRLSClassifier

GRID = {"svc__C": [0.1, 1.0, 10.0, 100.0], "svc__gamma": [0.001, 0.01, 0.1, "scale"]}
LIMITS = {200: 3, 1000: 6, 2000: 6}


def cpu(work: Callable) -> tuple[float, np.ndarray]:
    """CPU seconds, and what came out."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def problem(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Digits, or more rows than there are of these."""
    if n > 1700:
        return make_classification(
            n, 64, n_informative=20, n_classes=4, class_sep=2.0, random_state=seed
        )
    X, truth = load_digits(return_X_y=True)
    rows = np.random.default_rng(seed).permutation(len(X))[:n]
    return X[rows], truth[rows]


def answered(n: int, seed: int) -> tuple[float, float, float, float]:
    """CPU of the default call and of the grid search, and both errors in %."""
    X, truth = problem(n, seed)
    y = np.where(np.arange(n) < 50, truth, -1)
    grid = GridSearchCV(make_pipeline(StandardScaler(), SVC()), GRID, cv=3)
    ours, ask = cpu(lambda: LapRLSClassifier().fit(X, y).transduction_)
    theirs, told = cpu(lambda: grid.fit(X[:50], truth[:50]).predict(X))
    errors = [100 * float(np.mean(a[50:] != truth[50:])) for a in (ask, told)]
    return ours, theirs, *errors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=3)
    draws = parser.parse_args().draws
    warnings.simplefilter("ignore")
    answered(200, 99)  # what is loaded on first use counts for nobody
    print("  rows  default s  grid s  ratio  limit   errors %")
    for n, limit in LIMITS.items():
        ours, theirs, own, other = np.median([answered(n, s) for s in range(draws)], axis=0)
        print(
            f"{n:6}{ours:11.2f}{theirs:8.2f}{ours / theirs:7.1f}{limit:7}{own:9.1f}{other:6.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
