"""The default call: errors on many data sets beside a tuned SVC, and beside the rule.

No parameter is given to LapRLSClassifier() and LapSVC(). "rule" is LapRLSClassifier with everything
by rule, nothing chosen. SVC is tuned by stratified folds of the same labels over RBF widths × C and
the linear kernel × C, columns standardized or not. Errors are on the unlabeled rows. Every result
is a line of the file, which a second run continues.

    python benchmarks/selection.py DIR FILE [--sets "digits, 5 each" …] [--group goals] [--seeds 3]
    python benchmarks/selection.py DIR FILE --tables KEEL --group "tables, hold-out"
    python benchmarks/selection.py DIR FILE --bundled ARCHIVES --group bundled
    python benchmarks/selection.py DIR FILE --table [--tables KEEL]
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from selection_book import BOOK
from selection_bundled import bundled
from selection_sets import SETS
from selection_tables import tables
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from lapwing import LapRLSClassifier, LapSVC

METHODS = {
    "LapRLS()": LapRLSClassifier(),
    "LapSVC()": LapSVC(),
    "rule": LapRLSClassifier(
        kernel="rbf", regularizer="laplacian", gamma_A="rule", gamma_I="rule", fit_intercept=False
    ),
}
GROUPS = (
    "goals", "development", "hold-out", "tables, development", "tables, hold-out", "book",
    "weak signals", "bundled",
)  # fmt: skip
WIDTHS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


def tuned_svc(X, y) -> np.ndarray:
    """What an SVC says of all rows that was tuned and fitted on the labeled ones."""
    seen = y >= 0
    scaler = StandardScaler(with_mean=not sp.issparse(X))
    grid = []
    for scale in ("passthrough", scaler):
        Z = X[seen] if scale == "passthrough" else scaler.fit_transform(X[seen])
        variance = (Z.multiply(Z).mean() - Z.mean() ** 2) if sp.issparse(Z) else Z.var()
        gammas = [width / (Z.shape[1] * variance) for width in WIDTHS]
        rbf = {"svc__kernel": ["rbf"], "svc__C": [0.1, 1, 10, 100, 1000], "svc__gamma": gammas}
        linear = {"svc__kernel": ["linear"], "svc__C": [1e-3, 0.01, 0.1, 1, 10, 100]}
        grid += [{"scale": [scale], **rbf}, {"scale": [scale], **linear}]
    if np.bincount(y[seen]).max() < 2:
        return SVC().fit(X[seen], y[seen]).predict(X)  # one label each: nothing to tune by
    folds = max(2, min(5, np.bincount(y[seen])[np.unique(y[seen])].min()))
    cv = StratifiedKFold(int(folds), shuffle=True, random_state=0)
    search = GridSearchCV(Pipeline([("scale", scaler), ("svc", SVC(max_iter=20_000))]), grid, cv=cv)
    return search.fit(X[seen], y[seen]).predict(X)


def run(name: str, seed: int, method: str, data: Path) -> dict:
    """One fit, one line."""
    X, y, truth = SETS[name].draw(data, seed)
    if method == "SVC":
        found, chosen = tuned_svc(X, y), ""
    else:
        model = METHODS[method].fit(X, y)
        found = model.transduction_
        chosen = "" if model.selection_ is None else str(model.selection_)
    error = float(np.mean(found[y < 0] != truth[y < 0]))
    return {"set": name, "seed": seed, "method": method, "error": error, "chosen": chosen}


def table(lines: list[dict]) -> str:
    """Mean errors in %, group by group; each summary is over the sets where SVC was run too."""
    methods = [m for m in ("LapRLS()", "LapSVC()", "SVC", "rule") if any_of(lines, m)]
    text = ["| set | labels | seeds | " + " | ".join(methods) + " |"]
    text.append("|---" * (3 + len(methods)) + "|")
    for group in GROUPS:
        means = []
        for name, problem in SETS.items():
            own = [x for x in lines if x["set"] == name]
            if problem.group != group or not own:
                continue
            errors = {m: [100 * x["error"] for x in own if x["method"] == m] for m in methods}
            means.append([np.mean(e) if e else np.nan for e in errors.values()])
            cells = " | ".join("–" if np.isnan(v) else f"{v:.1f}" for v in means[-1])
            seeds = "/".join(str(len(e)) for e in errors.values() if e)
            labels = problem.labels or f"{problem.per_class} per class"
            text.append(f"| {name} | {labels} | {seeds} | {cells} |")
        M = np.array(means).reshape(-1, len(methods))
        M = M[~np.isnan(M[:, methods.index("SVC")])]
        if len(M):
            svc = M[:, [methods.index("SVC")]]
            for what, row in (
                ("mean error", np.nanmean(M, axis=0)),
                ("mean of the ratios to SVC", np.nanmean(M / svc, axis=0)),
                ("most points worse than SVC", np.nanmax(M - svc, axis=0)),
            ):
                cells = " | ".join(f"**{value:.2f}**" for value in row)
                text.append(f"| **{group}: {what}** | | | {cells} |")
    return "\n".join(text)


def any_of(lines: list[dict], method: str) -> bool:
    return any(x["method"] == method for x in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--sets", nargs="*")
    parser.add_argument("--group", default="development", choices=GROUPS)
    parser.add_argument("--methods", nargs="*", default=["SVC", *METHODS])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--tables", type=Path, help="where KEEL's tables are")
    parser.add_argument("--bundled", type=Path, help="where the archives were unpacked")
    options = parser.parse_args()
    SETS.update(BOOK)
    if options.tables:
        SETS.update(tables(options.tables))
    if options.bundled:
        SETS.update(bundled(options.bundled))
    warnings.simplefilter("ignore")
    lines = []
    if options.file.exists():
        lines = [json.loads(line) for line in options.file.read_text().splitlines()]
    if options.table:
        print(table(lines))
        return
    done = {(x["set"], x["seed"], x["method"]) for x in lines}
    names = options.sets or [n for n, s in SETS.items() if s.group == options.group]
    for seed in range(options.seeds):
        for name in names:
            for method in options.methods:
                if (name, seed, method) not in done:
                    line = run(name, seed, method, options.data)
                    print(f"{name:24s} {seed} {method:9s} {100 * line['error']:5.1f}", flush=True)
                    with options.file.open("a") as file:
                        file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
