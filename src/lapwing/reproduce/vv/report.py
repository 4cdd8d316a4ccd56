"""The paper's numbers beside ours, as tables and pictures."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from scipy.stats import ttest_rel

from ...inspection import SurfaceDisplay
from .experiment import Setting

HERE = Path(__file__).parent
Found = list[dict[tuple[float, float, float], np.ndarray]]  # one dict per draw


def read_expected(data: str) -> dict[str, tuple[float, float]]:
    """method ↦ (mean, standard deviation) as printed."""
    with (HERE / "expected.csv").open(newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["data"] == data]
    return {r["method"]: (float(r["value"]), float(r["sd"])) for r in rows}


def macro(found: Found, key: tuple[float, float, float], rows: int = 0) -> np.ndarray:
    """The mean AUC over labels of each draw; rows 0 are unlabelled, 1 unseen."""
    return np.array([np.nanmean(draw[key][rows]) for draw in found])


def table1(found: Found, setting: Setting) -> list[list]:
    """Method, γ's, AUC on unlabelled and unseen rows, p against VVMR, the paper's value."""
    expected = read_expected(setting.name.split("_")[0])
    best = macro(found, setting.methods["VVMR"])
    lines: list[list] = []
    for method, key in setting.methods.items():
        a, b = macro(found, key), macro(found, key, 1)
        p = ttest_rel(best, a).pvalue if method != "VVMR" and len(a) > 1 else np.nan
        paper = expected.get(method, ("", ""))
        lines.append([method, *key, a.mean(), _sd(a), b.mean(), _sd(b), p, len(a), *paper])
    for method, paper in expected.items():
        if method not in setting.methods:
            lines.append([method, *[""] * 9, *paper])
    return lines


GAMMAS = ["gamma_A", "gamma_I", "gamma_O"]
UNLABELLED = ["auc_unlabelled", "sd_unlabelled"]
TABLE1_HEADER = ["method", *GAMMAS, *UNLABELLED, "auc_unseen", "sd_unseen"]
TABLE1_HEADER += ["p_against_vvmr", "draws", "paper", "paper_sd"]
FIG1_HEADER = [*GAMMAS, "draws", *UNLABELLED]
FIG2_HEADER = ["draw", "label", "auc_transductive", "auc_inductive"]


def surface(found: Found, setting: Setting, gamma_A: float) -> SurfaceDisplay:
    """VV Fig. 1 at one γ_A: the mean AUC on the unlabelled rows over (γ_I, γ_O)."""
    values = [
        [macro(found, (gamma_A, gamma_I, gamma_O)).mean() for gamma_I in setting.gamma_I]
        for gamma_O in setting.gamma_O
    ]
    return SurfaceDisplay(setting.gamma_I, setting.gamma_O, values, "γ_I", "γ_O", "macro AUC, %")


def write(found: Found, setting: Setting, folder: Path) -> str:
    """All tables and figures of one data set into a folder; the table as Markdown."""
    lines = table1(found, setting)
    _csv(folder / f"table1_{setting.name}.csv", TABLE1_HEADER, lines)
    cells = [
        [*key, len(found), macro(found, key).mean(), _sd(macro(found, key))] for key in found[0]
    ]
    _csv(folder / f"fig1_{setting.name}.csv", FIG1_HEADER, cells)
    scatter = [
        [draw, label, *found[draw][setting.chosen][:, label]]
        for draw in range(len(found))
        for label in range(found[0][setting.chosen].shape[1])
    ]
    _csv(folder / f"fig2_{setting.name}.csv", FIG2_HEADER, scatter)
    draw_figures(found, setting, folder)
    text = markdown(lines)
    (folder / f"results_{setting.name}.md").write_text(text)
    return text


def draw_figures(found: Found, setting: Setting, folder: Path) -> None:
    """VV Fig. 1 (one map per γ_A) and Fig. 2 (transductive against inductive AUC per label)."""
    import matplotlib.pyplot as plt

    n = len(setting.gamma_A)
    figure, axes = plt.subplots(1, n, figsize=(6.4 * n, 4.8), squeeze=False)
    for ax, gamma_A in zip(axes[0], setting.gamma_A, strict=True):
        surface(found, setting, gamma_A).plot(ax, fmt=".1f")
        ax.set_title(f"{setting.name}, γ_A = {gamma_A:g}")
    figure.tight_layout()
    figure.savefig(folder / f"fig1_{setting.name}.png", dpi=80)
    plt.close(figure)
    figure, ax = plt.subplots(figsize=(5, 5))
    for label in range(found[0][setting.chosen].shape[1]):
        pairs = np.array([draw[setting.chosen][:, label] for draw in found])
        ax.plot(pairs[:, 0], pairs[:, 1], ".", label=str(label))
    ax.axline((75, 75), slope=1, color="grey", lw=0.8)
    ax.set(xlabel="transductive AUC, %", ylabel="inductive AUC, %", title=setting.name)
    figure.tight_layout()
    figure.savefig(folder / f"fig2_{setting.name}.png", dpi=80)
    plt.close(figure)


def markdown(lines: list[list]) -> str:
    """Table 1 for people."""
    text = [
        "| method | γ_A, γ_I, γ_O | unlabelled | unseen | p against VVMR | paper |",
        "|---|---|---|---|---|---|",
    ]
    for method, a, i, o, m, s, m2, s2, p, _, paper, paper_sd in lines:
        ours = f"{m:.1f} ({s:.1f}) | {m2:.1f} ({s2:.1f})" if m != "" else "– | –"
        gammas = f"{a:g}, {i:g}, {o:g}" if m != "" else "–"
        shown_p = "–" if p == "" or np.isnan(p) else f"{p:.1e}"
        theirs = "–" if paper == "" else f"{paper} ({paper_sd})"
        text.append(f"| {method} | {gammas} | {ours} | {shown_p} | {theirs} |")
    return "\n".join(text) + "\n"


def _sd(values: np.ndarray) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def _csv(path: Path, header: list[str], lines: list[list]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for line in lines:
            writer.writerow([f"{v:.5g}" if isinstance(v, float) else v for v in line])
