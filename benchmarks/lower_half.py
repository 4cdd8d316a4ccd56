"""Fits of every kind at n = 2000, parameters given, in units of one Cholesky factor of that order.

    python benchmarks/lower_half.py [--repeats 3]

CPU seconds on one thread, the median of the repeats, Gram matrices and graph included. The same
file runs on older versions of the library, so that two of them can be compared in one go:

    PYTHONPATH=OLD/src python benchmarks/lower_half.py
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
import warnings

import numpy as np
import scipy.linalg

N, LABELED = 2000, 100
GAMMAS = {"gamma_A": 1e-6, "gamma_I": 1e-3 * N**2}


def points():
    random = np.random.default_rng(0)
    centers = 3.0 * random.normal(size=(4, 20))
    truth = random.integers(0, 4, N)
    X = centers[truth] + random.normal(size=(N, 20))
    y = np.where(np.arange(N) < LABELED, truth, -1)
    Y = np.where(np.arange(N)[:, None] < LABELED, X @ random.normal(size=(20, 6)), np.nan)
    holes = Y.copy()
    holes[:LABELED][random.random((LABELED, 6)) < 0.3] = np.nan
    return X, y, Y, holes


def cases(X, y, Y, holes) -> dict:
    import lapwing as lw
    from lapwing.graphs import KNN
    from lapwing.kernels import RBF
    from lapwing.outputs import OutputGraph, Ring
    from lapwing.regularizers import Laplacian

    parts = {"kernel": RBF(6.0), "regularizer": Laplacian(KNN(10), degree=2), **GAMMAS}
    two = np.where(y < 0, -1, y % 2)
    signs = np.where(np.isnan(Y), np.nan, (Y > 0).astype(float))
    related = {"output_kernel": OutputGraph(gamma_O=0.5, n_neighbors=2), "fit_intercept": True}
    views = [("a", RBF(6.0), slice(0, 10)), ("b", RBF(6.0), slice(10, 20))]
    graphs = [(*view, parts["regularizer"]) for view in views]
    coupled = {"gamma_A": 1e-6, "gamma_C": 1e-3 * N**2, "fit_intercept": True}
    return {
        "LapRLS": (lw.LapRLSClassifier(**parts, fit_intercept=True), y),
        "LapSVC": (lw.LapSVC(**parts, fit_intercept=True), two),
        "logistic": (lw.LapLogisticClassifier(**parts, fit_intercept=True), two),
        "vector-valued": (lw.VectorValuedRegressor(**parts, **related), Y),
        "vector-valued, entries missing": (lw.VectorValuedRegressor(**parts, **related), holes),
        "vector-valued hinge": (lw.VectorValuedClassifier(loss="hinge", **parts, **related), signs),
        "CoRLS": (lw.CoRLSClassifier(views, **coupled), two),
        "CoMR": (lw.CoMRClassifier(graphs, **coupled, gamma_I=1e-3 * N**2), two),
        "structured ring": (lw.StructuredLapSVC(output=Ring(4), **parts), y),
        "clustering": (lw.RegularizedSpectralClustering(2, **parts), None),
    }


def clocked(work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        os.execv(sys.executable, [sys.executable, *sys.argv])
    warnings.simplefilter("ignore")
    X, *targets = points()
    A = X @ X.T + N * np.eye(N)
    for name, (model, y) in cases(X, *targets).items():
        ratios = []
        for _ in range(repeats):
            floor = clocked(lambda: scipy.linalg.cho_factor(A))
            ratios.append(clocked(lambda m=model, t=y: m.fit(X, t)) / floor)
        print(f"{name:32s}{statistics.median(ratios):6.1f}", flush=True)


if __name__ == "__main__":
    main()
