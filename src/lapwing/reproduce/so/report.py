"""The paper's numbers beside ours, and whether the differences are real."""

from __future__ import annotations

import csv
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import ttest_rel

HERE = Path(__file__).parent
COLUMNS = (
    "machine", "manifold", "labelled_per_class", "rows", "metric",
    "mean", "sd", "repetitions", "paper",
)  # fmt: skip
Key = tuple[str, str, int, str, str]  # machine, manifold, labelled, rows, metric


def collect(repetitions: list[list[dict]]) -> dict[Key, np.ndarray]:
    """One array over repetitions per machine, number of labels, rows and metric."""
    found: dict[Key, list[float]] = defaultdict(list)
    for records in repetitions:
        for r in records:
            key = (r["machine"], r["manifold"], r["labelled"], r["rows"], r["metric"])
            found[key].append(r["value"])
    return {key: np.array(values) for key, values in found.items()}


def read_expected(data: str) -> dict[tuple[str, int, str, str], float]:
    """(manifold, labelled, rows, metric) ↦ the printed value."""
    with (HERE / "expected.csv").open(newline="") as file:
        return {
            (r["manifold"], int(r["labelled_per_class"]), r["rows"], r["metric"]): float(r["value"])
            for r in csv.DictReader(file)
            if r["data"] == data
        }


def write_csv(path: Path, values: dict[Key, np.ndarray], data: str) -> None:
    """Mean and standard deviation of every cell, and the paper's where it has one."""
    expected = read_expected(data)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for (machine, manifold, labelled, rows, metric), v in values.items():
            paper = expected.get((manifold, labelled, rows, metric), "")
            shown = paper if machine == "structured" else ""
            spread = v.std(ddof=1) if len(v) > 1 else 0.0
            cell = [machine, manifold, labelled, rows, metric]
            writer.writerow([*cell, f"{v.mean():.4f}", f"{spread:.4f}", len(v), shown])


def summary(values: dict[Key, np.ndarray], loss: str, data: str) -> str:
    """Markdown: with against without manifold, and structured against flat, in pairs."""
    expected = read_expected(data)
    counts = sorted({key[2] for key in values})
    lines = [
        f"| rows | labels | metric | without | with | paired t p | paper without | paper with | "
        f"flat with | structured − flat ({loss} and 0-1: lower is better) |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    cells = product(("unlabelled", "unseen"), counts, ("zero_one", loss))
    lines += [_line(values, expected, *cell) for cell in cells]
    return "\n".join(lines) + "\n"


def _line(values, expected, rows, count, metric) -> str:
    w = values["structured", "with", count, rows, metric]
    o = values["structured", "without", count, rows, metric]
    f = values["flat", "with", count, rows, metric]
    mean, error = paired(w, f)
    paper = [expected.get((m, count, rows, metric)) for m in ("without", "with")]
    shown = ["–" if p is None else f"{p:.3f}" for p in paper]
    return (
        f"| {rows} | {count} | {metric} | {o.mean():.3f} | {w.mean():.3f} | {p_value(w, o):.1e} | "
        f"{shown[0]} | {shown[1]} | {f.mean():.3f} | {mean:+.4f} ± {error:.4f} |"
    )


def paired(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """The mean of a − b over repetitions, and its standard error."""
    d = a - b
    return float(d.mean()), float(d.std(ddof=1) / np.sqrt(len(d))) if len(d) > 1 else 0.0


def p_value(a: np.ndarray, b: np.ndarray) -> float:
    """Two-sided paired t-test; 1 where no repetition differs."""
    if len(a) < 2 or np.allclose(a, b):
        return 1.0
    return float(ttest_rel(a, b).pvalue)
