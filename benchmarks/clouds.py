"""The default call where rows have no neighbors: clouds in many dimensions, few labels.

    python benchmarks/clouds.py [--seeds 6] [--labels 5]

Errors on the unlabeled rows in %, beside SVC() on the labels and the default without its look
along the leading components (decision 127). g241c and g241d are drawn as Chapelle, Schölkopf and
Zien (2006) describe theirs; the channels are autoregressions of simulated signals.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from sklearn.svm import SVC

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian

PLAIN = {"kernel": RBF("local"), "gamma_A": "rule", "gamma_I": "10*rule", "fit_intercept": False}


def direction(random, d: int) -> np.ndarray:
    v = random.normal(size=d)
    return v / np.linalg.norm(v)


def two_clouds(random, d: int, apart: float, n: int):
    """Two normal clouds, one for each class."""
    X, truth = random.normal(size=(n, d)), np.repeat([0, 1], n // 2)
    X[truth == 1] += apart * direction(random, d)
    return X, truth


def against_clusters(random, d: int = 241, n: int = 1500):
    """Two clusters far apart, each of both classes."""
    first, second = np.zeros(d), 6.0 * direction(random, d)
    others = [center + 2.5 * direction(random, d) for center in (first, second)]
    centers = [first, second, *others]
    cloud = np.repeat(np.arange(4), n // 4)
    return random.normal(size=(n, d)) + np.array(centers)[cloud], (cloud > 1).astype(int)


def channels(random, n: int = 400, steps: int = 500, m: int = 39):
    """Three autoregressive coefficients of each of 39 mixed signals: spectra tell the class."""
    truth = random.integers(0, 2, n)
    base = random.normal([0.5, -0.1, -0.1], 0.15, size=(m, 3))
    mixing = np.eye(m) + 0.5 * random.normal(size=(m, m)) / 6
    shift = random.normal(0, 0.035, size=(m, 3)) * (random.random((m, 1)) < 0.3)
    X = np.empty((n, 3 * m))
    for i in range(n):
        A = base + shift * (2 * truth[i] - 1) + random.normal(0, 0.05, size=(m, 3))
        z, noise = np.zeros((steps, m)), random.normal(size=(steps, m))
        for s in range(3, steps):
            z[s] = (A * z[[s - 1, s - 2, s - 3]].T).sum(axis=1) + noise[s]
        z = z @ mixing
        past = np.stack([z[2:-1], z[1:-2], z[:-3]], axis=2)
        X[i] = np.ravel([np.linalg.lstsq(past[:, c], z[3:, c], rcond=None)[0] for c in range(m)])
    return X, truth


PROBLEMS = {
    "g241c": lambda random: two_clouds(random, 241, 2.5, 1500),
    "g241d": against_clusters,
    "two clouds, 100 dimensions": lambda random: two_clouds(random, 100, 3.0, 1000),
    "39 channels": channels,
}


def errors(X, truth, random, each: int) -> list[float]:
    rows = [random.permutation(np.flatnonzero(truth == c))[:each] for c in (0, 1)]
    y = np.full(len(truth), -1)
    y[np.concatenate(rows)] = truth[np.concatenate(rows)]
    rest, degree = y < 0, 2 if each >= 5 else 1
    before = LapRLSClassifier(regularizer=Laplacian(KNN(6), degree=degree), **PLAIN)
    found = [model.fit(X, y).transduction_ for model in (LapRLSClassifier(), before)]
    found.append(SVC().fit(X[~rest], y[~rest]).predict(X))
    return [100 * np.mean(answers[rest] != truth[rest]) for answers in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--labels", type=int, default=5, help="of each class")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| set | LapRLSClassifier() | in all columns | SVC() |\n|---|---|---|---|")
    for name, make in PROBLEMS.items():
        found = []
        for seed in range(given.seeds):
            random = np.random.default_rng([seed, 11])
            X, truth = make(random)
            found.append(errors((X - X.mean(0)) / X.std(0), truth, random, given.labels))
        print(f"| {name} | " + " | ".join(f"{e:.1f}" for e in np.mean(found, axis=0)) + " |")


if __name__ == "__main__":
    main()
