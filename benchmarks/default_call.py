"""The default call beside a fit with the settings that it chose, on images above the exact sizes.

Prints, for each draw of 100 labels, the errors on the unlabeled rows of the default call, of the
same estimator with the default graph and of one without a graph, and the seconds of the default
call over those of a fit with its choice given.

With ``--one-frame`` the kernel is given and rows lie in clusters: one frame remains, and the search
compares graphs and weights only. The goal is 1.3 times the CPU seconds of the fit (one thread).

    python benchmarks/default_call.py --draws 2
    python benchmarks/default_call.py --one-frame --rows 30000
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import make_blobs

from lapwing import LapRLSClassifier

MNIST = Path(__file__).parents[2] / "shared" / "data" / "mnist.npz"


def labeled(truth: np.ndarray, seed: int, n_labels: int) -> np.ndarray:
    """One label of each class, the rest at random; −1 elsewhere."""
    draw = np.random.default_rng(seed)
    first = [draw.choice(np.flatnonzero(truth == c)) for c in np.unique(truth)]
    rest = draw.permutation(np.setdiff1d(np.arange(len(truth)), first))[: n_labels - len(first)]
    rows = np.concatenate([first, rest])
    y = np.full(len(truth), -1)
    y[rows] = truth[rows]
    return y


def fitted(X, y, truth, **settings) -> tuple[LapRLSClassifier, float, float]:
    """The model, its errors in % on the unlabeled rows, and its seconds."""
    start = time.process_time()
    model = LapRLSClassifier(**settings).fit(X, y)
    seconds = time.process_time() - start
    hidden = y < 0
    return model, 100 * float(np.mean(model.transduction_[hidden] != truth[hidden])), seconds


def one_frame(n: int, n_labels: int, draws: int) -> None:
    """The default call with a given kernel over a fit with its choice given, on clusters."""
    for seed in range(draws):
        X, truth = make_blobs(n, 12, centers=10, cluster_std=5.0, random_state=seed)
        y = labeled(truth, seed, n_labels)
        model, errors, seconds = fitted(X, y, truth, kernel="rbf")
        _, _, given = fitted(X, y, truth, **model.selection_.choice)
        print(
            f"draw {seed}: kernel given {errors:.2f} % in {seconds:.1f} s, all settings given "
            f"{given:.1f} s (ratio {seconds / given:.2f})",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--rows", type=int, default=70_000)
    parser.add_argument("--labels", type=int, default=100)
    parser.add_argument("--one-frame", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.one_frame:
        one_frame(arguments.rows, arguments.labels, arguments.draws)
        return
    if not MNIST.exists():
        raise SystemExit(f"{MNIST.name} is not there: this benchmark needs the MNIST images.")
    data = np.load(MNIST)
    X, truth = data["X"][: arguments.rows].astype(float), data["y"][: arguments.rows]
    for seed in range(arguments.draws):
        y = labeled(truth, seed, arguments.labels)
        model, errors, seconds = fitted(X, y, truth)
        _, _, given = fitted(X, y, truth, **model.selection_.choice)
        rule = {"gamma_A": "rule", "fit_intercept": False}
        _, graph, _ = fitted(
            X, y, truth, kernel="rbf", regularizer="laplacian", gamma_I="rule", **rule
        )
        _, plain, _ = fitted(X, y, truth, kernel="rbf", gamma_I=0.0, **rule)
        print(
            f"draw {seed}: default call {errors:.2f} % in {seconds:.1f} s, its settings given "
            f"{given:.1f} s (ratio {seconds / given:.2f}); default graph {graph:.2f} %, "
            f"no graph {plain:.2f} %",
            flush=True,
        )


if __name__ == "__main__":
    main()
