"""The two-view kernel and its l × l Gram matrix against one Cholesky factor of the same order.

What is allowed is 3 × one ``scipy.linalg.cho_factor`` of order n plus the two Gram matrices;
the three are timed in turns in one run, and the claim is the median over the rounds (wall
clock, all cores) and, beside it, that of CPU times on one thread.

    python benchmarks/multiview_vs_cholesky.py [--n 4000] [--labeled 50] [--rounds 5]
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np
import scipy.linalg
from threadpoolctl import threadpool_limits
from timing import clock

from lapwing import MultiViewKernel
from lapwing.kernels import RBF

VIEWS = [("left", RBF(8.0), slice(0, 32)), ("right", RBF(8.0), slice(32, 64))]


def measure(work: dict, rounds: int, timer) -> dict[str, float]:
    """Seconds of each piece (median), and the median excess over the Gram matrices."""
    times = {name: [] for name in work}
    for _ in range(rounds):
        for name, function in work.items():
            times[name].append(clock(function, timer))
    ratios = [
        (kernel - gram) / cholesky
        for kernel, gram, cholesky in zip(*(times[name] for name in work), strict=True)
    ]
    return {name: statistics.median(t) for name, t in times.items()} | {
        "ratio": statistics.median(ratios)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=4000)
    parser.add_argument("--labeled", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    X = np.random.default_rng(0).standard_normal((options.n, 64))
    labeled = X[: options.labeled]
    A = np.cov(X) + np.eye(options.n)
    work = {
        "kernel": lambda: MultiViewKernel(VIEWS, gammas=0.1).fit(X)(labeled),
        "Gram matrices": lambda: [kernel(X[:, columns]) for _, kernel, columns in VIEWS],
        "cho_factor": lambda: scipy.linalg.cho_factor(A),
    }
    for function in work.values():  # once unmeasured
        function()
    print(f"n = {options.n}, two views, l = {options.labeled}")
    report("all threads, wall clock", measure(work, options.rounds, time.perf_counter))
    with threadpool_limits(1):
        report("one thread, CPU time", measure(work, options.rounds, time.process_time))


def report(title: str, found: dict[str, float]) -> None:
    parts = ", ".join(f"{name} {found[name]:.2f} s" for name in found if name != "ratio")
    print(f"{title}: {parts}; (kernel − Gram matrices)/cho_factor = {found['ratio']:.2f} (≤ 3)")


if __name__ == "__main__":
    main()
