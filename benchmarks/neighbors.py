"""Neighbor search against its physical floors and scikit-learn, in one run.

    python benchmarks/neighbors.py                 # dense, sparse, approximate
    python benchmarks/neighbors.py --million       # 1,000,000 × 50, with the peak of memory
    python benchmarks/neighbors.py --text X.npz y.npy   # hubs: a tf-idf matrix and its classes

| measured | floor |
|---|---|
| exact search, dense | one float32 product of all pairs, in blocks |
| exact search, CSR | one sparse product X Xᵀ in blocks, with the ten largest of each row |
| approximate search | the exact search |
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize
from timing import clock, ratios

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.graphs.search import nearest
from lapwing.regularizers import Laplacian

K = 10


def clouds(n: int, d: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 3 * rng.normal(size=(200, d))[rng.integers(200, size=n)] + rng.normal(size=(n, d))


def surface(n: int, d: int = 50, latent: int = 4) -> np.ndarray:
    """A curved surface of a few dimensions, with noise."""
    rng = np.random.default_rng(0)
    phase = rng.uniform(-2, 2, size=(n, latent)) @ rng.normal(size=(latent, d))
    return np.cos(phase) + 0.02 * rng.normal(size=(n, d))


def documents(n: int, words: int = 20_000, density: float = 0.002) -> sp.csr_array:
    S = sp.random_array((n, words), density=density, random_state=np.random.default_rng(0))
    return sp.csr_array(normalize(sp.csr_array(S)))


def product(X: np.ndarray) -> None:
    """All inner products in float32, by blocks of 16 MB."""
    A = X.astype(np.float32)
    B, step = np.ascontiguousarray(A.T), max(2**22 // len(X), 16)
    out = np.empty((step, len(X)), np.float32)
    for first in range(0, len(X), step):
        part = A[first : first + step]
        np.matmul(part, B, out=out[: len(part)])


def sparse_product(S: sp.csr_array) -> None:
    """X Xᵀ in blocks, and the ten largest entries of each row."""
    T, step = sp.csr_array(S.T), max(2**23 // S.shape[0], 1)
    for first in range(0, S.shape[0], step):
        P = S[first : first + step] @ T
        for a, b in zip(P.indptr[:-1], P.indptr[1:], strict=True):
            row = P.data[a:b]
            if len(row) > K:
                np.argpartition(row, -K)[-K:]


def brute(X: np.ndarray) -> None:
    NearestNeighbors(n_neighbors=K, algorithm="brute").fit(X).kneighbors()


def show(name: str, ours, other, pairs: int) -> None:
    ratio, a, b = ratios(ours, other, pairs, time.process_time)
    print(f"{name:58s} {ratio:6.2f} ×   ({a:.2f} s against {b:.2f} s of CPU)", flush=True)


def dense_and_sparse(pairs: int, n: int) -> None:
    for X in (clouds(2_000, 64), clouds(n, 50), clouds(n // 3, 784)):
        name = f"exact {len(X)} × {X.shape[1]}"
        show(
            f"{name} / float32 products",
            lambda X=X: nearest(X, K, search="exact"),
            lambda X=X: product(X),
            pairs,
        )
        show(
            f"{name} / scikit-learn's brute force",
            lambda X=X: nearest(X, K, search="exact"),
            lambda X=X: brute(X),
            pairs,
        )
    X = clouds(n, 50)
    show(
        f"approximate / exact {len(X)} × 50",
        lambda: nearest(X, K, search="approximate"),
        lambda: nearest(X, K, search="exact"),
        pairs,
    )
    for m in (n // 2, 50_000):
        S = documents(m)
        show(
            f"CSR {m} × 20000 / sparse products and top 10",
            lambda S=S: nearest(S, K),
            lambda S=S: sparse_product(S),
            pairs,
        )


def million(n: int) -> None:
    X = surface(n)
    before = _peak()
    seconds = clock(lambda: print(KNN().build(X)), time.perf_counter)
    print(f"{n} × 50: {seconds:.0f} s, peak {_peak():.2f} GiB ({before:.2f} before)")


def hubs(X: sp.csr_array, y: np.ndarray, empty: int, seeds: int = 3) -> None:
    """Correct predictions with and without rows of zeros, five labels per class."""
    blank = sp.csr_array((empty, X.shape[1]))
    both = sp.csr_array(sp.vstack([X, blank]))
    graphs = {
        "tame (default)": KNN(),
        "keep": KNN(hubs="keep"),
        "mutual": KNN(hubs="keep", symmetrize="mutual"),
        "self-tuning": KNN(hubs="keep", weight="self-tuning"),
        "cosine": KNN(metric="cosine"),
    }
    print(f"{X.shape[0]} documents, without and with {empty} empty ones: correct, %")
    for name, graph in graphs.items():
        shares = [np.mean([_correct(A, y, graph, s) for s in range(seeds)]) for A in (X, both)]
        print(f"  {name:16s} {shares[0]:5.1f} {shares[1]:5.1f}", flush=True)


def _correct(X, y, graph, seed: int) -> float:
    rng, n = np.random.default_rng(seed), len(y)
    labeled = np.concatenate([rng.permutation(np.flatnonzero(y == c))[:5] for c in np.unique(y)])
    given = np.full(X.shape[0], -1)
    given[labeled] = y[labeled]
    model = LapRLSClassifier(
        kernel="linear",
        regularizer=Laplacian(graph, degree=2),
        gamma_A="rule",
        gamma_I="rule",
        fit_intercept=True,
    )
    told = model.fit(X, given).predict(X)[:n]
    return 100 * float(np.mean((told == y)[given[:n] < 0]))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=20_000)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--million", nargs="?", type=int, const=1_000_000)
    parser.add_argument("--text", nargs=2, metavar=("X.npz", "y.npy"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.million:
        million(options.million)
    elif options.text:
        X, y = sp.csr_array(sp.load_npz(options.text[0])), np.load(options.text[1])
        some = np.random.default_rng(0).permutation(len(y))[:2000]
        hubs(X[some], y[some], 20)
    else:
        dense_and_sparse(options.pairs, options.n)


if __name__ == "__main__":
    main()
