"""What each answer of a fitted model costs, in fits with given settings; CPU time.

Two moons in ten columns, sixty labels, and new rows beside the old ones. Each answer is asked of a
new fit, so that nothing is kept from the answer before. The goal is 1 for every answer but
``compare``: at most three default fits. Run with one thread (OMP_NUM_THREADS=1).

    python benchmarks/answer_cost.py [--n 500 5000] [--new 1000] [--compare]
        [--how exact graph csr alone] [--family scalar vector views eigen structured]

``exact``: functions of a kernel. ``graph``: values on the points, the space of the default call.
``csr``: X is sparse, as words are. ``alone``: γ_I = 0. Where a run takes
less than half a second, the least of five counts. A star marks what costs more than a fit.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import make_moons

import lapwing
import lapwing.estimators
from lapwing.outputs import Ring

RULE: dict[str, Any] = {
    "kernel": "rbf",
    "regularizer": "laplacian",
    "gamma_A": 1e-6,
    "gamma_I": "rule",
}
GIVEN = RULE | {"fit_intercept": False}
HOW: dict[str, dict[str, Any]] = {
    "exact": {},
    "graph": {"space": "graph"},
    "csr": {},
    "alone": {"gamma_A": 1e-3, "gamma_I": 0.0, "regularizer": None},
}
VIEWS = {
    "gamma_A": 1e-6,
    "gamma_C": "rule",
    "views": [("left", "rbf", slice(0, 5)), ("right", "rbf", slice(5, 10))],
    "fit_intercept": False,
}
EIGEN = {"kernel": "rbf", "gamma_I": "rule"}
LABELS, SHORT, RUNS = 60, 0.5, 5

ANSWERS: dict[str, Callable] = {
    "predict(new)": lambda model, X, new: model.predict(new),
    "predict(new, abstain=0.9)": lambda model, X, new: model.predict(new, abstain=0.9),
    "predict(new, return_std=True)": lambda model, X, new: model.predict(new, return_std=True),
    "predict_interval(new)": lambda model, X, new: model.predict_interval(new),
    "predict_proba(new)": lambda model, X, new: model.predict_proba(new),
    "predict_proba(X)": lambda model, X, new: model.predict_proba(X),
    "novelty(new)": lambda model, X, new: model.novelty(new),
    "next_to_label(1)": lambda model, X, new: model.next_to_label(1),
    "next_to_label(5)": lambda model, X, new: model.next_to_label(5),
    "label_suspicion_": lambda model, X, new: model.label_suspicion_,
    "suspicious_labels_": lambda model, X, new: model.suspicious_labels_,
    "leave_one_out_interval_": lambda model, X, new: model.leave_one_out_interval_,
    "error_bound()": lambda model, X, new: model.error_bound(),
}
FAMILIES: dict[str, list[tuple[str, str, dict[str, Any]]]] = {
    "scalar": [
        ("LapRLSClassifier", "classes", GIVEN),
        ("LapSVC", "classes", GIVEN),
        ("LapLogisticClassifier", "classes", GIVEN),
        ("LapRLSRegressor", "numbers", GIVEN),
    ],
    "vector": [
        ("VectorValuedClassifier", "sets", GIVEN | {"output_kernel": None}),
        ("VectorValuedRegressor", "several", GIVEN | {"output_kernel": None}),
    ],
    "views": [
        ("CoRLSClassifier", "classes", VIEWS),
        ("CoRLSRegressor", "numbers", VIEWS),
        ("CoMRClassifier", "classes", VIEWS | {"gamma_I": "rule"}),
    ],
    "eigen": [("LapS3LRegressor", "several", EIGEN)],
    "structured": [("StructuredLapSVC", "angles", RULE | {"output": Ring(8)})],
}


def timed(call: Callable) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def problem(n: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Rows and targets of each kind; −1 and NaN where there is no label."""
    rng = np.random.default_rng(0)
    moons, truth = make_moons(n, noise=0.1, random_state=0)
    X = np.c_[moons, 0.1 * rng.standard_normal((n, 8))]
    labeled = rng.choice(n, LABELS, replace=False)
    rest = np.setdiff1d(np.arange(n), labeled)
    turned = np.arctan2(moons[:, 1] - 0.25, moons[:, 0] - 0.5) / (2 * np.pi) * 8
    numbers = X[:, 0] + 0.05 * rng.standard_normal(n)
    several = moons + 0.05 * rng.standard_normal((n, 2))
    sets = np.c_[truth, moons[:, 0] > 0.5, moons[:, 1] > 0.25].astype(float)
    y = {"classes": truth.copy(), "angles": turned.round().astype(int) % 8}
    y |= {"numbers": numbers, "several": several, "sets": sets}
    for kind, values in y.items():
        values[rest] = -1 if kind in ("classes", "angles") else np.nan
    return X, y


def least(make: Callable, call: Callable) -> float:
    """The CPU time of ``call(make())``; the least of several where it is short."""
    spent: list[float] = []
    while not spent or (len(spent) < RUNS and spent[0] < SHORT):
        made = make()
        spent.append(timed(lambda: call(made))[0])  # noqa: B023
    return min(spent)


def costs(kind: str, settings: dict[str, Any], X, y, new) -> Iterator[tuple[str, float]]:
    """The seconds of a fit, and of each answer that the estimator has."""

    def fitted():
        return getattr(lapwing.estimators, kind)(**settings).fit(X, y)

    fitted()  # what is imported when first used is not counted
    yield "", least(lambda: None, lambda _: fitted())
    for name, answer in ANSWERS.items():
        try:
            answer(fitted(), X, new)
        except (AttributeError, TypeError, ValueError):
            continue  # this estimator has no such answer
        yield name, least(fitted, lambda model: answer(model, X, new))  # noqa: B023


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, nargs="+", default=[5000], help="rows")
    parser.add_argument("--new", type=int, default=1000, help="new rows")
    parser.add_argument("--how", nargs="+", choices=HOW, default=["exact"])
    parser.add_argument("--family", nargs="+", choices=FAMILIES, default=["scalar"])
    parser.add_argument("--compare", action="store_true", help="compare() too")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for n, how, family in product(options.n, options.how, options.family):
        X, targets = problem(n)
        X = sp.csr_array(X * (np.abs(X) > 0.1)) if how == "csr" else X
        new = X[: options.new] * 1.01
        for kind, target, settings in FAMILIES[family]:
            for name, spent in costs(kind, settings | HOW[how], X, targets[target], new):
                if not name:
                    unit = spent
                    print(f"{kind}, {how}: a fit of {n} rows takes {1e3 * unit:.1f} ms")
                else:
                    mark = "*" if spent > unit else " "
                    print(f" {mark} {name:30s} {spent / unit:5.2f} fits", flush=True)
        if options.compare:
            unit, _ = timed(lambda: lapwing.LapRLSClassifier().fit(X, targets["classes"]))  # noqa: B023
            model = lapwing.LapRLSClassifier()
            spent, _ = timed(lambda: lapwing.compare(model, X, targets["classes"]))  # noqa: B023
            print(f"compare(): {spent / unit:.2f} default fits of {unit:.1f} s")


if __name__ == "__main__":
    main()
