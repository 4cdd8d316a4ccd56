"""Tables and pictures of what compare_peers.py has measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np

FIELDS = ("problem", "method", "n", "seconds", "cpu", "GiB", "unlabeled", "unseen", "note")
RATIOS = [
    ("ten", 8_000, "LapRLS, exact", "floor: Cholesky", 1.5),
    ("ten", 8_000, "LapSVC, exact", "floor: Cholesky", 2.0),
    ("ten", 5_000, "100 targets", "1 target", 1.5),
    ("ten", 100, "fresh process, n = 2000", "floor: import sklearn", 3.0),
    ("wide", 1_000_000, "LapRLS, given", "floor: search", 4.0),
    ("documents", 50_000, "LapSVC, text", "floor: sparse X Xᵀ", 3.0),
]
"""Problem, n, method, floor, and how many times the floor is aimed at."""


def write(rows: list[dict], out: Path, load: str) -> None:
    """table.md, times.png and summary.png from the rows."""
    lines = [load + " Times are wall clock and CPU seconds of fit; errors in per cent.", ""]
    lines += ["![Errors and seconds of each method on three sets](summary.png)", ""]
    lines += _ratio_table(rows)
    for problem in dict.fromkeys(row["problem"] for row in rows):
        lines += [f"## {problem}", "", *_table([r for r in rows if r["problem"] == problem])]
    (out / "table.md").write_text("\n".join(lines).rstrip() + "\n")
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        print("matplotlib is not installed: no pictures")
        return
    _times(rows, out / "times.png", plt)
    _summary(rows, out / "summary.png", plt)


def _table(rows: list[dict]) -> list[str]:
    lines = [
        "| method | n | s | CPU s | GiB | unlabeled | unseen | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        errors = [f"{100 * float(row[key]):.2f}" for key in ("unlabeled", "unseen")]
        cells = [row[key] for key in FIELDS[1:6]] + errors + [row["note"]]
        lines.append("| " + " | ".join(cells).replace("nan", "–") + " |")
    slopes = [(method, exponent(group)) for method, group in _by_method(rows).items()]
    slopes = [(method, slope) for method, slope in slopes if np.isfinite(slope)]
    if slopes:
        lines += ["", "| method | exponent of the wall time |", "|---|---|"]
        lines += [f"| {method} | {slope:.2f} |" for method, slope in slopes]
    return [*lines, ""]


def _ratio_table(rows: list[dict]) -> list[str]:
    lines = []
    for problem, n, method, floor, aim in RATIOS:
        pair = [_find(rows, problem, name, n) for name in (method, floor)]
        if None in pair:
            continue
        wall, cpu = (float(pair[0][key]) / max(float(pair[1][key]), 1e-3) for key in FIELDS[3:5])
        lines.append(
            f"| {problem}, n = {n} | {method} / {floor} | {wall:.2f} | {cpu:.2f} | {aim} |"
        )
    slope = _beside_search(rows)
    if slope is not None:
        lines.append(f"| wide | exponent without the search | {slope:.2f} | – | 1.15 |")
    head = ["| problem | ratio | wall | CPU | aim |", "|---|---|---|---|---|"]
    return [*head, *lines, ""] if lines else []


def _beside_search(rows: list[dict]) -> float | None:
    """The exponent of the fit's time less the search's, between the least and the largest n."""
    fit, search = (
        {int(r["n"]): float(r["seconds"]) for r in rows
         if (r["problem"], r["method"]) == ("wide", name)}
        for name in ("LapRLS, given", "floor: search")
    )  # fmt: skip
    both = sorted(fit.keys() & search.keys())
    if len(both) < 2:
        return None
    rest = [max(fit[n] - search[n], 1e-2) for n in (both[0], both[-1])]
    return float(np.log(rest[1] / rest[0]) / np.log(both[-1] / both[0]))


def _find(rows, problem: str, method: str, n: int) -> dict | None:
    found = [r for r in rows if (r["problem"], r["method"], r["n"]) == (problem, method, str(n))]
    return found[-1] if found else None


def _by_method(rows: list[dict]) -> dict[str, list[dict]]:
    groups: dict[str, list[dict]] = {}
    for row in sorted(rows, key=lambda r: int(r["n"])):
        groups.setdefault(row["method"], []).append(row)
    return groups


def exponent(rows: list[dict]) -> float:
    """The slope of log time over log n, over the three largest sizes."""
    last = rows[-3:]
    if len(last) < 2:
        return float("nan")
    n, seconds = ([float(row[key]) for row in last] for key in ("n", "seconds"))
    return float(np.polyfit(np.log(n), np.log(np.maximum(seconds, 1e-2)), 1)[0])


def _style(method: str) -> str:
    return ":" if method.startswith("floor") else "-" if method.startswith("Lap") else "--"


def _times(rows: list[dict], path: Path, plt) -> None:
    """Time over n, one panel for each problem that was measured at several n."""
    problems = {p: _by_method([r for r in rows if r["problem"] == p]) for p in _problems(rows)}
    several = {p: g for p, g in problems.items() if sum(len(rows) > 1 for rows in g.values()) > 1}
    if not several:
        return
    figure, axes = plt.subplots(1, len(several), figsize=(7 * len(several), 5), squeeze=False)
    for axis, (problem, groups) in zip(axes[0], several.items(), strict=True):
        for method, group in groups.items():
            n, seconds = ([float(row[key]) for row in group] for key in ("n", "seconds"))
            label = f"{method} ({exponent(group):.1f})" if len(group) > 1 else method
            axis.loglog(n, np.maximum(seconds, 1e-2), _style(method), marker="o", label=label)
        axis.set(xlabel="points", ylabel="seconds of fit", title=f"{problem} (exponent)")
        axis.legend(fontsize=7)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    plt.close(figure)


def _summary(rows: list[dict], path: Path, plt) -> None:
    """Errors of each method at the largest n of each problem, least first, with its seconds."""
    shown = []
    for problem in _problems(rows):
        own = [r for r in rows if r["problem"] == problem and r["unlabeled"] != "nan"]
        if own:
            top = max(int(r["n"]) for r in own)
            shown.append((problem, top, [r for r in own if int(r["n"]) == top]))
    shown = [part for part in shown if len(part[2]) > 2]
    if not shown:
        return
    most = max(len(group) for _, _, group in shown)
    figure, axes = plt.subplots(
        1, len(shown), figsize=(5.2 * len(shown), 0.34 * most + 1.1), squeeze=False
    )
    for axis, (problem, n, group) in zip(axes[0], shown, strict=True):
        _bars(axis, sorted(group, key=lambda r: -float(r["unlabeled"])))
        axis.set_title(f"{problem}, {n:,} rows", fontsize=11)
        axis.set_xlabel("% errors on unlabeled rows")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _bars(axis, group: list[dict]) -> None:
    """One bar for each method: blue is Lapwing, gray its peers."""
    errors = [100 * float(row["unlabeled"]) for row in group]
    names = [row["method"] for row in group]
    colors = ["C0" if name.startswith("Lap") else "0.7" for name in names]
    axis.barh(names, errors, color=colors)
    for place, (row, error) in enumerate(zip(group, errors, strict=True)):
        text = f" {error:.1f} %, {float(row['seconds']):.2g} s"
        axis.text(error, place, text, va="center", fontsize=8)
    axis.set_xlim(0, 1.35 * max(errors))
    axis.tick_params(axis="y", labelsize=9)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def _problems(rows: list[dict]) -> list[str]:
    return list(dict.fromkeys(row["problem"] for row in rows))
