"""StructuredLapSVC.fit on newsgroups (700 points × 7 outputs) against one Cholesky of order 4000.

Both are timed in turns in one run, wall clock on all cores, and CPU time on one thread beside it.
The fit is the whole fit: kernel, graph, factors, cutting planes, transduction.

    python benchmarks/structured_vs_cholesky.py --data DIRECTORY [--pairs 5] [--labels 4]
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
import scipy.linalg
from lapwing_papers.so.__main__ import newsgroups_setting
from threadpoolctl import threadpool_limits
from timing import ratios

from lapwing import StructuredLapSVC
from lapwing.exceptions import UnreachedWarning
from lapwing_papers.so.data import Newsgroups


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--labels", type=int, default=4)
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    setting = newsgroups_setting()
    draw = Newsgroups(options.data).draw(0)
    y = draw.labels(options.labels)
    model = StructuredLapSVC(
        kernel=setting.kernel, output=setting.output, regularizer=setting.regularizer,
        gamma_A=setting.gamma_A, gamma_I=setting.gamma_I * len(y) ** 2,
    )  # fmt: skip
    B = np.random.default_rng(0).normal(size=(4000, 4000))
    A = B @ B.T + 4000.0 * np.eye(4000)
    warnings.simplefilter("ignore", UnreachedWarning)

    def fit():
        model.fit(draw.X_train, y)

    def cholesky():
        scipy.linalg.cholesky(A, lower=True, check_finite=False)

    fit()
    report = "{}: {:.2f} × one Cholesky of order 4000 ({:.2f} s against {:.2f} s)"
    print(report.format("wall clock", *ratios(fit, cholesky, options.pairs, time.perf_counter)))
    with threadpool_limits(1):
        found = ratios(fit, cholesky, options.pairs, time.process_time)
    print(report.format("CPU, one thread", *found))
    print(f"rounds {model.n_iter_}, certificate {model.solution_.optimality:.1e}")


if __name__ == "__main__":
    main()
