"""A 10 × 10 grid over (γ_A, γ_O) on Scene against a single fit.

Both are timed in turns in one run; the claim is the median ratio of the pairs (wall clock, all
cores) and, beside it, the ratio of CPU times on one thread. A single fit is
``VectorValuedClassifier.fit`` with everything in it; the grid is ``lapwing.path`` with every grid
point's readout scored by the macro AUC on the unlabeled rows.

    python benchmarks/vector_valued_grid.py --data DIRECTORY [--pairs 5]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits
from timing import ratios

from lapwing import VectorValuedClassifier, path
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.metrics import macro_auc
from lapwing.outputs import OutputGraph
from lapwing.regularizers import Laplacian

N, LABELED = 1204, 100


def problem(directory):
    data = np.load(Path(directory) / "scene.npz", allow_pickle=False)
    rows = np.random.default_rng(0).permutation(len(data["X"]))[:N]
    X, truth = data["X"][rows], data["Y"][rows].astype(float)
    Y = truth.copy()
    Y[LABELED:] = np.nan
    return X, Y, truth


def model() -> VectorValuedClassifier:
    return VectorValuedClassifier(
        kernel=RBF(4.3),
        regularizer=Laplacian(KNN(5)),
        gamma_A=1e-4,
        gamma_I=0.01 * N**2,
        output_kernel=OutputGraph(gamma_O=1.0, n_neighbors=2),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="the directory with scene.npz")
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    X, Y, truth = problem(options.data)

    def fit():
        return model().fit(X, Y)

    def grid():
        points = path(model(), X, Y, gamma_A=np.logspace(-6, 0, 10), gamma_O=np.linspace(0, 1, 10))
        return [macro_auc(truth[LABELED:], p.readout[LABELED:]) for p in points]

    certificate, best = fit().solution_.optimality, max(grid())
    print(f"Scene, N = {N}, 6 labels: certificate of the fit {certificate:.1e}; ", end="")
    print(f"100 grid points, best macro AUC {100 * best:.1f} %")
    ratio, a, b = ratios(grid, fit, options.pairs, time.perf_counter)
    print(f"all threads, wall clock: grid {a:.2f} s, fit {b:.2f} s, median ratio {ratio:.2f}")
    with threadpool_limits(1):
        ratio, a, b = ratios(grid, fit, options.pairs, time.process_time)
    print(f"one thread, CPU time:    grid {a:.2f} s, fit {b:.2f} s, median ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
