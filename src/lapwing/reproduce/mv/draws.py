"""What both experiments share: label draws, one small machine per draw, paired comparison."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.stats import ttest_rel, wilcoxon

from ...estimators import LapRLSClassifier

HERE = Path(__file__).parent
Scores = Callable[[np.ndarray, np.ndarray], float]


def draw(y: np.ndarray, per_class: dict, seed: int) -> np.ndarray:
    """Labelled rows: so many of each class, another choice for each seed."""
    rng = np.random.default_rng(seed)
    return np.concatenate(
        [rng.choice(np.flatnonzero(y == c), k, replace=False) for c, k in per_class.items()]
    )


def error_at_break_even(scores: np.ndarray, positive: np.ndarray) -> float:
    """Percent wrong when as many rows are called positive as there are: precision = recall."""
    top = np.argsort(-scores, kind="stable")[: positive.sum()]
    return 200.0 * (positive.sum() - positive[top].sum()) / len(positive)


def least_squares(K: np.ndarray, labelled: np.ndarray, y: np.ndarray) -> np.ndarray:
    """MV (4) with squares in the space of K, at γ = 1, with an intercept: values at all rows.

    The kernel holds all unlabelled data, so each draw is a problem of the labelled rows alone.

    Parameters
    ----------
    K : array of shape (n, n)
        k̃ over all rows; only the labelled columns are read.
    """
    machine = LapRLSClassifier(kernel="precomputed", gamma_A=1.0, gamma_I=0.0, fit_intercept=True)
    machine.fit(K[np.ix_(labelled, labelled)], y[labelled])
    return machine.decision_function(K[:, labelled])


def run(kernels: dict, y: np.ndarray, draws: list[np.ndarray], score: Scores) -> dict:
    """{method: errors, one per draw} on the unlabelled rows; kernels are computed one by one."""
    errors = {}
    for name, make in kernels.items():
        sys.stderr.write(f"\r{name}: the kernel                         ")
        K = make()
        errors[name] = np.empty(len(draws))
        for i, labelled in enumerate(draws):
            rest = np.setdiff1d(np.arange(len(y)), labelled)
            values = least_squares(K, labelled, y)
            errors[name][i] = score(values[rest], y[rest])
            sys.stderr.write(f"\r{name}: draw {i + 1} of {len(draws)}            ")
    sys.stderr.write("\n")
    return errors


def report(errors: dict, single: list[str], path: Path) -> list[dict]:
    """Means, and each method against the best single view by paired tests; written as CSV."""
    best = min(single, key=lambda name: errors[name].mean())
    rows = []
    for name, found in errors.items():
        row = {
            "method": name,
            "error %": f"{found.mean():.2f}",
            "std": f"{found.std(ddof=1):.2f}",
            "draws": len(found),
            "against": best,
        }
        if name != best:
            wins, losses = int((found < errors[best]).sum()), int((found > errors[best]).sum())
            row |= {
                "wins": wins,
                "losses": losses,
                "paired t p": f"{ttest_rel(found, errors[best]).pvalue:.1e}",
                "wilcoxon p": f"{wilcoxon(found, errors[best]).pvalue:.1e}",
            }
        rows.append(row)
    fields = ["method", "error %", "std", "draws", "against", "wins", "losses"]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*fields, "paired t p", "wilcoxon p"])
        writer.writeheader()
        writer.writerows(rows)
    return rows
