"""MV's claim that CoMR at a = ½ beats MR, on the two views of WebKB, each by itself.

    python -m lapwing.reproduce.mv.comr --data DIRECTORY [--draws 100]

Transductive error at the precision–recall break-even point with 12 labels (3 + 9). γ_A, γ_I and
the graph are MR's printed ones for all methods. MV does not print its λ: CoMR has the library's
automatic coupling (γ_C = γ_I), and beside it λ = 10 γ_A, the coupling of the two-view experiment.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ...estimators import CoMRClassifier, LapRLSClassifier
from ...exceptions import UnreachedWarning
from ...graphs import KNN
from ...regularizers import Laplacian
from .draws import HERE, draw, error_at_break_even, report
from .webkb import GAMMA_A, LABELS, LAMBDA, SMOOTHNESS, WebKB

FIRST_SEED = 20_000  # other draws than those on which this comparison was first tried


def methods(n: int) -> dict:
    M = Laplacian(KNN(15, weight="cosine", metric="cosine"), degree=3)
    view = [("view", "linear", slice(None), M)]
    common = {"gamma_A": GAMMA_A, "gamma_I": SMOOTHNESS * n**2}
    return {
        "MR": LapRLSClassifier(kernel="linear", regularizer=M, fit_intercept=True, **common),
        "CoMR, a = 1/2": CoMRClassifier(view, a_I=0.5, **common),
        "CoMR, a = 1/2, λ = 10 γ_A": CoMRClassifier(view, a_I=0.5, gamma_C=LAMBDA * n**2, **common),
    }


def transduction_error(model, X, y: np.ndarray, truth: np.ndarray) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachedWarning)  # rows without words reach nobody
        model.fit(X, y)
    rest = y == -1
    return error_at_break_even(model.decision_function(X)[rest], truth[rest] == 1)


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="the directory with webkb_course.npz")
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--output", type=Path, default=HERE, help="where results are written")
    options = parser.parse_args(arguments)
    data = WebKB(options.data)
    for name, columns in data.columns.items():
        X = sp.csr_array(data.X[:, columns])
        found: dict[str, list[float]] = {}
        for i in range(options.draws):
            labelled = draw(data.y, LABELS, FIRST_SEED + i)
            y = np.full(len(data.y), -1)
            y[labelled] = data.y[labelled]
            for method, model in methods(len(y)).items():
                error = transduction_error(model, X, y, data.y)
                found.setdefault(method, []).append(error)
            sys.stderr.write(f"\r{name}: draw {i + 1} of {options.draws}   ")
        errors = {method: np.array(values) for method, values in found.items()}
        for row in report(errors, ["MR"], options.output / f"results_comr_{name}.csv"):
            print("  ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
