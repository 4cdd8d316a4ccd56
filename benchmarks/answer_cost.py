"""What each answer of a fitted model costs, in fits with given settings; CPU time.

Two moons in ten columns, sixty labels, and new rows beside the old ones. Each answer is asked of a
new fit, so that nothing is kept from the answer before. The goal is 1 for every answer but
``compare``: at most three default fits. Run with one thread (OMP_NUM_THREADS=1).

    python benchmarks/answer_cost.py [--n 5000] [--new 1000] [--compare]
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import make_moons

from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC, compare

GIVEN: dict[str, Any] = {
    "kernel": "rbf",
    "regularizer": "laplacian",
    "gamma_A": 1e-6,
    "gamma_I": "rule",
    "fit_intercept": False,
}
LABELS = 60

EVERY: dict[str, Callable] = {
    "predict(new)": lambda model, new: model.predict(new),
    "novelty(new)": lambda model, new: model.novelty(new),
    "next_to_label(1)": lambda model, new: model.next_to_label(1),
    "label_suspicion_": lambda model, new: model.label_suspicion_,
}
CLASSES: dict[str, Callable] = {
    "error_bound()": lambda model, new: model.error_bound(),
    "predict_proba(new)": lambda model, new: model.predict_proba(new),
}
NUMBERS: dict[str, Callable] = {
    "predict(new, return_std=True)": lambda model, new: model.predict(new, return_std=True),
}


def timed(call: Callable) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def problem(n: int):
    """Rows, classes and numbers; −1 and NaN where there is no label."""
    rng = np.random.default_rng(0)
    moons, truth = make_moons(n, noise=0.1, random_state=0)
    X = np.c_[moons, 0.1 * rng.standard_normal((n, 8))]
    labeled = rng.choice(n, LABELS, replace=False)
    classes, numbers = np.full(n, -1), np.full(n, np.nan)
    classes[labeled] = truth[labeled]
    numbers[labeled] = X[labeled, 0] + 0.05 * rng.standard_normal(LABELS)
    return X, classes, numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=5000, help="rows")
    parser.add_argument("--new", type=int, default=1000, help="new rows")
    parser.add_argument("--compare", action="store_true", help="compare() too")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    X, classes, numbers = problem(options.n)
    new = X[: options.new] + 0.01
    asked = (
        (LapRLSClassifier, classes, EVERY | CLASSES),
        (LapSVC, classes, EVERY | CLASSES),
        (LapRLSRegressor, numbers, EVERY | NUMBERS),
    )
    for kind, y, answers in asked:
        kind(**GIVEN).fit(X[:1000], y[:1000])  # what is imported when first used is not counted
        unit = min(timed(lambda: kind(**GIVEN).fit(X, y))[0] for _ in range(3))  # noqa: B023
        print(f"{kind.__name__}: a fit of {options.n} rows takes {unit:.2f} s")
        for name, answer in answers.items():
            model = kind(**GIVEN).fit(X, y)
            spent, _ = timed(lambda: answer(model, new))  # noqa: B023
            print(f"  {name:30s} {spent / unit:5.2f} fits", flush=True)
    if options.compare:
        unit, _ = timed(lambda: LapRLSClassifier().fit(X, classes))
        spent, _ = timed(lambda: compare(LapRLSClassifier(), X, classes))
        print(f"compare(): {spent / unit:.2f} default fits of {unit:.1f} s")


if __name__ == "__main__":
    main()
