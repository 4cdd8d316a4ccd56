"""One more label with ``warm_start=True``, against a first fit with given settings.

Prints the CPU seconds (one thread: OMP_NUM_THREADS=1) of a fresh fit, of a first warm fit and of
one more label (median and worst of twenty), the worst certificate, and how far the warm readout is
from that of a fresh fit, over the largest readout. Fresh fits are timed twice, and the faster one
counts. Rows lie on a noisy surface in space, in clusters of twelve dimensions, or are
images (70,000 of MNIST where at hand).

    python benchmarks/warm_start.py --rows 100000 --kind clusters
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import make_blobs, make_swiss_roll
from sklearn.decomposition import PCA

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.regularizers import Laplacian

MNIST = Path(__file__).parents[2] / "shared" / "data" / "mnist.npz"


def rows(kind: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    if kind == "surface":
        X, at = make_swiss_roll(n, noise=0.3, random_state=0)
        return X, np.digitize(at, [6.0, 8.0, 10.0, 12.0])
    if kind == "images":
        data = np.load(MNIST)
        return PCA(50, random_state=0).fit_transform(data["X"][:n].astype(float)), data["y"][:n]
    return make_blobs(n, 12, centers=10, cluster_std=5.0, random_state=0)


def timed(call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--labels", type=int, default=100)
    parser.add_argument("--kind", choices=["surface", "clusters", "images"], default="clusters")
    parser.add_argument("--space", default="auto")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    X, truth = rows(arguments.kind, arguments.rows)
    order = np.random.default_rng(0).permutation(len(X))
    y = np.full(len(X), -1)
    y[order[: arguments.labels]] = truth[order[: arguments.labels]]
    settings = {
        "kernel": "rbf",
        "regularizer": Laplacian(KNN(6), degree=2),
        "gamma_A": "rule",
        "gamma_I": "10*rule",
        "fit_intercept": False,
        "space": arguments.space,
    }
    fresh, warm = LapRLSClassifier(**settings), LapRLSClassifier(**settings, warm_start=True)
    fit = min(timed(lambda: fresh.fit(X, y)) for _ in range(2))
    first = timed(lambda: warm.fit(X, y))
    more, worst = [], 0.0
    for row in order[arguments.labels : arguments.labels + 20]:
        y[row] = truth[row]
        more.append(timed(lambda: warm.fit(X, y)))
        worst = max(worst, warm.solution_.optimality)
    fresh.fit(X, y)
    graph = len(fresh.solution_.coef) == len(X) and fresh.extension_ is not None
    a, b = (
        model.solution_.coef if graph else model.decision_function(X) for model in (warm, fresh)
    )
    one = float(np.median(more))
    print(f"{arguments.kind}, {len(X)} rows, {arguments.labels} labels")
    print(f"fresh fit {fit:.2f} s, first warm fit {first:.2f} s, one more label {one:.3f} s")
    print(f"one more label / fresh fit = {one / fit:.4f}, the worst {max(more) / fit:.4f}")
    print(f"worst certificate {worst:.1e}")
    print(f"largest difference / largest readout = {np.abs(a - b).max() / np.abs(b).max():.1e}")


if __name__ == "__main__":
    main()
