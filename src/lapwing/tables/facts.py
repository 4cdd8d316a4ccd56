"""What a report tells of a fitted table, as plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ..inspection.positions import unfolded
from ..types import Estimator
from .answers import Answers, answers_of_training
from .comparing import FEWEST, compare_table
from .encoder import Encoder
from .errors import unseen_errors
from .labeled_table import LabeledTable
from .labels import Labels
from .models import TableModel, settings_of, versions
from .rows import rows_to_label, suspect_rows
from .words import number

MAPPED = 1500
"""Rows on the map, drawn by chance besides the labeled ones, so that the page stays small."""

TO_LABEL = 10
STEPS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Of the confidence, by which rows are counted."""

BINS = 8
NAMED = 8
"""Answers that a map tells apart by color; from the eighth on they share one."""

NO_LABEL, OTHERS = "(no label)", "others"


def facts_of(
    problem: LabeledTable,
    model: TableModel,
    *,
    seed: int = 0,
    compare: bool = True,
    say: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """All that a report tells.

    Parameters
    ----------
    problem : LabeledTable
    model : TableModel
    seed : int
    compare : bool
        Whether to ask if the unlabeled rows helped, which fits the table several times more.
    say : callable
        Is told what is being done.
    """
    reading = problem.reading
    return {
        "file": reading.name,
        "rows": len(problem.X),
        "said": list(reading.said),
        "sha256": reading.sha256,
        "warnings": problem.warnings,
        "written": model.about.get("written"),
        "seconds": model.about.get("seconds"),
        "seed": seed,
        "versions": versions(),
        "targets": {
            name: _of_target(problem, model, name, seed, compare, say) for name in model.pipelines
        },
    }


def _of_target(
    problem, model: Estimator, name: str, seed: int, compare: bool, say
) -> dict[str, Any]:
    pipeline, labels = model.pipelines[name], problem.targets[name]
    say(f"{name}: answers")
    found = answers_of_training(pipeline, model.encoded)
    say(f"{name}: rows to label next")
    following = rows_to_label(problem, pipeline, name, TO_LABEL).drop(columns="target")
    say(f"{name}: the map")
    return {
        "task": labels.task,
        "labeled": labels.n_labeled,
        "unlabeled": labels.skipped,
        "classes": {str(k): v for k, v in labels.counts.items()},
        "answers": counted(found, labels),
        "values": spread(found, labels),
        **settings_of(pipeline),
        "errors": unseen_errors(pipeline[-1], labels).as_dict(),
        "confidence": by_confidence(found, labels),
        "map": mapped(model.encoded, found, labels, seed),
        "next": following.to_dict("records"),
        "suspicious": suspect_rows(problem, pipeline, name)
        .drop(columns="target")
        .to_dict("records"),
        "compare": compared(problem, labels, seed, say) if compare else None,
    }


def counted(found: Answers, labels: Labels) -> dict[str, int]:
    """How many unlabeled rows got each answer, most first; nothing for real targets.

    Where a row may have several labels, each of them counts.
    """
    if found.confidence is None:
        return {}
    open_rows = [v for v, given in zip(found.values, labels.labeled, strict=True) if not given]
    several = labels.task == "labels"
    names = [str(n) for v in open_rows for n in ((v or (NO_LABEL,)) if several else (v,))]
    return dict(Counter(names).most_common())


def spread(found: Answers, labels: Labels) -> dict[str, Any] | None:
    """The answers at unlabeled rows counted by size, and how wide their bounds are; or None."""
    open_rows = ~labels.labeled
    if found.low is None or found.high is None or not open_rows.any():
        return None
    counts, edges = np.histogram(found.values[open_rows], BINS)
    bars = zip(edges[:-1], edges[1:], counts, strict=True)
    return {
        "bins": [{"from": float(a), "to": float(b), "rows": int(c)} for a, b, c in bars],
        "middle": float(np.median(found.values[open_rows])),
        "half_width": float(np.median((found.high - found.low)[open_rows]) / 2),
    }


def by_confidence(found: Answers, labels: Labels) -> list[dict[str, Any]]:
    """Unlabeled rows by confidence (single labels, where a row may have several).

    Nothing for real targets.
    """
    if found.confidence is None:
        return []
    sure = found.confidence[~labels.labeled]
    if labels.task == "labels" and found.probabilities is not None:
        p = found.probabilities[~labels.labeled]
        sure = np.maximum(p, 1.0 - p).ravel()
    counts, _ = np.histogram(sure, STEPS)
    return [
        {"from": low, "to": high, "rows": int(count)}
        for low, high, count in zip(STEPS[:-1], STEPS[1:], counts, strict=True)
    ]


def mapped(encoded: np.ndarray, found: Answers, labels: Labels, seed: int) -> dict[str, Any]:
    """Rows in the plane with their answers, and how sure these are."""
    n, given = len(encoded), labels.labeled
    rest = np.random.default_rng(seed).permutation(np.flatnonzero(~given))
    rows = np.sort(np.concatenate([np.flatnonzero(given)[:MAPPED], rest[:MAPPED]]))
    positions, axis = unfolded(encoded[rows])
    if found.confidence is None:
        names, codes = _quarters(found.values)
        sure = np.full(n, 0.8)
    else:
        texts = [(";".join(v) or NO_LABEL) if isinstance(v, tuple) else str(v)
                 for v in found.values]  # fmt: skip
        names, codes = _commonest(texts)
        # several labels are rarely all sure: the surest row stands for all that can be had
        sure = found.confidence / max(1e-9, found.confidence.max())
    return {
        "of": n,
        "axis": axis,
        "names": names,
        "rows": (rows + 1).tolist(),
        "x": np.round(positions[:, 0], 3).tolist(),
        "y": np.round(positions[:, 1], 3).tolist(),
        "code": codes[rows].tolist(),
        "sure": np.round(sure[rows], 3).tolist(),
        "labeled": given[rows].tolist(),
    }


def _quarters(values: np.ndarray) -> tuple[list[str], np.ndarray]:
    """The four quarters of the values: what each is called, and which one each value is in."""
    edges = np.quantile(values, [0.25, 0.5, 0.75])
    low, middle, high = map(number, edges)
    names = [f"below {low}", f"{low} to {middle}", f"{middle} to {high}", f"above {high}"]
    return names, np.digitize(values, edges)


def _commonest(texts: list[str]) -> tuple[list[str], np.ndarray]:
    """The names with a color of their own, the last one for all others, and each row's."""
    names = [name for name, _ in Counter(texts).most_common()]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], OTHERS]
    place = {name: i for i, name in enumerate(names)}
    return names, np.array([place.get(text, len(names) - 1) for text in texts])


def compared(
    problem: LabeledTable, labels: Labels, seed: int, say: Callable[[str], None]
) -> dict[str, Any] | None:
    """Whether the unlabeled rows helped; None where there are too few labels to tell."""
    if labels.n_labeled < FEWEST:
        return None
    roles = problem.given.roles
    encoder = Encoder(text=roles.text, keep=roles.keep, random_state=seed)
    found = compare_table(
        problem.X, labels, groups=problem.groups, encoder=encoder, seed=seed, say=say
    )
    return {"methods": found.rows(), "verdict": found.verdict, "folds": found.n_folds}
