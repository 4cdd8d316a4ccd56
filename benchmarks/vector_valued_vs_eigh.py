"""N = 3000 points and n = 100 coupled outputs against one symmetric eigendecomposition of order N.

Both are timed in turns in one run; the claim is the median ratio of the pairs (wall clock, all
cores) and, beside it, the ratio of CPU times on one thread. The fit is
``VectorValuedRegressor.fit`` with Gram matrix, both graphs and certificate.

    python benchmarks/vector_valued_vs_eigh.py [--n 3000] [--outputs 100] [--pairs 3]
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import scipy.linalg
from threadpoolctl import threadpool_limits
from timing import ratios

from lapwing import VectorValuedRegressor
from lapwing.outputs import OutputGraph


def problem(n: int, n_outputs: int, labeled: int):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 20))
    Y = np.sin(X @ rng.standard_normal((20, n_outputs)) / 4.0)
    Y[rng.permutation(n)[labeled:]] = np.nan
    return X, Y


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=3000)
    parser.add_argument("--outputs", type=int, default=100)
    parser.add_argument("--labeled", type=int, default=300)
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args()
    X, Y = problem(options.n, options.outputs, options.labeled)
    model = VectorValuedRegressor(output_kernel=OutputGraph(gamma_O=0.7, n_neighbors=5))
    A = np.cov(X) + np.eye(options.n)

    def fit():
        return model.fit(X, Y)

    def eigh():
        return scipy.linalg.eigh(A)

    certificate = fit().solution_.optimality
    directions = len(np.unique(np.round(np.linalg.eigvalsh(model.output_kernel_), 10)))
    print(f"N = {options.n}, {options.outputs} outputs, {directions} different shifts, ", end="")
    print(f"l = {options.labeled}; certificate {certificate:.1e}")
    ratio, a, b = ratios(fit, eigh, options.pairs, time.perf_counter)
    print(f"all threads, wall clock: fit {a:.2f} s, eigh {b:.2f} s, median ratio {ratio:.2f}")
    with threadpool_limits(1):
        ratio, a, b = ratios(fit, eigh, options.pairs, time.process_time)
    print(f"one thread, CPU time:    fit {a:.2f} s, eigh {b:.2f} s, median ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
