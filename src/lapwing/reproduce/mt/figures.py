"""MT Figs. 1–6 from the results: ``python -m lapwing.reproduce.mt.figures [DIRECTORY]``."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from ...inspection import (
    CriticalDifferenceDisplay,
    PairwiseSignificanceDisplay,
    RelativeGainDisplay,
)
from .methods import METHODS
from .report import read, table_iv

SHOWN = ("scpf", "sf2", "osales", "oes97")


def critical_difference(out: Path) -> None:
    """Fig. 6."""
    _, mean, _ = table_iv(out)
    display = CriticalDifferenceDisplay.from_scores(mean, METHODS).plot()
    display.figure_.savefig(out / "fig6_critical_difference.png", dpi=110)


def significance(out: Path) -> None:
    """Fig. 5."""
    _, mean, _ = table_iv(out)
    display = PairwiseSignificanceDisplay.from_scores(mean, METHODS, alpha=0.1).plot()
    display.figure_.savefig(out / "fig5_wilcoxon.png", dpi=110)


def relative_gains(out: Path) -> None:
    """Figs. 1–4, all repetitions in one picture each."""
    import matplotlib.pyplot as plt

    rows = read(out / "local.csv")
    figure, axes = plt.subplots(2, 2, figsize=(9.5, 7.0), layout="constrained")
    for ax, name in zip(axes.ravel(), SHOWN, strict=True):
        chosen = [r for r in rows if r["dataset"] == name]
        columns = [
            np.array([float(r[c]) for r in chosen])
            for c in ("lambda_s", "lambda_m", "relative_armse")
        ]
        RelativeGainDisplay(
            lambda_s=columns[0], lambda_m=columns[1], relative=columns[2], name=name
        ).plot(ax)
    figure.savefig(out / "fig1-4_relative_gain.png", dpi=90)


def main(arguments: list[str] | None = None) -> None:
    """Draw all figures into the directory of the results."""
    given = sys.argv[1:] if arguments is None else arguments
    out = Path(given[0]) if given else Path(__file__).parent / "results"
    critical_difference(out)
    significance(out)
    relative_gains(out)


if __name__ == "__main__":
    main()
