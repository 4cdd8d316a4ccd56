"""What an invariance buys: USPS with 50 labels, images shifted by one pixel.

    python benchmarks/invariance.py DIRECTORY [--splits 10] [--figure FILE]

DIRECTORY holds ``uspst_cz.npz``. Errors at the unlabeled rows, split by split: the kernel alone,
the shifts as ties between rows and their images, a Laplacian on the rows, and both. Weights are
those of the rule; nothing is tuned.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.inspection.canvas import axes_for
from lapwing.regularizers import Invariance, Laplacian, Shift

SHIFTS = [Shift((16, 16), down, right) for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1))]


def make_models(n_images: int) -> dict[str, LapRLSClassifier]:
    laplacian = Laplacian(KNN(), degree=2)
    images = Invariance(SHIFTS, max_points=n_images)
    return {
        "kernel alone": LapRLSClassifier(kernel="rbf", gamma_I=0.0),
        "shifts": LapRLSClassifier(kernel="rbf", regularizer=images),
        "Laplacian": LapRLSClassifier(kernel="rbf", regularizer=laplacian),
        "Laplacian + shifts": LapRLSClassifier(kernel="rbf", regularizer=laplacian + images),
    }


def errors(model: LapRLSClassifier, X, truth, labeled) -> list[float]:
    """In per cent, one for each split."""
    found = []
    for rows in labeled:
        y = np.full(len(truth), -1)
        y[rows] = truth[rows]
        hidden = y < 0
        wrong = model.fit(X, y).transduction_[hidden] != truth[hidden]
        found.append(100.0 * float(np.mean(wrong)))
    return found


def draw(table: dict[str, list[float]], path: Path) -> None:
    ax = axes_for(None, (6.4, 3.0))
    for i, values in enumerate(table.values()):
        ax.plot(values, np.full(len(values), i), "o", color="C0", alpha=0.4)
        ax.plot(np.mean(values), i, "|", color="black", markersize=16)
    ax.set_yticks(range(len(table)), list(table))
    ax.invert_yaxis()
    ax.set_xlim(left=0.0)
    ax.set_xlabel("error at the unlabeled rows in %: splits, and their mean")
    ax.set_title("USPS, 50 labels, shifts by one pixel")
    ax.figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--images", type=int, default=800)
    parser.add_argument("--figure", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    data = np.load(arguments.directory / "uspst_cz.npz")
    truth = np.unique(data["y"], return_inverse=True)[1]
    labeled = data["idxLabs"][: arguments.splits]
    table = {}
    for name, model in make_models(arguments.images).items():
        table[name] = errors(model, data["X"], truth, labeled)
        splits = " ".join(f"{value:4.1f}" for value in table[name])
        print(f"{name:24} {np.mean(table[name]):5.1f} %   {splits}", flush=True)
    if arguments.figure is not None:
        draw(table, arguments.figure)


if __name__ == "__main__":
    main()
