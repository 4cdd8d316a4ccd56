"""What an invariance buys: USPS with 50 labels, images shifted by one pixel.

    python benchmarks/invariance.py DIRECTORY [--splits 10]

DIRECTORY holds ``uspst_cz.npz``. Errors at the unlabelled rows, with and without a Laplacian.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.regularizers import Invariance, Laplacian, Shift

SHIFTS = [Shift((16, 16), down, right) for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1))]


def machines() -> dict[str, LapRLSClassifier]:
    images, laplacian = Invariance(SHIFTS, max_points=800), Laplacian(KNN(), degree=2)
    return {
        "kernel alone": LapRLSClassifier(kernel="rbf", gamma_I=0.0),
        "shifts": LapRLSClassifier(kernel="rbf", regularizer=images),
        "Laplacian": LapRLSClassifier(kernel="rbf", regularizer=laplacian),
        "both": LapRLSClassifier(kernel="rbf", regularizer=laplacian + images),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--splits", type=int, default=10)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    data = np.load(arguments.directory / "uspst_cz.npz")
    truth = np.unique(data["y"], return_inverse=True)[1]
    for name, model in machines().items():
        errors = []
        for rows in data["idxLabs"][: arguments.splits]:
            y = np.full(len(truth), -1)
            y[rows] = truth[rows]
            hidden = y < 0
            errors.append(np.mean(model.fit(data["X"], y).transduction_[hidden] != truth[hidden]))
        print(
            f"{name:13} {100 * np.mean(errors):5.1f} %  (worst {100 * max(errors):.1f})", flush=True
        )


if __name__ == "__main__":
    main()
