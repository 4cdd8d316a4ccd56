"""The default call: errors on real and synthetic data beside a tuned SVC, and what it costs.

No parameter is given to LapRLSClassifier() and LapSVC(); SVC is tuned over C and gamma by
stratified folds of the same labels. Cost is the CPU time of the default fit in units of one
Cholesky factor of order 2000, and of a fit with the chosen parameters, measured in one run.

    python benchmarks/selection.py --data DIR [--sets digits usps ...] [--splits 10] [--cost]
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.linalg
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_blobs
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from lapwing import LapRLSClassifier, LapSVC
from lapwing.datasets import keep_labels, make_two_moons, make_two_spirals
from lapwing.exceptions import UnreachedWarning


def per_class(truth, k, splits):
    return [np.flatnonzero(keep_labels(truth, k, np.random.RandomState(s)) >= 0) for s in splits]


def at_random(truth, l, splits):
    draws = [np.random.default_rng(s).permutation(len(truth))[:l] for s in splits]
    return [d for d in draws if len(np.unique(truth[d])) == len(np.unique(truth))]


def standard(X):
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def load(name: str, data: Path, splits: range):
    """X, truth and the labelled rows of each split."""
    if name in ("moons", "spirals"):
        make = make_two_moons if name == "moons" else make_two_spirals
        return [make(random_state=s) for s in splits]
    if name == "uniform":
        draw = np.random.default_rng(0)
        X = draw.uniform(-1, 1, (1000, 10))
        truth = (X @ draw.standard_normal(10) > 0).astype(int)
        rows = at_random(truth, 100, splits)
    elif name == "gaussians":
        draw = np.random.default_rng(0)
        truth = draw.integers(0, 2, 1000)
        X = draw.standard_normal((1000, 100)) + 0.15 * (2 * truth - 1)[:, None]
        rows = at_random(truth, 100, splits)
    elif name in ("digits", "3v8"):
        X, truth = load_digits(return_X_y=True)
        if name == "3v8":
            kept = (truth == 3) | (truth == 8)
            X, truth = X[kept], (truth[kept] == 8).astype(int)
        rows = per_class(truth, 5 if name == "digits" else 2, splits)
    elif name in ("wine", "cancer", "iris"):
        loader = {"wine": load_wine, "cancer": load_breast_cancer, "iris": load_iris}[name]
        X, truth = loader(return_X_y=True)
        X, rows = standard(X), per_class(truth, 10 if name == "cancer" else 5, splits)
    elif name == "usps":
        file = np.load(data / "uspst_cz.npz")
        X, truth = file["X"].astype(float), file["y"].ravel().astype(int)
        rows = [r.astype(int) for r in file["idxLabs"]][: len(splits)]
    elif name == "webkb":
        file = np.load(data / "webkb_course.npz")
        X, truth, rows = file["page"].astype(float), (file["y"].ravel() > 0).astype(int), []
        for s in splits:
            draw = np.random.default_rng(s)
            kept = [draw.permutation(np.flatnonzero(truth == c))[:k] for c, k in ((1, 3), (0, 9))]
            rows.append(np.concatenate(kept))
    else:
        file = np.load(data / f"{name}.npz")
        key = "X" if "X" in file.files else next(k for k in file.files if k != "y")
        truth = file["y"].ravel().astype(int)
        kept = np.random.default_rng(0).permutation(len(truth))[:1500]
        X, truth = standard(file[key][kept].astype(float)), truth[kept]
        rows = per_class(truth, 5, splits)
    return [(X, np.where(np.isin(np.arange(len(truth)), r), truth, -1), truth) for r in rows]


def tuned_svc(X, y):
    seen = y >= 0
    folds = max(2, min(5, np.bincount(y[seen])[np.unique(y[seen])].min()))
    width = X.shape[1] * X.var()
    grid = [
        {"kernel": ["rbf"], "C": [1, 10, 100], "gamma": [g / width for g in (0.1, 0.3, 1, 3)]},
        {"kernel": ["linear"], "C": [0.01, 0.1, 1, 10]},
    ]
    search = GridSearchCV(SVC(), grid, cv=StratifiedKFold(folds, shuffle=True, random_state=0))
    return search.fit(X[seen], y[seen]).predict(X)


def errors(name: str, data: Path, splits: range) -> None:
    found: dict[str, list[float]] = {}
    for X, y, truth in load(name, data, splits):
        rest = y < 0
        for label, model in (("LapRLS()", LapRLSClassifier()), ("LapSVC()", LapSVC())):
            fitted = model.fit(X, y).transduction_
            found.setdefault(label, []).append(np.mean(fitted[rest] != truth[rest]))
        if np.bincount(y[y >= 0]).max() > 1:
            found.setdefault("SVC", []).append(np.mean(tuned_svc(X, y)[rest] != truth[rest]))
    line = "  ".join(
        f"{k} {100 * np.mean(v):5.2f} (max {100 * max(v):.1f})" for k, v in found.items()
    )
    print(f"{name:10s} {line}", flush=True)


def timed(call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def cost() -> None:
    for n, labelled in ((2000, 50), (8000, 100)):
        X, truth = make_blobs(n, n_features=64, centers=10, cluster_std=6.0, random_state=0)
        y = keep_labels(truth, labelled // 10, random_state=0)
        A = np.cov(X[:2000]) + np.eye(2000)
        cholesky = min(timed(lambda A=A: scipy.linalg.cho_factor(A)) for _ in range(3))
        model = LapRLSClassifier()
        whole = timed(lambda: model.fit(X, y))  # noqa: B023
        given = timed(lambda: LapRLSClassifier(**model.selection_.choice).fit(X, y))  # noqa: B023
        print(
            f"n = {n}: default fit {whole / cholesky:.1f} Choleskys of order 2000, of which the "
            f"search {(whole - given) / cholesky:.1f}; {whole / given:.2f} x a fit with these "
            "parameters given"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path())
    sets = ["moons", "spirals", "3v8", "digits", "usps", "webkb", "uniform", "gaussians"]
    parser.add_argument("--sets", nargs="*", default=[*sets, "wine", "cancer", "iris"])
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--cost", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", UnreachedWarning)
    if options.cost:
        cost()
        return
    for name in options.sets:
        errors(name, options.data, range(options.splits))


if __name__ == "__main__":
    main()
