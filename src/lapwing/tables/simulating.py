"""How errors fall with the number of labels: rows that the model suggests, and rows at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..exceptions import muted
from ..types import Estimator, MatrixLike, TargetLike
from .encoder import Encoder
from .extras import TableError
from .labels import Labels
from .models import estimator_for

MOST_ROWS = 2000
"""Rows that a simulation looks at; more are drawn from, so that it ends in minutes."""


def simulate_labels(
    X: MatrixLike,
    labels: Labels,
    *,
    groups: np.ndarray | None = None,
    encoder: Encoder | None = None,
    start: int | None = None,
    step: int = 10,
    stop: int = 100,
    draws: int = 3,
    seed: int = 0,
    say: Callable[[str], None] = lambda text: None,
) -> list[dict[str, Any]]:
    """Errors at the rows without a label, while labels are added, suggested and at random.

    Only rows whose label is known take part. Both ways begin with the same labels: two rows of
    each class, or ``start`` numbers or sets of labels. With ``groups``, (n,), settings are chosen
    by leaving out whole groups, and errors are those of groups without a label.

    Returns
    -------
    list of dict
        ``labels``, ``way`` ("suggested" or "random"), ``draw`` and ``error``: the share of wrong
        classes or sets, or the root mean square error.
    """
    known = np.flatnonzero(labels.labeled)
    if len(known) < 30:
        raise TableError(
            f"simulate needs a file whose labels are known: only {len(known)} rows have one."
        )
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.permutation(known)[:MOST_ROWS])
    Z = (Encoder(random_state=seed) if encoder is None else encoder).fit_transform(X.iloc[rows])
    truth, out = labels.y[rows], []
    own = None if groups is None else groups[rows]
    stop = min(stop, len(rows) - 10)
    for draw in range(draws):
        first = _first(truth, labels.task, start, rng)
        for way in ("suggested", "random"):
            chosen = first
            while True:
                say(f"draw {draw + 1} of {draws}, {way}, {len(chosen)} labels")
                with muted():
                    told = _told(truth, labels, chosen)
                    model = estimator_for(labels.task, seed).fit(Z, told, groups=own)
                out.append(
                    {
                        "labels": len(chosen),
                        "way": way,
                        "draw": draw,
                        "error": _error(model, truth, labels.task, _asked(chosen, len(rows), own)),
                    }
                )
                more = min(step, stop - len(chosen))
                if more < 1:
                    break
                rest = np.setdiff1d(np.arange(len(truth)), chosen)
                added = model.next_to_label(more) if way == "suggested" else rng.permutation(rest)
                chosen = np.concatenate([chosen, np.asarray(added)[:more]])
    return out


def _first(truth: TargetLike, task: str, start: int | None, rng) -> np.ndarray:
    if task != "class":
        return rng.permutation(len(truth))[: start or 10]
    names = np.array([str(v) for v in truth])
    each = max(1, (start or 0) // len(np.unique(names))) if start else 2
    return np.concatenate(
        [rng.permutation(np.flatnonzero(names == c))[:each] for c in np.unique(names)]
    )


def _told(truth: TargetLike, labels: Labels, chosen: np.ndarray) -> TargetLike:
    y = np.full(len(truth), np.nan) if labels.task == "real" else np.full(len(truth), None)
    y[chosen] = truth[chosen]
    return list(y) if labels.task == "labels" else y


def _asked(chosen: np.ndarray, n: int, groups: np.ndarray | None) -> np.ndarray:
    """Rows without a label, of groups without one where there are such."""
    rest = np.setdiff1d(np.arange(n), chosen)
    apart = rest if groups is None else rest[~np.isin(groups[rest], groups[chosen])]
    return apart if len(apart) else rest


def _error(model: Estimator, truth: TargetLike, task: str, asked: np.ndarray) -> float:
    if task == "labels":
        return float(np.mean([set(model.transduction_[i]) != set(truth[i]) for i in asked]))
    found = np.asarray(model.transduction_)[asked]
    if task == "real":
        return float(np.sqrt(np.mean((found - truth[asked].astype(float)) ** 2)))
    return float(np.mean([a != b for a, b in zip(found.tolist(), truth[asked], strict=True)]))


def averaged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The mean error of each way at each number of labels, side by side."""
    counts = sorted({row["labels"] for row in rows})
    out = []
    for count in counts:
        line: dict = {"labels": count}
        for way in ("suggested", "random"):
            here = [r["error"] for r in rows if r["labels"] == count and r["way"] == way]
            line[way] = float(np.mean(here)) if here else None
        out.append(line)
    return out
