"""Estimators of several outputs, views or targets with no parameter given, against the rule.

    python benchmarks/selection_outputs.py DIRECTORY [--seeds 3] [--only vv mv texts mt so]

DIRECTORY holds ``scene.npz``, ``mfeat.npz``, ``mv_3sources.npz``, ``mv_reuters1200.npz``,
``webkb_course.npz``, ``mtr/*.npz``, ``teapots100.npz`` and the newsgroups.

One line per problem: the means of the rule, the means of the default call, the standard error of
the difference, and the CPU time of the default call in fits by rule. Structured outputs have two
measures, the loss at unlabeled and at unseen rows. Texts have three: errors at unlabeled and at
unseen rows, and the mean confidence minus the share of right answers at unseen rows.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.preprocessing import StandardScaler, normalize

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    LapS3LRegressor,
    LSMRRegressor,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.graphs import KNN
from lapwing.metrics import macro_auc
from lapwing.outputs import OutputStructure, Ring, Tree
from lapwing.regularizers import Laplacian
from lapwing_papers.mt.data import split
from lapwing_papers.so.data import GROUPS, draw_newsgroups, draw_teapots

RULE = {
    "kernel": "rbf",
    "regularizer": "laplacian",
    "gamma_A": "rule",
    "gamma_I": "rule",
    "gamma_C": "rule",
    "gamma_M": "rule",
    "fit_intercept": True,
    "output_kernel": None,
    "n_components": "rule",
}


def by_rule(model):
    """A copy with every "auto" spelled as the rule."""
    own = model.get_params(deep=False)
    spelled = {k: v for k, v in RULE.items() if own.get(k, "") == "auto"}
    return type(model)(**{**own, **spelled})


def line(name: str, make: Callable, draw: Callable, score: Callable, seeds: int) -> None:
    """Print one problem: ``draw(seed)`` is a problem, ``score(model, problem)`` its measures."""
    table, spent = [], []
    for seed in range(seeds):
        problem, row, times = draw(seed), [], []
        for model in (by_rule(make()), make()):
            begun = time.process_time()
            row.append(np.atleast_1d(score(model, problem)))
            times.append(time.process_time() - begun)
        table.append(row)
        spent.append(times[1] / times[0])
    rule, default = np.mean(table, axis=0)
    apart = np.std(np.subtract(*np.swapaxes(table, 0, 1)), axis=0) / np.sqrt(seeds)
    print(
        f"{name:34} rule {_shown(rule)}  default {_shown(default)}  +-{_shown(apart)}  "
        f"{np.mean(spent):5.1f} fits",
        flush=True,
    )


def _shown(values: np.ndarray) -> str:
    return " ".join(f"{value:8.3f}" for value in values)


def vector_valued(directory: Path, seeds: int) -> None:
    data = np.load(directory / "scene.npz")
    X, Y = data["X"], data["Y"].astype(float)

    def draw(l, seed):
        rows = np.random.default_rng(seed).permutation(len(X))[:l]
        y = np.full(Y.shape, np.nan)
        y[rows] = Y[rows]
        return y

    def auc(model, y):
        hidden = np.isnan(y[:, 0])
        return 100 * macro_auc(Y[hidden], model.fit(X, y).decision_function(X[hidden]))

    for l in (20, 50, 100, 300):
        line(f"Scene, {l} labels, macro AUC", VectorValuedClassifier, lambda s, l=l: draw(l, s),
             auc, seeds)  # fmt: skip


def views(directory: Path, seeds: int) -> None:
    data = np.load(directory / "mfeat.npz")
    names = [n for n in ("pix", "fou", "fac", "zer", "kar", "mor") if n in data]
    blocks = [StandardScaler().fit_transform(data[n])[::2] for n in names]
    truth, ends = data["y"][::2], np.cumsum([0, *(b.shape[1] for b in blocks)])
    X = np.hstack(blocks)
    at = {n: slice(int(a), int(b)) for n, a, b in zip(names, ends[:-1], ends[1:], strict=True)}
    graph = Laplacian(KNN(), degree=2)
    plain = [(n, "rbf", at[n]) for n in ("fou", "kar", "mor")]
    smooth = [(*view, graph) for view in plain]

    def draw(per_class, seed):
        rng, y = np.random.default_rng(seed), np.full(len(truth), -1)
        for c in np.unique(truth):
            rows = rng.permutation(np.flatnonzero(truth == c))[:per_class]
            y[rows] = c
        return y

    def error(model, y):
        hidden = y < 0
        return 100 * float(np.mean(model.fit(X, y).transduction_[hidden] != truth[hidden]))

    for count in (2, 5, 10):
        for name, make in {
            "CoRLS": lambda: CoRLSClassifier(plain),
            "CoRLS, own graphs": lambda: CoRLSClassifier(smooth),
            "CoMR": lambda: CoMRClassifier(smooth),
        }.items():
            title = f"mfeat, {count} each, {name}, error %"
            line(title, make, lambda s, c=count: draw(c, s), error, seeds)


def texts(directory: Path, seeds: int) -> None:
    """Two views of rows of norm 1; a third of the rows is not seen before they are predicted."""
    for name, first, second in (
        ("3sources", "view1", "view2"),
        ("reuters1200", "view1", "view2"),
        ("webkb", "page", "link"),
    ):
        file = "webkb_course" if name == "webkb" else f"mv_{name}"
        data = np.load(directory / f"{file}.npz")
        blocks = [normalize(np.log1p(np.abs(data[n].astype(float)))) for n in (first, second)]
        X, truth, d = np.hstack(blocks), data["y"].astype(int), blocks[0].shape[1]
        plain = [("a", "rbf", slice(0, d)), ("b", "rbf", slice(d, X.shape[1]))]
        smooth = [(*view, Laplacian(KNN(), degree=2)) for view in plain]

        def draw(per_class, seed, truth=truth):
            rng = np.random.default_rng(seed)
            rows = rng.permutation(len(truth))
            known, unseen = rows[len(rows) // 3 :], rows[: len(rows) // 3]
            y = np.full(len(known), None, dtype=object)
            for c in np.unique(truth):
                labeled = np.flatnonzero(truth[known] == c)[:per_class]
                y[labeled] = str(c)
            return known, unseen, y

        def measures(model, problem, X=X, truth=truth):
            known, unseen, y = problem
            model.fit(X[known], y)
            hidden, found = (
                model.transduction_ != truth[known].astype(str),
                model.predict(X[unseen]),
            )
            unlabeled = [label is None for label in y]
            wrong = 100 * float(np.mean(found != truth[unseen].astype(str)))
            sure = 100 * float(model.predict_proba(X[unseen]).max(axis=1).mean())
            return 100 * float(np.mean(hidden[unlabeled])), wrong, sure - (100 - wrong)

        for count in (2, 5):
            for kind, make in {
                "CoRLS": lambda v=plain: CoRLSClassifier(v),
                "CoMR": lambda v=smooth: CoMRClassifier(v),
            }.items():
                title = f"{name}, {count} each, {kind}"
                line(title, make, lambda s, c=count, d=draw: d(c, s), measures, seeds)


def targets(directory: Path, seeds: int) -> None:
    for make in (SSSLRegressor, LapS3LRegressor, LSMRRegressor, VectorValuedRegressor):
        for path in sorted((directory / "mtr").glob("*.npz")):
            data = np.load(path)
            X, Y = data["X"], np.asarray(data["Y"], dtype=float)

            def rmse(model, problem):
                error = model.fit(problem.X, problem.y).predict(problem.X_test) - problem.y_test
                return float(np.nanmean(np.sqrt(np.nanmean(error**2, axis=0))))

            title = f"{path.stem}, {make.__name__}, aRMSE"
            line(title, make, lambda s, X=X, Y=Y: split(X, Y, s), rmse, seeds)


def structured(directory: Path, seeds: int) -> None:
    tree = Tree(list(GROUPS)).build()
    problems = {
        "teapots": (draw_teapots, Ring(10, loss="half"), (1, 2, 4)),
        "newsgroups": (draw_newsgroups, OutputStructure(tree.kernel, tree.loss_matrix), (2, 4, 10)),
    }
    for name, (draw, output, counts) in problems.items():
        outputs = output.build()
        eye = np.eye(len(outputs.classes))

        def loss(model, problem, outputs=outputs, eye=eye):
            rows, y = problem
            found, hidden = model.fit(rows.X_train, y).predict(rows.X_test), y < 0
            known = outputs.loss(eye[rows.y_train], eye[model.transduction_])[hidden]
            return float(np.mean(known)), float(np.mean(outputs.loss(eye[rows.y_test], eye[found])))

        for count in counts:

            def problem(seed, draw=draw, count=count):
                rows = draw(directory, seed)
                return rows, rows.labels(count)

            title = f"{name}, {count} each, loss"
            line(title, lambda o=output: StructuredLapSVC(output=o), problem, loss, seeds)


PARTS = {"vv": vector_valued, "mv": views, "texts": texts, "mt": targets, "so": structured}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in arguments.only:
        PARTS[name](arguments.directory, arguments.seeds)


if __name__ == "__main__":
    main()
