"""LabelSets on Scene: 2^6 sets of labels that are never listed, with and without manifold.

SO has no such experiment; this one shows its machine on an output space searched label by label.

    python -m lapwing.reproduce.so.scene --data DIRECTORY [--repetitions 10]
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from ...estimators import StructuredLapSVC
from ...graphs import KNN
from ...kernels import RBF
from ...metrics.structured import structured_loss, zero_one_loss
from ...outputs import LabelSets
from ...regularizers import Laplacian
from .report import HERE, p_value

N_TRAIN, N_LABELLED = 1204, 100
GAMMA_A, GAMMA_I = 1e-4, 1e-3  # γ_I without 1/n²; looked at on seed 1000, not among the reported


def repetition(X: np.ndarray, Y: np.ndarray, seed: int) -> list[dict]:
    """Half of the images to train, 100 of them labelled; the other half unseen."""
    order = np.random.default_rng(seed).permutation(len(X))
    train, unseen = order[:N_TRAIN], order[N_TRAIN:]
    given = Y[train].astype(float)
    given[N_LABELLED:] = np.nan
    records = []
    for manifold in ("with", "without"):
        model = StructuredLapSVC(
            kernel=RBF(4.3), output=LabelSets(Y.shape[1]), gamma_A=GAMMA_A,
            gamma_I=GAMMA_I * N_TRAIN**2 if manifold == "with" else 0.0,
            regularizer=Laplacian(KNN(5), degree=2),
        ).fit(X[train], given)  # fmt: skip
        for rows, at in (("unlabelled", train[N_LABELLED:]), ("unseen", unseen)):
            for metric, value in _measures(model, X[at], Y[at]).items():
                record = {"manifold": manifold, "rows": rows, "metric": metric, "value": value}
                records.append(record)
    return records


def _measures(model: StructuredLapSVC, X: np.ndarray, Y: np.ndarray) -> dict[str, float]:
    found = model.predict(X)
    return {
        "hamming": structured_loss(Y, found, LabelSets(Y.shape[1])),
        "zero_one": zero_one_loss(Y, found),
        "auc": float(roc_auc_score(Y, model.decision_function(X), average="macro")),
    }


def load(directory) -> tuple[np.ndarray, np.ndarray]:
    scene = np.load(Path(directory) / "scene.npz", allow_pickle=False)
    return scene["X"].astype(float), scene["Y"].astype(int)


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--output", type=Path, default=HERE)
    options = parser.parse_args(arguments)
    X, Y = load(options.data)
    found: dict[tuple[str, str, str], list[float]] = {}
    for seed in range(options.repetitions):
        for r in repetition(X, Y, seed):
            found.setdefault((r["rows"], r["metric"], r["manifold"]), []).append(r["value"])
        sys.stderr.write(f"\rscene: repetition {seed + 1} of {options.repetitions} ")
    sys.stderr.write("\n")
    with (options.output / "results_scene.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["rows", "metric", "without", "with", "paired_t_p", "repetitions"])
        for rows, metric in dict.fromkeys(key[:2] for key in found):
            o, w = (np.array(found[rows, metric, m]) for m in ("without", "with"))
            line = [rows, metric, f"{o.mean():.4f}", f"{w.mean():.4f}"]
            writer.writerow([*line, f"{p_value(w, o):.1e}", len(w)])
            print(*line)


if __name__ == "__main__":
    main()
