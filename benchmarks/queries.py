"""``next_to_label(5)`` against a fit with given settings, and twenty queries against random labels.

python benchmarks/queries.py --rows 5000
python benchmarks/queries.py --rows 100000 --regression
python benchmarks/queries.py --digits
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.datasets import make_blobs

from lapwing import LapRLSClassifier, LapRLSRegressor
from lapwing.datasets import load_digits
from lapwing.graphs import KNN
from lapwing.regularizers import Laplacian


def speed(n: int, regression: bool) -> None:
    X, truth = make_blobs(n, 12, centers=10, cluster_std=5.0, random_state=0)
    y = np.full(n, np.nan) if regression else np.full(n, -1)
    some = np.random.default_rng(0).permutation(n)[:100]
    y[some] = X[some, 0] if regression else truth[some]
    settings = {"regularizer": Laplacian(KNN(6), degree=2), "gamma_A": "rule", "gamma_I": "10*rule"}
    kind = LapRLSRegressor if regression else LapRLSClassifier
    model = kind(kernel="rbf", fit_intercept=False, **settings)
    start = time.process_time()
    model.fit(X, y)
    fit = time.process_time() - start
    start = time.process_time()
    asked = model.next_to_label(5)
    took = time.process_time() - start
    print(f"{kind.__name__}, {n} rows: fit {fit:.2f} s, next_to_label(5) {took:.2f} s", end="")
    print(f", ratio {took / fit:.3f}; rows {asked.tolist()}")


def digits(seeds: int) -> None:
    """Errors at rows without a label after 20 labels more than one per class."""
    better = 0
    for seed in range(seeds):
        X, _, truth = load_digits(random_state=seed)
        draw = np.random.default_rng(seed)
        first = [int(draw.choice(np.flatnonzero(truth == c))) for c in range(10)]
        errors = []
        for asks in (True, False):
            y = np.full(len(X), -1)
            y[first] = truth[first]
            for _ in range(4):
                model = LapRLSClassifier().fit(X, y)
                rows = (
                    model.next_to_label(5) if asks else draw.permutation(np.flatnonzero(y < 0))[:5]
                )
                y[rows] = truth[rows]
            model = LapRLSClassifier().fit(X, y)
            errors.append(float(np.mean(model.transduction_[y < 0] != truth[y < 0])))
        better += errors[0] < errors[1]
        print(f"seed {seed}: asked {errors[0]:.4f}, random {errors[1]:.4f}", flush=True)
    print(f"queries are better in {better} of {seeds} seeds")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--regression", action="store_true")
    parser.add_argument("--digits", action="store_true")
    parser.add_argument("--seeds", type=int, default=10)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.digits:
        digits(arguments.seeds)
    else:
        speed(arguments.rows, arguments.regression)


if __name__ == "__main__":
    main()
