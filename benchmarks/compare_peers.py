"""Lapwing against its peers and the machine's floors: time, memory, error, over n.

    python benchmarks/compare_peers.py [--quick] [--parts scaling mnist …] [--sizes 1000 4000 …]
                                       [--limit 200] [--budget 900] [--out docs/benchmarks]
                                       [--peer-python PYTHON] [--again]

| part | measured | against |
|---|---|---|
| scaling | the three classifiers with nothing given, over n: overlapping clouds and curved surfaces in 30 columns, 50 labels | scikit-learn, graphlearning, Cholesky, X Xᵀ |
| mnist | 70,000 × 784, and 60,000 with 10,000 unseen rows, 100 labels, nothing given (`LAPWING_MNIST` names the file) | the same |
| exact | n = 8000, ten classes, parameters given | one float64 Cholesky factor |
| targets | n = 5000: 100 targets | 1 target (importing lapwing, 0.5 s, counts with both) |
| fresh | a new process fits n = 2000 | a new process imports scikit-learn |
| million | up to 1,000,000 × 50, parameters given | the neighbor search alone |
| text | 50,000 × 20,000, LapSVC | X Xᵀ with the ten largest of each row |

Each method and size runs in a process of its own (peak memory is then its own) and its row is
written at once: what is in results.csv is not measured again. A method that takes longer than the
limit is not asked for larger n; after the budget nothing new is begun. `--peer-python` is an
interpreter that has graphlearning. Writes results.csv, table.md, times.png and summary.png.
"""  # noqa: E501

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
from peer_methods import DENSE, METHODS
from peer_problems import PROBLEMS
from peer_report import FIELDS, write

UNSEEN = 10_000  # rows at most
DENSE_UP_TO = 20_000  # rows whose full kernel fits into memory
OURS = ("LapRLSClassifier", "LapSVC", "LapLogisticClassifier")
PEERS = (
    "LabelSpreading, our graph",
    "SVC on the labels",
    "LabelSpreading knn",
    "graphlearning Laplace",
    "graphlearning Poisson",
    "LabelPropagation knn",
    "SelfTraining",
    "LabelSpreading rbf",
)
FLOORS = ("floor: Cholesky", "floor: X Xᵀ")
SIZES = (1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 60_000, 100_000)
PARTS = {
    "exact": [("ten", ("LapRLS, exact", "LapSVC, exact", "floor: Cholesky"), (8_000,))],
    "mnist": [
        ("mnist", (OURS[0], *PEERS[2:5], *OURS[1:], *PEERS[:2]), (70_000,)),
        ("mnist", (OURS[0],), (60_000,)),
    ],
    "scaling": [
        ("surfaces", (*OURS, *PEERS[:5]), SIZES),
        ("clouds", (*OURS, *PEERS, *FLOORS), SIZES),
    ],
    "fresh": [("ten", ("fresh process, n = 2000", "floor: import sklearn"), (1_000,))],
    "targets": [("ten", ("1 target", "100 targets"), (5_000,))],
    "text": [("documents", ("LapSVC, text", "floor: sparse X Xᵀ"), (50_000,))],
    "million": [("wide", ("LapRLS, given", "floor: search"), (100_000, 1_000_000))],
}


def measure(problem: str, method: str, n: int) -> list:
    """One run: wall time, CPU time, peak memory, errors; NaN where there is none."""
    warnings.simplefilter("ignore")
    X, y, truth = PROBLEMS[problem](n)
    start, cpu = time.perf_counter(), time.process_time()
    found, predict, note = METHODS[method](X[:n], y)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    unlabeled = unseen = float("nan")
    if found is not None:
        unlabeled = float(np.mean(np.asarray(found)[y < 0] != truth[:n][y < 0]))
    if predict is not None and X.shape[0] > n:
        new = slice(n, n + UNSEEN)
        unseen = float(np.mean(predict(X[new]) != truth[new]))
    return [problem, method, n, round(seconds, 2), round(cpu, 2), round(peak, 2),
            round(unlabeled, 5), round(unseen, 5), note]  # fmt: skip


class Runs:
    """What was measured, on disk from the first row on."""

    def __init__(self, path: Path, again: bool):
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.rows = []
        if path.exists() and not again:
            with open(path, newline="") as file:
                self.rows = [row for row in csv.DictReader(file) if row.keys() == set(FIELDS)]
        self._write("w", [dict(zip(FIELDS, FIELDS, strict=True)), *self.rows])

    def _write(self, mode: str, rows: list[dict]) -> None:
        with open(self.path, mode, newline="") as file:
            csv.DictWriter(file, FIELDS).writerows(rows)

    def has(self, problem: str, method: str, n: int) -> bool:
        return any(
            (row["problem"], row["method"], row["n"]) == (problem, method, str(n))
            for row in self.rows
        )

    def add(self, row: dict) -> None:
        self.rows.append(row)
        self._write("a", [row])
        print(*row.values(), sep="\t", flush=True)


def jobs(parts, sizes, quick: bool):
    """(problem, method, n), the smaller n first within a method."""
    for part in parts:
        for problem, methods, own in PARTS[part]:
            asked = sizes if part == "scaling" and sizes else own
            if quick:
                asked = [n // 10 for n in asked[-3:]] if len(asked) > 1 else [own[0] // 10]
            for method in methods:
                for n in sorted(asked):
                    yield problem, method, n


def run_all(runs: Runs, arguments) -> None:
    begun, given_up = time.monotonic(), set()
    for problem, method, n in jobs(arguments.parts, arguments.sizes, arguments.quick):
        too_large = method in DENSE and n > DENSE_UP_TO
        if runs.has(problem, method, n) or (problem, method) in given_up or too_large:
            continue
        if time.monotonic() - begun > arguments.budget:
            print(f"The budget of {arguments.budget:g} s is spent: run again for the rest.")
            break
        python = arguments.peer_python if method.startswith("graphlearning") else sys.executable
        command = [python, __file__, "--one", problem, method, str(n)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=arguments.limit)
        except subprocess.TimeoutExpired:
            print(f"{problem}, {method}, n = {n}: more than {arguments.limit:g} s, no larger n")
            given_up.add((problem, method))
            continue
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            print(f"{problem}, {method}, n = {n}: skipped, {last}")
            given_up.add((problem, method))
            continue
        cells = done.stdout.strip().splitlines()[-1].split(";")
        runs.add(dict(zip(FIELDS, cells, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--sizes", type=int, nargs="+", help="of the part scaling")
    parser.add_argument("--quick", action="store_true", help="a tenth of every size, three each")
    parser.add_argument("--limit", type=float, default=200.0, help="seconds per run")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds for all")
    parser.add_argument("--out", type=Path, default=Path("docs/benchmarks"))
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--again", action="store_true", help="forget what was measured")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        problem, method, n = arguments.one
        print(*measure(problem, method, int(n)), sep=";")
        return
    runs = Runs(arguments.out / "results.csv", arguments.again)
    run_all(runs, arguments)
    load = ", ".join(f"{part:.1f}" for part in os.getloadavg())
    write(runs.rows, arguments.out, f"Load average at the end: {load}; {os.cpu_count()} cores.")


if __name__ == "__main__":
    main()
