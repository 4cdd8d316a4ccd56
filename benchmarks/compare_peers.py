"""Lapwing against its peers and the machine's floors: time, memory, error, over n.

    python benchmarks/compare_peers.py [--sizes 1000 4000 16000] [--limit 120] [--out DIR]

Each method and size runs in a process of its own (peak memory is then its own); a method that
takes longer than the limit at one size is not asked for larger ones. The same rows and labels for
all: 30 columns, five classes, 50 labels, 10 % more rows unseen. Writes table.md, results.csv and
times.png with exponents fitted over the three largest sizes.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.semi_supervised import LabelPropagation, LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC

from lapwing import LapLogisticClassifier, LapRLSClassifier, LapSVC

FIELDS = ("method", "n", "seconds", "cpu", "GiB", "unlabelled", "unseen")
DENSE_UP_TO = 20_000  # rows whose full kernel fits into memory


def problem(n: int):
    """X, y with 50 labels, the truth, and which rows are unseen."""
    X, truth = make_classification(
        n + n // 10, 30, n_informative=15, n_redundant=5, n_classes=5, n_clusters_per_class=1,
        class_sep=1.5, random_state=0,
    )  # fmt: skip
    random, y = np.random.default_rng(0), np.full(n, -1)
    for c in range(5):
        y[random.choice(np.flatnonzero(truth[:n] == c), 10, replace=False)] = c
    return X, y, truth


def graphlearning(kind: str):
    def run(X, y, X_new):
        import graphlearning as gl  # a peer, where it is installed

        rows = np.flatnonzero(y >= 0)
        W = gl.weightmatrix.knn(X, 10)
        model = gl.ssl.laplace(W) if kind == "laplace" else gl.ssl.poisson(W)
        return model.fit_predict(rows, y[rows]), None

    return run


def inductive(make):
    def run(X, y, X_new):
        model = make().fit(X, y)
        return model.transduction_, model.predict(X_new)

    return run


def supervised(X, y, X_new):
    model = SVC().fit(X[y >= 0], y[y >= 0])
    return model.predict(X), model.predict(X_new)


def self_training(X, y, X_new):
    model = SelfTrainingClassifier(SVC(probability=True)).fit(X, y)
    return model.predict(X), model.predict(X_new)


def cholesky(X, y, X_new):
    """The floor of exact methods: one factor of order n."""
    A = X @ X.T + len(X) * np.eye(len(X))
    np.linalg.cholesky(A)
    return None, None


def product(X, y, X_new):
    """The floor of an exact search: all products, in blocks of float32."""
    Z = X.astype(np.float32)
    for start in range(0, len(Z), 2000):
        Z[start : start + 2000] @ Z.T
    return None, None


METHODS = {
    "LapRLSClassifier": inductive(LapRLSClassifier),
    "LapSVC": inductive(LapSVC),
    "LapLogisticClassifier": inductive(LapLogisticClassifier),
    "LabelSpreading knn": inductive(lambda: LabelSpreading("knn", n_neighbors=10, max_iter=100)),
    "LabelPropagation knn": inductive(
        lambda: LabelPropagation("knn", n_neighbors=10, max_iter=1000)
    ),
    "LabelSpreading rbf": inductive(lambda: LabelSpreading("rbf", gamma=0.02, max_iter=100)),
    "SelfTraining": self_training,
    "SVC on the labels": supervised,
    "graphlearning Laplace": graphlearning("laplace"),
    "graphlearning Poisson": graphlearning("poisson"),
    "floor: Cholesky": cholesky,
    "floor: X Xᵀ": product,
}
DENSE = ("LabelSpreading rbf", "floor: Cholesky", "SelfTraining")


def measure(method: str, n: int) -> list:
    """One run: wall time, CPU time, peak memory, errors; NaN where there is none."""
    warnings.simplefilter("ignore")
    X, y, truth = problem(n)
    start, cpu = time.perf_counter(), time.process_time()
    found, unseen = METHODS[method](X[:n], y, X[n:])
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    wrong = [
        np.nan if a is None else float(np.mean(np.asarray(a)[at] != t[at]))
        for a, t, at in [
            (found, truth[:n], y < 0),
            (unseen, truth[n:], slice(None)),
        ]
    ]
    return [method, n, round(seconds, 2), round(cpu, 2), round(peak, 2), *wrong]


def run_all(sizes: list[int], limit: float) -> list[dict]:
    rows = []
    for method in METHODS:
        for n in sizes:
            if method in DENSE and n > DENSE_UP_TO:
                break
            command = [sys.executable, __file__, "--one", method, str(n)]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
            except subprocess.TimeoutExpired:
                print(f"{method}, n = {n}: more than {limit:g} s")
                break
            if done.returncode:
                print(f"{method}, n = {n}: {done.stderr.strip().splitlines()[-1:]}")
                break
            rows.append(dict(zip(FIELDS, done.stdout.strip().split(";"), strict=True)))
            print(*rows[-1].values(), sep="\t", flush=True)
    return rows


def exponent(rows: list[dict]) -> float:
    """The slope of log time over log n, over the three largest sizes."""
    last = rows[-3:]
    if len(last) < 2:
        return float("nan")
    n, seconds = ([float(row[key]) for row in last] for key in ("n", "seconds"))
    return float(np.polyfit(np.log(n), np.log(np.maximum(seconds, 1e-2)), 1)[0])


def write(rows: list[dict], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "results.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    load = ", ".join(f"{part:.1f}" for part in os.getloadavg())
    lines = [
        f"Load average at the end: {load} on {os.cpu_count()} cores. Errors in per cent.",
        "",
        "| method | n | s | CPU s | GiB | unlabelled | unseen |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        errors = [f"{100 * float(row[key]):.1f}" for key in ("unlabelled", "unseen")]
        cells = [row[key] for key in FIELDS[:5]] + errors
        lines.append("| " + " | ".join(cells).replace("nan", "–") + " |")
    lines += ["", "| method | exponent |", "|---|---|"]
    groups = {m: [row for row in rows if row["method"] == m] for m in METHODS}
    lines += [f"| {m} | {exponent(g):.2f} |" for m, g in groups.items() if len(g) > 1]
    (out / "table.md").write_text("\n".join(lines) + "\n")
    draw({m: g for m, g in groups.items() if g}, out / "times.png")


def draw(groups: dict, path: Path) -> None:
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(8, 5))
    for method, rows in groups.items():
        style = ":" if method.startswith("floor") else "-" if method.startswith("Lap") else "--"
        n, seconds = ([float(row[key]) for row in rows] for key in ("n", "seconds"))
        axis.loglog(n, seconds, style, marker="o", label=f"{method} ({exponent(rows):.1f})")
    axis.set(xlabel="points", ylabel="seconds, fit and predict", title="time (exponent)")
    axis.legend(fontsize=7)
    figure.savefig(path, dpi=120, bbox_inches="tight")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[500, 2000, 8000, 32_000, 100_000])
    parser.add_argument("--limit", type=float, default=600.0, help="seconds per run")
    parser.add_argument("--out", type=Path, default=Path("docs/benchmarks"))
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(*measure(arguments.one[0], int(arguments.one[1])), sep=";")
        return
    write(run_all(arguments.sizes, arguments.limit), arguments.out)


if __name__ == "__main__":
    main()
