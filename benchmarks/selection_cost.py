"""What the default call costs, in Cholesky factors of order 2000; one thread, CPU time.

Three goals: a grid of 10 ratios × 50 γ_A for one kernel and graph at n = 2000 in at most 12; the
whole default selection at n = 2000 in at most 60; at n = 8000 the whole default fit in at most six
times a fit with the parameters it found. Run with one thread (OMP_NUM_THREADS=1).

    python benchmarks/selection_cost.py [--large]
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
import scipy.linalg
from sklearn.datasets import make_blobs

from lapwing import LapLogisticClassifier, LapRLSClassifier, LapSVC
from lapwing.datasets import keep_labels
from lapwing.graphs import KNN
from lapwing.kernels import RBF, Precomputed
from lapwing.regularizers import Laplacian
from lapwing.selection.leave_one_out import readouts
from lapwing.spaces import Exact, RatioSections


def timed(call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def problem(n: int, per_class: int):
    X, truth = make_blobs(n, n_features=64, centers=10, cluster_std=6.0, random_state=0)
    return X, keep_labels(truth, per_class, random_state=0)


def grid(X, y) -> None:
    """Kernel and graph once, then leave-one-out for 10 ratios × 50 γ_A."""
    rows = np.flatnonzero(y >= 0)
    Y = np.where(y[rows, None] == np.arange(10), 1.0, -1.0)
    w = np.full((len(rows), 1), 1 / len(rows))
    K, M = RBF("local").build(X)(X), Laplacian(KNN(6), degree=2).build(X)
    ratios = np.geomspace(1e1, 1e5, 10)
    grams = RatioSections(Exact(K, Precomputed(), None), M, rows, ratios)
    for ratio in ratios:
        readouts(grams.at(ratio), None, Y, w, np.geomspace(1e-8, 1.0, 50), grams.at(ratio)[:0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true", help="n = 8000 too")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    grid(*problem(300, 2))  # what is imported when first used is not counted
    X, y = problem(2000, 5)
    A = np.cov(X) + np.eye(2000)
    unit = min(timed(lambda: scipy.linalg.cho_factor(A)) for _ in range(3))
    print(f"10 ratios × 50 γ_A at n = 2000: {timed(lambda: grid(X, y)) / unit:.1f} Choleskys")
    for model in (LapRLSClassifier(), LapSVC(), LapLogisticClassifier()):
        for n, per_class in ((2000, 5), (8000, 10)) if options.large else ((2000, 5),):
            X, y = problem(n, per_class)
            whole = timed(lambda: model.fit(X, y))  # noqa: B023
            given = type(model)(**model.selection_.choice)
            again = timed(lambda: given.fit(X, y))  # noqa: B023
            print(
                f"{type(model).__name__}, n = {n}: the search {(whole - again) / unit:.1f} "
                f"Choleskys; the default fit {whole / again:.2f} × a fit with its parameters given",
                flush=True,
            )


if __name__ == "__main__":
    main()
