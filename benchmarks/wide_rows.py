"""Neighbors of wide rows: in all columns, or along 50 principal axes?

The default call on sets of more than 100 dense columns, and with ``--sparse`` on CSR rows. Each
line has the mean errors in %, at unlabeled and at unseen rows, of both ways, and the differences of
the draws (decision 0110). The last line has the means over all lines.

    python benchmarks/wide_rows.py DATA [NAMES ...] [--rows 1200] [--labels 3 10] [--draws 3]
                                   [--sparse]
"""

from __future__ import annotations

import argparse
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from selection_sets import gaussians, misleading, newsgroups, rcv1, scene, stored
from sklearn.utils.extmath import randomized_svd

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.selection import framed

UNSEEN = 300
ROWS = 1500


def embeddings(d: int, nuisance: int):
    """Ten classes along eight directions; the nuisance has three times their spread."""

    def make(data, draw):
        centers, truth = 1.6 * draw.normal(size=(10, 8)), draw.integers(0, 10, ROWS)
        inner = centers[truth] + draw.normal(size=(ROWS, 8))
        Z = np.hstack([inner, 3.0 * draw.normal(size=(ROWS, nuisance))])
        way = np.linalg.qr(draw.normal(size=(d, Z.shape[1])))[0]
        return Z @ way.T + 0.3 * draw.normal(size=(ROWS, d)), truth

    return make


def uneven(data, draw):
    """120 columns that tell four classes, and 15 of three times the spread that do not."""
    truth = draw.integers(0, 4, ROWS)
    inner = 0.5 * draw.normal(size=(4, 120))[truth] + draw.normal(size=(ROWS, 120))
    return np.hstack([inner, 3.0 * draw.normal(size=(ROWS, 15))]), truth


def spectra(data, draw):
    """Five mixtures of six peaks, shifted, on a slanted ground."""
    x, truth = np.linspace(0, 1, 400), draw.integers(0, 5, ROWS)
    place, height = draw.uniform(0.1, 0.9, (5, 6, 1)), draw.uniform(0.3, 1, (5, 6))
    moved = x - place[truth] - draw.normal(0, 0.01, (ROWS, 1, 1))
    height = height[truth] * draw.uniform(0.7, 1.3, (ROWS, 6))
    X = np.einsum("np,npx->nx", height, np.exp(-0.5 * (moved / 0.02) ** 2))
    ground = draw.normal(0, 0.5, (ROWS, 2))
    return X + ground[:, :1] + ground[:, 1:] * x + 0.05 * draw.normal(size=X.shape), truth


def curves(data, draw):
    """Five curves in 200 dimensions, with noise."""
    truth, u = draw.integers(0, 5, ROWS), draw.uniform(0, 1, ROWS)
    way = draw.normal(size=(5, 6, 200))
    waves = np.sin(np.pi * np.outer(u, np.arange(1, 7))) / np.arange(1, 7)
    return np.einsum("nk,nkd->nd", waves, way[truth]) + 0.2 * draw.normal(size=(ROWS, 200)), truth


def log_counts(data, draw):
    """Counts of 500 genes in six kinds of cells, as logarithms of shares."""
    truth, d = draw.integers(0, 6, ROWS), 500
    fold = np.exp(1.2 * draw.normal(size=(6, d)) * (draw.random((6, d)) < 0.05))
    share = draw.gamma(0.5, 1, d) * fold
    share /= share.sum(axis=1, keepdims=True)
    counts = draw.poisson(share[truth] * np.exp(draw.normal(7, 0.5, (ROWS, 1))))
    return np.log1p(1e3 * counts / counts.sum(axis=1, keepdims=True)), truth


def bits(data, draw):
    """315 rare properties of four classes."""
    truth = draw.integers(0, 4, ROWS)
    often = draw.beta(0.3, 6, 315) * np.exp(draw.normal(0, 0.7, (4, 315)))
    return (draw.random((ROWS, 315)) < np.clip(often, 0, 0.9)[truth]).astype(float), truth


NEWS = ["comp.graphics", "rec.autos", "sci.med", "talk.politics.guns"]
DENSE = {
    "usps": stored("usps"),
    "uspst, Chapelle and Zien": stored("uspst_cz"),
    "mnist": stored("mnist"),
    "isolet, 10 letters": stored("isolet", classes=range(1, 11)),
    "isolet": stored("isolet"),
    "scene": scene,
    "mfeat, pixels": stored("mfeat", "pix"),
    "mfeat, profiles": stored("mfeat", "fac"),
    "g241c": lambda data, draw: gaussians(data, draw, 241, 2.5, ROWS),
    "g241d": misleading,
    "embeddings, 128": embeddings(128, 15),
    "embeddings, 384": embeddings(384, 15),
    "embeddings, no nuisance": embeddings(384, 0),
    "uneven columns": uneven,
    "spectra": spectra,
    "curves": curves,
    "log counts": log_counts,
}
SPARSE = {
    "log counts": log_counts,
    "mnist": stored("mnist"),
    "bits": bits,
    "newsgroups": newsgroups(NEWS),
    "newsgroups, close": newsgroups(["comp.sys.mac.hardware", "comp.sys.ibm.pc.hardware"]),
    "webkb, pages": stored("webkb_course", "page"),
    "webkb, links": stored("webkb_course", "link"),
    "rcv1": rcv1,
}


class Along(KNN):
    """Neighbors along 50 axes, of CSR rows too."""

    def build(self, X):
        if sp.issparse(X) and X.shape[1] > 100:
            X = X @ randomized_svd(X, 50, n_iter=4, random_state=0)[2].T
        return KNN(self.n_neighbors, components=self.components).build(np.asarray(X))


@contextmanager
def ways(axes: bool, sparse: bool):
    """The search with or without axes."""
    kept = framed.KNN, framed.axes_of
    if sparse:
        framed.KNN = Along if axes else KNN
    elif not axes:
        framed.axes_of = lambda X: None
    try:
        yield
    finally:
        framed.KNN, framed.axes_of = kept


def problem(make, data: Path, rows: int, per_class: int, seed: int, sparse: bool):
    """X, y with −1 where unlabeled, the truth, and 300 unseen rows with theirs."""
    X, truth = make(data, np.random.default_rng([seed, 1]))
    X = sp.csr_matrix(X) if sparse else X
    order = np.random.default_rng([seed, 5]).permutation(len(truth))
    new, known = order[:UNSEEN], order[UNSEEN : UNSEEN + rows]
    y, draw = np.full(len(known), -1), np.random.default_rng([seed, 2])
    for c in np.unique(truth):
        y[draw.permutation(np.flatnonzero(truth[known] == c))[:per_class]] = c
    return X[known], y, truth[known], X[new], truth[new]


def errors(X, y, truth, new, answers) -> list[float]:
    model = LapRLSClassifier().fit(X, y)
    own = np.mean(model.transduction_[y < 0] != truth[y < 0])
    return [100 * own, 100 * np.mean(model.predict(new) != answers)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rows", type=int, default=1200)
    parser.add_argument("--labels", type=int, nargs="*", default=[3, 10])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--sparse", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sets, means = SPARSE if options.sparse else DENSE, []
    for name in options.names or sets:
        for per_class in options.labels:
            found = []
            for seed in range(options.draws):
                drawn = problem(
                    sets[name], options.data, options.rows, per_class, seed, options.sparse
                )
                for axes in (False, True):
                    with ways(axes, options.sparse):
                        found.append(errors(*drawn))
            both = np.array(found).reshape(-1, 2, 2)
            means.append(both.mean(axis=0))
            (own, new), (own_axes, new_axes) = means[-1]
            each = " ".join(f"{d:+.1f}" for d in both[:, 1, 0] - both[:, 0, 0])
            print(
                f"{name:26s} {len(drawn[1]):5d} rows {drawn[0].shape[1]:5d} columns "
                f"{per_class:2d} labels  "
                f"all {own:5.1f} axes {own_axes:5.1f} ({each})  unseen {new:5.1f} {new_axes:5.1f}",
                flush=True,
            )
    apart = np.diff(means, axis=1)[:, 0]
    spread = apart.std(axis=0) / np.sqrt(len(apart))
    print("axes less all, unlabeled and unseen:", apart.mean(axis=0).round(2), "±", spread.round(2))


if __name__ == "__main__":
    main()
