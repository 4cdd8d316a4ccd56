"""The problems of compare_peers.py: n ↦ X, y of the first n rows (−1: unlabeled) and the truth.

Rows after the n-th are unseen.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import make_classification
from sklearn.preprocessing import normalize

MNIST = "LAPWING_MNIST"  # the environment's name for the file: X (70000, 784) and y


def labeled(truth: np.ndarray, n: int, per_class: int) -> np.ndarray:
    """y over the first n rows, with a few labels of each class."""
    random, y = np.random.default_rng(0), np.full(n, -1)
    for c in np.unique(truth):
        y[random.choice(np.flatnonzero(truth[:n] == c), per_class, replace=False)] = c
    return y


def clouds(n: int):
    """Five overlapping Gaussian clouds in 30 columns, 50 labels."""
    X, truth = make_classification(
        n + n // 10, 30, n_informative=15, n_redundant=5, n_classes=5, n_clusters_per_class=1,
        class_sep=1.5, random_state=0,
    )  # fmt: skip
    return X, labeled(truth, n, 10), truth


def surfaces(n: int, d: int = 30):
    """Five curved surfaces of three dimensions each, with noise, 50 labels."""
    random, m = np.random.default_rng(0), n + n // 10
    truth, X = random.integers(0, 5, m), np.empty((m, d))
    for c in range(5):
        own, rows = np.random.default_rng(100 + c), truth == c
        bend, phase = 1.5 * own.normal(size=(3, 12)), own.uniform(0, 2 * np.pi, 12)
        spread, center = own.normal(size=(12, d)) / 3, 0.35 * own.normal(size=d)
        u = random.uniform(-1, 1, (int(rows.sum()), 3))
        X[rows] = np.sin(u @ bend + phase) @ spread + center
    return X + 0.15 * random.normal(size=X.shape), labeled(truth, n, 10), truth


def wide(n: int):
    """The same in 50 columns: up to a million rows."""
    return surfaces(n, 50)


def mnist(n: int):
    """MNIST's first n rows, 100 labels; the rest is unseen."""
    path = Path(os.environ.get(MNIST, ""))
    if not path.is_file():
        raise FileNotFoundError(f"MNIST: set {MNIST} to an .npz file with X and y")
    with np.load(path) as data:
        X, truth = data["X"].reshape(len(data["y"]), -1).astype(float), data["y"].astype(int)
    return X, labeled(truth, n, 10), truth


def documents(n: int):
    """Rows of 20,000 columns, 0.2 % filled: two topics, 100 labels.

    Three words of ten are among 500 of the row's topic, so that rows of one topic share some.
    """
    random, m = np.random.default_rng(0), n + n // 10
    truth = random.integers(0, 2, m)
    columns = random.integers(0, 20_000, (m, 40))
    own = random.random((m, 40)) < 0.3
    columns[own] = (columns % 500 + 10_000 * truth[:, None])[own]
    rows = np.repeat(np.arange(m), 40)
    X = sp.csr_array((np.ones(rows.size), (rows, columns.ravel())), shape=(m, 20_000))
    return sp.csr_array(normalize(X)), labeled(truth, n, 50), truth


def ten(n: int):
    """Ten Gaussian classes in 64 columns, 100 labels, for exact fits."""
    random = np.random.default_rng(0)
    m, centers = n + n // 10, 6.0 * random.normal(size=(10, 64))
    truth = random.integers(0, 10, m)
    X = centers[truth] + 6.0 * random.normal(size=(m, 64))
    return X, labeled(truth, n, 10), truth


PROBLEMS = {
    "clouds": clouds,
    "surfaces": surfaces,
    "wide": wide,
    "mnist": mnist,
    "documents": documents,
    "ten": ten,
}
