"""Rare positives: 5 % of 400 rows, 10 labels, recall and precision at the unlabeled rows.

    python benchmarks/unequal_classes.py [--seeds 20] [--figure docs/benchmarks/unequal_classes.png]

Two problems: a digit against the others, and overlapping Gaussian clouds in 4 dimensions. Labels
are drawn at random with at least one of each class. Average precision judges the order of the
scores, whatever the threshold. Nothing is tuned on labels that are scored; the prior is the true
share, which a user is asked to know.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import average_precision_score
from sklearn.svm import SVC

from lapwing import LapRLSClassifier, LapSVC
from lapwing.inspection.canvas import axes_for

N, POSITIVES, LABELS = 400, 20, 10
PRIOR = {0: 0.95, 1: 0.05}


def digits(rng):
    X, y = load_digits(return_X_y=True)
    rare = rng.permutation(np.flatnonzero(y == 8))[:POSITIVES]
    rest = rng.permutation(np.flatnonzero(y != 8))[: N - POSITIVES]
    return X[np.r_[rare, rest]]


def clouds(rng):
    X = rng.standard_normal((N, 4))
    X[:POSITIVES] += 1.3
    return X


MODELS = {
    "SVC, balanced": lambda: SVC(class_weight="balanced"),
    "LapRLS": LapRLSClassifier,
    "LapRLS, balanced": lambda: LapRLSClassifier(class_weight="balanced"),
    "LapRLS, balanced, prior": lambda: LapRLSClassifier(class_weight="balanced", class_prior=PRIOR),
    "LapSVC, balanced": lambda: LapSVC(class_weight="balanced"),
    "LapSVC, balanced, prior": lambda: LapSVC(class_weight="balanced", class_prior=PRIOR),
}


def measures(truth, found, score) -> tuple[float, float, float, float]:
    hits = float(np.sum((found == 1) & (truth == 1)))
    recall, precision = hits / truth.sum(), hits / max(1, np.sum(found == 1))
    f1 = 2 * hits / (truth.sum() + np.sum(found == 1))
    return recall, precision, f1, average_precision_score(truth, score)


def asked(make, X, y) -> tuple[np.ndarray, np.ndarray]:
    """Answers and scores at the unlabeled rows."""
    hidden, model = y < 0, make()
    if isinstance(model, SVC):
        model.fit(X[~hidden], y[~hidden])
        return model.predict(X[hidden]), model.decision_function(X[hidden])
    model.fit(X, y)
    return model.transduction_[hidden], model.decision_function(X)[hidden]


def draw(results: dict, path: Path) -> None:
    ax = axes_for(None, (6.4, 4.4))
    for (problem, name), values in results.items():
        recall, precision, *_ = np.mean(values, axis=0)
        marker, color = "os"[problem == "clouds"], f"C{list(MODELS).index(name)}"
        label = name if problem == "digits" else None
        ax.plot(recall, precision, marker, color=color, markersize=9, label=label)
    ax.set(xlim=(0, 0.6), ylim=(0, 0.6), xlabel="recall", ylabel="precision")
    ax.set_title("5 % positives, 10 labels: circles digits, squares clouds")
    ax.legend(fontsize=8)
    ax.figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--figure", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    truth = (np.arange(N) < POSITIVES).astype(int)
    results: dict[tuple[str, str], list] = {}
    for problem in (digits, clouds):
        for name, make in MODELS.items():
            for seed in range(arguments.seeds):
                rng = np.random.default_rng(seed)
                X, y = problem(rng), np.full(N, -1)
                rows = np.r_[rng.permutation(N)[: LABELS - 1], rng.integers(POSITIVES)]
                y[rows] = truth[rows]
                values = measures(truth[y < 0], *asked(make, X, y))
                results.setdefault((problem.__name__, name), []).append(values)
            recall, precision, f1, order = np.mean(results[problem.__name__, name], axis=0)
            print(
                f"{problem.__name__:7} {name:26} recall {recall:.2f}  precision {precision:.2f}  "
                f"F1 {f1:.2f}  average precision {order:.2f}",
                flush=True,
            )
    if arguments.figure is not None:
        draw(results, arguments.figure)


if __name__ == "__main__":
    main()
