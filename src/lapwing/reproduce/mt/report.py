"""Raw results as CSV, and MT's tables and figures made from them, ours beside the paper's."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np

from ...statistics import critical_difference, friedman, mean_ranks, pairwise_wilcoxon
from .data import DATASETS
from .methods import METHODS

EXPECTED = Path(__file__).parent / "expected.csv"


def append(out: Path, name: str, repetition: int, record: dict) -> None:
    """Add one repetition's results to armse.csv, sssl.csv and local.csv."""
    rows = [[name, repetition, m, f"{record['armse'][m]:.6f}"] for m in METHODS]
    _append(out / "armse.csv", ["dataset", "repetition", "method", "armse"], rows)
    setting = [name, repetition, record["kernel"], record["components"]]
    _append(out / "sssl.csv", ["dataset", "repetition", "kernel", "components"], [setting])
    draws = [[name, repetition, *(f"{v:.6g}" for v in row)] for row in record["local"]]
    header = ["dataset", "repetition", "lambda_s", "lambda_m", "relative_armse"]
    _append(out / "local.csv", header, draws)


def _append(path: Path, header: list[str], rows: list[list]) -> None:
    fresh = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(header)
        writer.writerows(rows)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def table_iv(out: Path) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Data sets, mean aRMSE (n_datasets, n_methods) and its standard deviation."""
    values = defaultdict(list)
    for row in read(out / "armse.csv"):
        values[row["dataset"], row["method"]].append(float(row["armse"]))
    names = [d for d in DATASETS if (d, METHODS[0]) in values]
    mean = np.array([[np.mean(values[d, m]) for m in METHODS] for d in names])
    deviation = np.array([[np.std(values[d, m]) for m in METHODS] for d in names])
    return names, mean, deviation


def table_iii(out: Path) -> dict[str, np.ndarray]:
    """Mean, Q1, Q3, best and worst relative aRMSE of the local draws per data set."""
    values = defaultdict(list)
    for row in read(out / "local.csv"):
        values[row["dataset"]].append(float(row["relative_armse"]))
    return {
        d: np.array([np.mean(v), *np.percentile(v, [25, 75]), np.min(v), np.max(v)])
        for d, v in values.items()
    }


def expected(table: str) -> dict[tuple[str, str], float]:
    """The paper's numbers of one table: (data set, column) → value."""
    rows = read(EXPECTED)
    return {(r["row"], r["column"]): float(r["value"]) for r in rows if r["table"] == table}


def write_report(out: Path) -> None:
    """results.md and results.csv: the tables, ours beside the paper's."""
    names, mean, deviation = table_iv(out)
    paper = expected("IV")
    theirs = np.array([[paper[d, m] for m in METHODS] for d in names])
    rows = [
        ["IV", d, m, f"{theirs[i, j]:.3f}", f"{mean[i, j]:.3f}", f"{deviation[i, j]:.3f}"]
        for i, d in enumerate(names)
        for j, m in enumerate(METHODS)
    ]
    columns = ("Mean", "Q1", "Q3", "Best", "Worst")
    local, printed = table_iii(out), expected("III")
    for d in names:
        for column, value in zip(columns, local[d], strict=True):
            theirs_iii = printed.get((d, column))
            text = "" if theirs_iii is None else f"{theirs_iii:.3f}"
            rows.append(["III", d, column, text, f"{value:.3f}", ""])
    with (out / "results.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["table", "row", "column", "paper", "ours", "ours_deviation"])
        writer.writerows(rows)
    sections = [
        _markdown("Table IV: aRMSE on the test part, ours (paper's)", names, METHODS, mean, theirs),
        _markdown_iii(names, columns, local, printed),
        _markdown_ii(out),
        _statistics(names, mean),
    ]
    (out / "results.md").write_text("\n\n".join(sections) + "\n", encoding="utf-8")


def _markdown(title, names, columns, ours, theirs) -> str:
    lines = [f"## {title}", "", "| data set | " + " | ".join(columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    for name, a, b in zip(names, ours, theirs, strict=True):
        best = a.min()
        cells = [
            f"{'**' if x == best else ''}{x:.3f}{'**' if x == best else ''} ({y:.3f})"
            for x, y in zip(a, b, strict=True)
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _markdown_iii(names, columns, local, printed) -> str:
    lines = [
        "## Table III: aRMSE of the local draws relative to the tuned SSSL, ours (paper's)",
        "",
    ]
    lines.append("| data set | " + " | ".join(columns) + " |")
    lines.append("|---" * (len(columns) + 1) + "|")
    for name in names:
        cells = []
        for column, value in zip(columns, local[name], strict=True):
            theirs = printed.get((name, column))
            cells.append(f"{value:.3f}" + ("" if theirs is None else f" ({theirs:.3f})"))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _markdown_ii(out: Path) -> str:
    lines = [
        "## Table II: the tuned SSSL in each repetition",
        "",
        "| data set | setting |",
        "|---|---|",
    ]
    settings = defaultdict(list)
    for row in read(out / "sssl.csv"):
        settings[row["dataset"]].append(f"{row['kernel']}, s = {row['components']}")
    lines += [f"| {d} | {'; '.join(settings[d])} |" for d in DATASETS if d in settings]
    return "\n".join(lines)


def _statistics(names, mean) -> str:
    average = mean_ranks(mean)
    test = friedman(mean)
    cd = critical_difference(len(METHODS), len(names))
    p, winner = pairwise_wilcoxon(mean)
    i, j = METHODS.index("LSMR"), METHODS.index("SSSL")
    order = np.argsort(average)
    return "\n".join(
        [
            "## Figs. 5 and 6: ranks over the data sets",
            "",
            "Mean ranks: " + ", ".join(f"{METHODS[k]} {average[k]:.2f}" for k in order) + ".",
            f"Friedman: χ² = {test.chi2:.1f}, F = {test.f:.2f}, p = {test.f_pvalue:.2g}; critical "
            f"distance (Nemenyi, α = 0.05) {cd:.3f}.",
            f"LSMR against SSSL: {int((mean[:, i] < mean[:, j]).sum())} of {len(names)} data sets, "
            f"Wilcoxon p = {p[i, j]:.3f} in favour of "
            f"{'LSMR' if winner[i, j] > 0 else 'SSSL' if winner[i, j] < 0 else 'neither'}.",
        ]
    )
