"""Why linear methods fail on MT's scpf: least squares over 20 splits, as it is and truncated.

Run ``python benchmarks/scpf.py DIR``, DIR with the data files. Prints mean and median aRMSE of the
mean of the labeled rows, of least squares, and of least squares without singular values below 1e-2
of the largest; and how far the largest target lies from the mean, in standard deviations.
"""

import sys
from pathlib import Path

import numpy as np

from lapwing.metrics import armse
from lapwing_papers.datasets import load_multi_target
from lapwing_papers.mt.data import split


def scores(X, Y, rcond, n_splits=20):
    """aRMSE on the test part of each split; rcond None predicts the mean."""
    found = []
    for seed in range(n_splits):
        one = split(X, Y, seed)
        rows = ~np.isnan(one.y).any(axis=1)
        mean, center = one.y[rows].mean(axis=0), one.X[rows].mean(axis=0)
        W = np.zeros((one.X.shape[1], len(mean)))
        if rcond is not None:
            W = np.linalg.lstsq(one.X[rows] - center, one.y[rows] - mean, rcond=rcond)[0]
        found.append(armse(one.y_test, (one.X_test - center) @ W + mean))
    return np.array(found)


def main():
    data = load_multi_target("scpf", Path(sys.argv[1]))
    far = (data.Y.max(axis=0) - data.Y.mean(axis=0)) / data.Y.std(axis=0)
    print("largest target, in deviations:", np.round(far, 1))
    for name, rcond in (("mean", None), ("least squares", 1e-10), ("truncated", 1e-2)):
        found = scores(data.X, data.Y, rcond)
        print(f"{name:14s} mean {found.mean():.2f}  median {np.median(found):.2f}  "
              f"above 1.5 in {np.sum(found > 1.5)} of {len(found)}")  # fmt: skip


if __name__ == "__main__":
    main()
