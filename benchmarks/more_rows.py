"""More unlabeled rows of one distribution must not make the default call worse.

Noisy moons (``make_moons(n, noise=0.1)``), 1, 3 and 10 labels per class, several draws: errors in %
at the unlabeled rows and at unseen ones. With ``--limits``, on the same rows, at 0.98 and 1.02 of
each number of rows at which the default call changes its way: 1,000 rows rank frames, 2,000 have
conjugate gradients to the last digit, 8,000 were the largest exact fit, transforms of the points
and widths come from 10,000, new rows learn from 30,000. ``--sets`` names other sets: swiss, blobs,
scales, embeddings, counts (CSR), and with ``--data`` mnist and news (CSR). ``--given`` types a
kernel and γ_A, so that the space changes at 8,000 rows.

    python benchmarks/more_rows.py [--sizes 500 2000 6000 8001 20000 100000] [--draws 3] [--limits
        [1000 2000 8000 10000 30000]] [--sets moons ...] [--labels 1 3 10] [--data DATA] [--given]
"""

from __future__ import annotations

import argparse
import time
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import make_blobs, make_moons, make_swiss_roll
from sklearn.feature_extraction.text import TfidfVectorizer

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.regularizers import Laplacian

UNSEEN = 2000
GIVEN = {"kernel": "rbf", "regularizer": Laplacian(KNN()), "gamma_A": 1e-6}


def moons(n, draw):
    return make_moons(n, noise=0.1, random_state=draw.integers(1 << 30))


def swiss(n, draw):
    X, t = make_swiss_roll(n, noise=0.3, random_state=draw.integers(1 << 30))
    return X, np.digitize(t, np.quantile(t, [0.33, 0.67]))


def blobs(n, draw):
    return make_blobs(n, 5, centers=5, cluster_std=2.5, random_state=draw.integers(1 << 30))


def scales(n, draw):
    """Blobs in units that differ by three decades, beside five columns of noise."""
    X, truth = blobs(n, draw)
    X = np.hstack([X, draw.normal(size=(n, 5))])
    return X * 10.0 ** draw.uniform(0, 3, X.shape[1]), truth


def embeddings(n, draw, d=384, nuisance=15):
    """Ten classes along eight directions of 384; the nuisance has three times their spread."""
    centers, truth = 2.5 * draw.normal(size=(10, 8)), draw.integers(0, 10, n)
    Z = np.hstack([centers[truth] + draw.normal(size=(n, 8)), 3 * draw.normal(size=(n, nuisance))])
    way = np.linalg.qr(draw.normal(size=(d, Z.shape[1])))[0]
    return Z @ way.T + 0.3 * draw.normal(size=(n, d)), truth


def counts(n, draw, d=500):
    """Log counts of 500 genes in six kinds of cells."""
    truth = draw.integers(0, 6, n)
    fold = np.exp(1.2 * draw.normal(size=(6, d)) * (draw.random((6, d)) < 0.05))
    share = draw.gamma(0.5, 1, d) * fold
    share /= share.sum(axis=1, keepdims=True)
    depth = np.exp(draw.normal(7, 0.5, (n, 1)))
    return sp.csr_matrix(np.log1p(draw.poisson(share[truth] * depth))), truth


SETS = {f.__name__: f for f in (moons, swiss, blobs, scales, embeddings, counts)}


def of_file(data: Path, name: str):
    """Images of MNIST, or messages of 20 newsgroups in their six subjects, in a random order."""
    if name == "mnist":
        file = np.load(data / "mnist.npz")
        X, truth = file["X"], file["y"].astype(int)
    else:
        file = np.load(data / "20news_bydate_raw.npz")
        text, at = file["text"], file["offsets"]
        documents = [text[i:j].tobytes().decode("latin-1") for i, j in pairwise(at)]
        bodies = [d.partition("\n\n")[2] for d in documents]
        X = TfidfVectorizer(sublinear_tf=True, min_df=5, max_df=0.5, stop_words="english")
        X = sp.csr_matrix(X.fit_transform(bodies))
        subjects = [str(name).split(".")[0] for name in file["target_names"]]
        truth = np.unique(subjects, return_inverse=True)[1][file["y"]]

    def make(n, draw):
        rows = draw.permutation(X.shape[0])[:n]
        return (X[rows] if sp.issparse(X) else X[rows].astype(float)), truth[rows]

    return make


def labels(truth: np.ndarray, per_class: int, seed: int, among: int | None = None) -> np.ndarray:
    draw, y = np.random.default_rng(seed), np.full(len(truth), -1)
    for c in np.unique(truth):
        y[draw.choice(np.flatnonzero(truth[:among] == c), per_class, replace=False)] = c
    return y


def errors(X, y, truth, new, known, given: dict) -> tuple[float, float, float]:
    """In %, at unlabeled and at unseen rows, and CPU seconds."""
    start = time.process_time()
    model = LapRLSClassifier(**given).fit(X, y)
    spent, rest = time.process_time() - start, y < 0
    own = 100 * np.mean(model.transduction_[rest] != truth[rest])
    return own, 100 * np.mean(model.predict(new) != known), spent


def line(name: str, found: list[tuple[float, float, float]]) -> None:
    own, unseen, spent = np.array(found).T
    each = " ".join(f"{e:5.1f}" for e in own)
    print(
        f"{name}  {own.mean():5.1f} ({each})  unseen {unseen.mean():5.1f}  {spent.mean():6.2f} s",
        flush=True,
    )


def compare(name: str, make, sizes: list[int], per_class: int, draws: int, given: dict) -> None:
    """Errors on the first rows of one draw, with labels among the rows of the smallest size."""
    held: dict[int, list] = {n: [] for n in sizes}
    for seed in range(draws):
        X, truth = make(max(sizes) + UNSEEN, np.random.default_rng([seed, 3]))
        new, known = X[-UNSEEN:], truth[-UNSEEN:]
        y = labels(truth, per_class, seed, min(sizes))
        for n, found in held.items():
            found.append(errors(X[:n], y[:n], truth[:n], new, known, given))
    for n, found in held.items():
        line(f"{name:10s} {n:7d} rows, {per_class:2d} labels", found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--sizes", type=int, nargs="*", default=[500, 2000, 6000, 8001, 20000, 100000]
    )
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--limits", type=int, nargs="*")
    parser.add_argument("--sets", nargs="*", default=["moons"])
    parser.add_argument("--labels", type=int, nargs="*", default=[1, 3, 10])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--given", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    groups = [options.sizes]
    if options.limits is not None:
        limits = options.limits or [1000, 2000, 8000, 10000, 30000]
        groups = [[int(0.98 * limit), int(1.02 * limit)] for limit in limits]
    given = GIVEN if options.given else {}
    for name in options.sets:
        make = SETS[name] if name in SETS else of_file(options.data, name)
        for sizes in groups:
            for per_class in options.labels:
                compare(name, make, sizes, per_class, options.draws, given)


if __name__ == "__main__":
    main()
