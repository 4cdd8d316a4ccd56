"""The RBF Gram matrix, right to rounding for every pair, against the bare expansion of ‖x − z‖².

The bare expansion is centered by the mean and trusts every entry; both use the same tiles and are
timed in turns in one run, on one thread, in CPU time. Beside the ratios, the largest error of
each on data with one far row.

    python benchmarks/gram_vs_expansion.py [--pairs 9]
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy.spatial.distance import cdist
from threadpoolctl import threadpool_limits
from timing import ratios

from lapwing.kernels import RBF
from lapwing.linalg.points import squared_norms
from lapwing.linalg.tiles import fill


def bare(X: np.ndarray, sigma: float) -> np.ndarray:
    A = (X - X.mean(axis=0)) / sigma
    x2, one = squared_norms(A)[:, None], np.ones((len(A), 1))
    left, right = np.hstack([-2.0 * A, x2, one]), np.hstack([A, one, x2])

    def strip(rows: slice, cols: slice, out: np.ndarray) -> None:
        np.matmul(left[rows], right[cols].T, out=out)

    def finish(D: np.ndarray, rows: slice, cols: slice) -> np.ndarray:
        np.maximum(D, 0.0, out=D)
        if rows == cols:
            np.fill_diagonal(D, 0.0)
        D *= -0.5
        return np.exp(D, out=D)

    return fill(strip, finish, len(X), len(X), X.dtype, symmetric=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=9)
    options = parser.parse_args()
    for n, d in ((4000, 50), (2000, 784)):
        X = np.random.default_rng(0).normal(size=(n, d))
        kernel = RBF().build(X)
        with threadpool_limits(1):
            ratio, a, b = ratios(
                lambda X=X, kernel=kernel: kernel(X),
                lambda X=X, kernel=kernel: bare(X, kernel.sigma),
                options.pairs,
                time.process_time,
            )
        print(f"{n} × {d}: RBF {a:.2f} s, bare expansion {b:.2f} s, median ratio {ratio:.2f}")
        X[0] = 1e9
        exact = np.exp(-0.5 * (cdist(X[:500], X[:500]) / kernel.sigma) ** 2)
        for name, K in (("RBF", kernel(X[:500])), ("bare", bare(X[:500], kernel.sigma))):
            print(f"    one row of 1e9: largest error of {name} {np.abs(K - exact).max():.1e}")


if __name__ == "__main__":
    main()
