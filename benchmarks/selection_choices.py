"""What every estimator chooses on small problems, and the error of that choice.

    python benchmarks/selection_choices.py DATA FILE            # search, write FILE
    python benchmarks/selection_choices.py DATA FILE OTHER      # compare two such files

For a change that must not change answers: run it before and after. DATA is the directory with
``scene.npz``, ``mfeat.npz``, ``mtr/*.npz``, ``usps.npz``, ``isolet.npz`` and ``teapots100.npz``.
Errors are in %, or a root mean square in units of the targets' deviations; ``cpu`` is seconds.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from selection_sets import SETS
from sklearn import datasets
from sklearn.preprocessing import StandardScaler

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapS3LRegressor,
    LapSVC,
    LSMRRegressor,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.datasets import keep_labels
from lapwing.graphs import KNN
from lapwing.outputs import LabelSets, Ring
from lapwing.regularizers import Laplacian

Problem = tuple[str, Any, Any, np.ndarray, np.ndarray, str]
SCALARS = ("uniform", "gaussians", "wine", "iris", "usps", "isolet", "breast", "olivetti")
DRAWS = 2
MTR = ("enb", "jura", "edm", "slump", "wq", "atp1d", "andro")
VIEWS = ("fou", "kar", "mor")


def scalar(data: Path) -> Iterator[Problem]:
    """Classes: one label each, five each, forty at random; three losses."""
    loaded = {
        "digits": datasets.load_digits, "wine": datasets.load_wine, "iris": datasets.load_iris,
        "cancer": datasets.load_breast_cancer,
    }  # fmt: skip
    for seed in range(DRAWS):
        for name, load in loaded.items():
            X, truth = load(return_X_y=True)
            for each in (1, 5, 15):
                y = keep_labels(truth, each, random_state=seed)
                yield f"{name} {each} each #{seed}", LapRLSClassifier(), X, y, truth, "classes"
            y = keep_labels(truth, 10, random_state=seed)
            for model in (LapSVC(), LapLogisticClassifier()):
                yield f"{name} {type(model).__name__} #{seed}", model, X, y, truth, "classes"
        for name, one in SETS.items():
            if name.split(",")[0].split(" ")[0] in SCALARS and one.group != "goals":
                X, y, truth = one.draw(data, seed)
                yield f"{name} #{seed}", LapRLSClassifier(), X, y, truth, "classes"
        for n, noise in ((300, 0.1), (900, 0.2), (3000, 0.2)):
            X, truth = datasets.make_moons(n, noise=noise, random_state=seed)
            y = keep_labels(truth, 5, random_state=seed)
            yield f"moons {n} #{seed}", LapRLSClassifier(), X, y, truth, "classes"


def real(data: Path) -> Iterator[Problem]:
    """Real targets, one and several."""
    for seed in range(DRAWS):
        draw = np.random.default_rng(seed)
        X, t = datasets.load_diabetes(return_X_y=True)
        roll, at = datasets.make_swiss_roll(700, noise=0.3, random_state=seed)
        for name, P, v in (("diabetes", X, t), ("roll", roll, at)):
            y = np.where(draw.permutation(len(v)) < 60, v, np.nan)
            yield f"{name} #{seed}", LapRLSRegressor(), P, y, v, "real"
        for name in MTR:
            if not (data / "mtr" / f"{name}.npz").exists():
                continue
            file = np.load(data / "mtr" / f"{name}.npz")
            X, Y = file["X"].astype(float), file["Y"].astype(float)
            known = np.isfinite(X).all(axis=1) & np.isfinite(Y).all(axis=1)
            X, Y = X[known][:600], Y[known][:600]
            seen = draw.permutation(len(X)) < 60
            y = np.where(seen[:, None], Y, np.nan)
            for make in (VectorValuedRegressor, SSSLRegressor, LapS3LRegressor, LSMRRegressor):
                yield f"{name} {make.__name__} #{seed}", make(), X, y, Y, "real"


def outputs(data: Path) -> Iterator[Problem]:
    """Labels that do not exclude each other, views, structures."""
    scene, mfeat = np.load(data / "scene.npz"), np.load(data / "mfeat.npz")
    pots = np.load(data / "teapots100.npz")
    blocks = [StandardScaler().fit_transform(mfeat[n])[::4] for n in VIEWS]
    ends = np.cumsum([0, *(b.shape[1] for b in blocks)])
    columns = [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]
    plain = [(n, "rbf", at) for n, at in zip(VIEWS, columns, strict=True)]
    smooth = [(*view, Laplacian(KNN(), degree=2)) for view in plain]
    kinds = mfeat["y"][::4].astype(int)
    for seed in range(DRAWS):
        draw = np.random.default_rng(seed)
        rows = draw.permutation(len(scene["X"]))[:600]
        X, Y = scene["X"][rows].astype(float), scene["Y"][rows].astype(float)
        for l in (30, 100):
            y = np.where((np.arange(600) < l)[:, None], Y, np.nan)
            yield f"scene {l} #{seed}", VectorValuedClassifier(), X, y, Y, "labels"
        y = np.where((np.arange(600) < 60)[:, None], Y, np.nan)
        sets = StructuredLapSVC(output=LabelSets(Y.shape[1]))
        yield f"scene sets #{seed}", sets, X[:300], y[:300], Y[:300], "labels"
        for each in (3, 8):
            y = keep_labels(kinds, each, random_state=seed)
            for name, model in (
                ("CoRLS", CoRLSClassifier(plain)),
                ("CoRLS smooth", CoRLSClassifier(smooth)),
                ("CoMR", CoMRClassifier(smooth)),
            ):
                yield f"mfeat {name} {each} #{seed}", model, np.hstack(blocks), y, kinds, "classes"
        P = pots["X"].reshape(len(pots["X"]), -1).astype(float)
        at = np.arange(len(P)) * 10 // len(P)
        for each in (2, 4):
            y = keep_labels(at, each, random_state=seed)
            yield f"teapots {each} #{seed}", StructuredLapSVC(output=Ring(10)), P, y, at, "ring"


def error(answers, y, truth, kind: str) -> float:
    """On the unlabeled rows."""
    hidden = (np.isnan(y) if kind in ("real", "labels") else y < 0).reshape(len(y), -1).all(axis=1)
    a, t = np.asarray(answers)[hidden], truth[hidden]
    if kind == "ring":
        apart = np.abs(a - t)
        return float(np.minimum(apart, 10 - apart).mean())
    if kind != "real":
        return 100.0 * float(np.mean(a != t))
    return float(np.mean(np.sqrt(np.mean((a - t) ** 2, axis=0)) / truth.std(axis=0)))


def recorded(makers: list[Callable], data: Path) -> dict[str, dict]:
    found = {}
    for make in makers:
        for name, model, X, y, truth, kind in make(data):
            start = time.process_time()
            model.fit(X, y)
            cpu = time.process_time() - start
            chosen = model.selection_.choice
            typed = ", ".join(f"{k}={' '.join(repr(chosen[k]).split())}" for k in sorted(chosen))
            wrong = error(model.transduction_, y, truth, kind)
            found[name] = {"choice": typed, "error": round(wrong, 4), "cpu": round(cpu, 3)}
            print(f"{name:34} {wrong:8.3f} {cpu:6.2f} s  {typed}", flush=True)
    return found


def compare(before: dict, after: dict) -> None:
    """What differs, and the mean errors of each family."""
    for name in before.keys() & after.keys():
        if before[name]["choice"] != after[name]["choice"]:
            old, new = before[name], after[name]
            print(f"{name}: {old['error']} -> {new['error']}\n  {old['choice']}\n  {new['choice']}")
    both = [name for name in before if name in after]
    same = sum(before[n]["choice"] == after[n]["choice"] for n in both)
    print(f"{same} of {len(both)} choices are the same")
    families = sorted({n.split("#")[0].rstrip() for n in both})
    for family in families:
        own = [n for n in both if n.split("#")[0].rstrip() == family]
        old, new = (np.mean([record[n]["error"] for n in own]) for record in (before, after))
        spent = [sum(record[n]["cpu"] for n in own) for record in (before, after)]
        mark = "" if abs(old - new) < 1e-9 else "  *"
        print(f"{family:32} {old:8.3f} -> {new:8.3f}{mark}   {spent[0]:.2f} -> {spent[1]:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("other", type=Path, nargs="?")
    parser.add_argument("--only", nargs="+", default=["scalar", "real", "outputs"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.other:
        compare(*(json.loads(f.read_text()) for f in (options.file, options.other)))
        return
    found = recorded([globals()[name] for name in options.only], options.data)
    options.file.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
