"""17 problems that packages bring along: series, movements, cells, genes, pages, animals.

Never looked at while the search was made; their errors were seen once before decisions 132 and 133.
The packages' wheels are archives, nothing has to be installed (h5py reads the cells):

    pip download --no-deps aeon tslearn scanpy river Orange3
    for f in *.whl; do unzip -qo $f -d DIR; done
    python benchmarks/selection.py DATA FILE --bundled DIR --group bundled
"""

from __future__ import annotations

import gzip
from functools import partial
from pathlib import Path

import numpy as np
from selection_sets import Set, rows_of


def series(name: str, root: Path, data, draw):
    """All series of one of aeon's sets, several channels one after the other."""
    X, truth = [], []
    for part in ("TRAIN", "TEST"):
        folder = root / "aeon/datasets/data" / name.removesuffix("_eq")
        lines = (folder / f"{name}_{part}.ts").read_text(encoding="utf-8-sig").splitlines()
        start = next(i for i, line in enumerate(lines) if line.lower().startswith("@data"))
        for line in filter(str.strip, lines[start + 1 :]):
            *channels, label = line.strip().split(":")
            X.append([float(v) for channel in channels for v in channel.split(",")])
            truth.append(label)
    return rows_of(np.array(X), np.array(truth), draw)


def trace(root: Path, data, draw):
    file = np.load(root / "tslearn/.cached_datasets/Trace.npz")
    X = np.concatenate([file["X_train"], file["X_test"]])[..., 0]
    return rows_of(X, np.concatenate([file["y_train"], file["y_test"]]), draw)


def cells(components: bool, root: Path, data, draw):
    """Blood cells of at least 20 of a kind, by their genes or 50 components of these."""
    import h5py

    with h5py.File(root / "scanpy/datasets/10x_pbmc68k_reduced.h5ad") as file:
        X = np.asarray(file["obsm"][:]["X_pca"] if components else file["X"][:], dtype=float)
        kind = file["obs"][:]["bulk_labels"].astype(int)
    many = np.isin(kind, np.flatnonzero(np.bincount(kind) >= 20))
    return rows_of(X[many], kind[many], draw)


def table(name: str, features: int, at: int, root: Path, data, draw):
    """The first columns of one of river's tables; another one is the class."""
    packed = (root / f"river/datasets/{name}.csv.gz").read_bytes()
    lines = gzip.decompress(packed).decode().splitlines()[1:]
    A = np.array([line.split(",") for line in lines if line], dtype=float)
    return rows_of(A[:, :features], A[:, at], draw)


def genes(root: Path, data, draw):
    lines = (root / "Orange/datasets/brown-selected.tab").read_text().splitlines()[3:]
    rows = [line.split("\t") for line in lines]
    X = np.array([[v.replace("?", "nan") for v in row[:79]] for row in rows], dtype=float)
    X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    return rows_of(X, np.array([row[79] for row in rows]), draw)


def animals(root: Path, data, draw):
    lines = (root / "Orange/datasets/zoo.tab").read_text().splitlines()[3:]
    rows = np.array([line.split("\t") for line in lines])
    return rows_of(rows[:, 1:17].astype(float), rows[:, 17], draw)


def bundled(root: Path) -> dict[str, Set]:
    """The problems, where the archives were unpacked."""
    found = {
        "ArrowHead": (partial(series, "ArrowHead"), {"per_class": 5}),
        "ACSF1": (partial(series, "ACSF1"), {"per_class": 4}),
        "ItalyPower, 20": (partial(series, "ItalyPowerDemand"), {"labels": 20}),
        "GunPoint": (partial(series, "GunPoint"), {"per_class": 8}),
        "OSULeaf": (partial(series, "OSULeaf"), {"per_class": 8}),
        "JapaneseVowels": (partial(series, "JapaneseVowels_eq"), {"per_class": 4}),
        "Gestures": (partial(series, "PickupGestureWiimoteZ_eq"), {"per_class": 3}),
        "BasicMotions": (partial(series, "BasicMotions"), {"per_class": 3}),
        "Trace": (trace, {"per_class": 4}),
        "pbmc genes": (partial(cells, False), {"per_class": 4}),
        "pbmc pca": (partial(cells, True), {"labels": 50}),
        "phishing": (partial(table, "phishing", 9, -1), {"labels": 50}),
        "shuttle": (partial(table, "shuttle", 9, -1), {"labels": 60}),
        "brown": (genes, {"per_class": 5}),
        "zoo": (animals, {"per_class": 2}),
        "yeast 0": (partial(table, "yeast", 103, 103), {"labels": 100}),
        "yeast 2": (partial(table, "yeast", 103, 105), {"labels": 100}),
    }
    return {
        name: Set(partial(make, root), group="bundled", **labels)
        for name, (make, labels) in found.items()
    }
