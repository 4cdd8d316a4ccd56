"""Which power of the Laplacian with few labels: the table of decision 132.

    python benchmarks/powers.py DATA [--tables KEEL] [--seeds 3] [--each 1 2 5]

Every set of selection_sets.py, and every table, with so many labels of each class; the default's
kernel, frame and weights, at most 700 rows. Mean errors on the unlabeled rows in %, and in how
many sets each is the best.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from selection_sets import SETS, rows_of
from selection_tables import read, tables

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import LaplacianPolynomial
from lapwing.selection.frames import few_entries, frames

ROWS = 700
POWERS = {
    "L": (0.0, 1.0),
    "L²": (0.0, 0.0, 1.0),
    "L + L²": (0.0, 1.0, 1.0),
    "0.3 L + 0.85 L²": (0.0, 0.3, 0.85),
    "0.1 L + L²": (0.0, 0.1, 1.0),
    "0.03 L + L²": (0.0, 0.03, 1.0),
}


def points(name: str, data: Path, seed: int):
    """Rows of a set and their classes; words, which have a power of their own, are left out."""
    problem = SETS[name]
    if hasattr(problem, "directory"):
        X, truth = read(problem.directory / f"{problem.name}.dat")
    elif problem.group == "goals":
        X, _, truth = problem.draw(data, seed)
    else:
        X, truth = problem.make(data, np.random.default_rng([seed, 1]))
    if few_entries(X):
        return None
    return rows_of(X, truth, np.random.default_rng([seed, 3]), ROWS)


def errors(X, truth, each: int, seed: int) -> list[float]:
    draw, y = np.random.default_rng([seed, 4]), np.full(len(truth), -1)
    for c in np.unique(truth):
        rows = draw.permutation(np.flatnonzero(truth == c))[:each]
        y[rows] = c
    rest, frame, found = y < 0, frames(X)[0], []
    for coefficients in POWERS.values():
        M = LaplacianPolynomial(frame.graph(KNN(6)), coefficients)
        model = LapRLSClassifier(
            kernel=frame.kernel(RBF("local")), regularizer=M, gamma_A="rule", gamma_I="10*rule",
            fit_intercept=False,
        )  # fmt: skip
        found.append(float(np.mean(model.fit(X, y).transduction_[rest] != truth[rest])))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--each", type=int, nargs="+", default=[1, 2, 5])
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.tables:
        SETS.update(tables(given.tables))
    print("| labels of each class | sets | " + " | ".join(POWERS) + " |")
    print("|---" * (2 + len(POWERS)) + "|")
    for each in given.each:
        means = []
        for name in SETS:
            drawn = [points(name, given.data, seed) for seed in range(given.seeds)]
            if drawn[0] is not None:
                found = [errors(*both, each, seed) for seed, both in enumerate(drawn) if both]
                means.append(np.mean(found, axis=0))
        M = 100 * np.array(means)
        best = np.bincount(M.argmin(axis=1), minlength=len(POWERS))
        cells = " | ".join(f"{e:.1f} ({b})" for e, b in zip(M.mean(axis=0), best, strict=True))
        print(f"| {each} | {len(M)} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
