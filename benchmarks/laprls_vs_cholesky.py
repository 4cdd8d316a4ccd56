"""LapRLSClassifier.fit on the exact space against one Cholesky factor of the same order.

Both are timed in turns in one run; the claim is the median ratio of the pairs (wall clock, all
cores) and, beside it, the ratio of CPU times on one thread.

    python benchmarks/laprls_vs_cholesky.py [--n 4000] [--pairs 7] [--labeled 100]
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import scipy.linalg
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_limits
from timing import ratios

from lapwing import LapRLSClassifier
from lapwing.datasets import keep_labels
from lapwing.regularizers import Laplacian


def problem(n: int, labeled: int):
    X, truth = make_blobs(n, n_features=64, centers=10, cluster_std=6.0, random_state=0)
    return X, keep_labels(truth, max(1, labeled // 10), random_state=0)


def model(n: int, l: int) -> LapRLSClassifier:
    return LapRLSClassifier(
        kernel="rbf",
        regularizer=Laplacian(),
        gamma_A=0.005 / l,
        gamma_I=0.045 * n**2 / l,
        fit_intercept=True,
        space="exact",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=4000)
    parser.add_argument("--labeled", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=7)
    options = parser.parse_args()
    X, y = problem(options.n, options.labeled)
    l = int((y != -1).sum())
    A = np.cov(X) + np.eye(options.n)

    def fit():
        return model(options.n, l).fit(X, y)

    def cholesky():
        return scipy.linalg.cho_factor(A)

    certificate = fit().solution_.optimality
    cholesky()
    print(f"n = {options.n}, l = {l}, 64 features, 10 classes; certificate {certificate:.1e}")
    ratio, a, b = ratios(fit, cholesky, options.pairs, time.perf_counter)
    print(f"all threads, wall clock: fit {a:.2f} s, cho_factor {b:.2f} s, median ratio {ratio:.2f}")
    with threadpool_limits(1):
        ratio, a, b = ratios(fit, cholesky, options.pairs, time.process_time)
    print(f"one thread, CPU time:    fit {a:.2f} s, cho_factor {b:.2f} s, median ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
