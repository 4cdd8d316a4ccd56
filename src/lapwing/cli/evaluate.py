"""``lapwing evaluate``: the errors of a kept model on rows whose answers are known."""

import argparse
from itertools import pairwise
from typing import Any

import numpy as np

from ..tables.answers import Answers, answers_at
from ..tables.errors import Errors, root_mean_square, share_wrong
from ..tables.extras import TableError, need
from ..tables.label_sets import read_label_sets
from ..tables.labels import Labels, read_labels
from ..tables.models import TableModel, load_model
from ..types import Frame
from .given import names, read_given, table_for
from .output import Result, Voice, check_free, emit

BINS = (0.0, 0.5, 0.7, 0.9, 0.95, 1.0)
"""Of the confidence, whose accuracy is shown bin by bin."""


def run(arguments: argparse.Namespace) -> None:
    """Answer the labeled rows and compare."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    model = load_model(arguments.model)
    reading = read_given(arguments, voice)
    targets = names(arguments.target, reading.frame) or tuple(model.pipelines)
    frame = table_for(model, reading, arguments.vector)
    words, data, tables = [], {}, []
    for name in targets:
        labels = truth_of(model, reading.frame, name)
        rows = np.flatnonzero(labels.labeled)
        found = answers_at(model.pipelines[name], frame.iloc[rows])
        errors = errors_of(found, labels, rows)
        words.append(f"{name}: {errors}")
        single = wrong_labels(found, labels, rows)
        if single:
            words.append(f"{name}: {100 * single['single']:.1f} % of single labels wrong")
        confusion, calibration = confused(found, labels, rows), calibrated(found, labels, rows)
        words += calibration_words(calibration, found, labels, rows)
        data[name] = {
            **errors.as_dict(), **single, "confusion": confusion.to_dict("records"),
            "calibration": calibration,
        }  # fmt: skip
        tables.append(confusion)
    table = need("pandas", "A table").concat(tables, ignore_index=True)
    follow = f"lapwing show {arguments.model}"
    emit(Result({"file": reading.name, "targets": data}, table, words, follow), arguments, voice)


def truth_of(model: TableModel, frame: Frame, name: str) -> Labels:
    """The answers that are known."""
    if name not in model.pipelines:
        known = ", ".join(model.pipelines)
        raise TableError(f"The model was not fitted to {name!r}, but to {known}.")
    if name not in frame.columns:
        raise TableError(f"There is no column {name!r} to compare with; give labeled rows.")
    marks = model.about.get("unlabeled") or None
    task = model.about["targets"][name]["task"]
    if task == "labels":
        labels = read_label_sets(frame[name], model.about["separator"], marks)
    else:
        labels = read_labels(frame[name], marks, task, name=f"column {name!r}")
    if not labels.n_labeled:
        raise TableError(f"No row of column {name!r} is labeled: there is nothing to compare with.")
    return labels


def errors_of(found: Answers, labels: Labels, rows: np.ndarray) -> Errors:
    """The error on these rows, with its interval."""
    if labels.task == "real":
        truth = labels.y[rows].astype(float)
        return root_mean_square(truth - found.values, truth, "labeled rows")
    return share_wrong(wrong(found, labels, rows), "labeled rows")


def wrong(found: Answers, labels: Labels, rows: np.ndarray) -> np.ndarray:
    """Whether each answer is wrong; compared as text, as files hold no types."""
    pairs = zip(found.values, labels.y[rows], strict=True)
    return np.array([_text(a) != _text(b) for a, b in pairs])


def wrong_labels(found: Answers, labels: Labels, rows: np.ndarray) -> dict[str, float]:
    """The share of wrong single labels, where a row may have several; else nothing."""
    if labels.task != "labels":
        return {}
    names = [str(name) for name in found.classes]
    said, told = (
        np.array([[c in set(map(str, v)) for c in names] for v in values])
        for values in (found.values, labels.y[rows])
    )
    return {"single": float(np.mean(said != told))}


def _text(value) -> str:
    if isinstance(value, tuple):
        return ";".join(sorted(map(str, value)))
    return str(value.item() if isinstance(value, np.generic) else value)


def confused(found: Answers, labels: Labels, rows: np.ndarray) -> Frame:
    """How often each answer was given for each truth; for real targets nothing."""
    pandas = need("pandas", "A table")
    if labels.task == "real":
        inside = (labels.y[rows] >= found.low) & (labels.y[rows] <= found.high)
        return pandas.DataFrame({"rows": [len(rows)], "inside_95": [float(np.mean(inside))]})
    truth = [_text(v) for v in labels.y[rows]]
    said = [_text(v) for v in found.values]
    counts = pandas.DataFrame({"truth": truth, "answer": said}).value_counts(sort=False)
    return counts.rename("rows").reset_index().sort_values(["truth", "answer"], ignore_index=True)


def calibrated(found: Answers, labels: Labels, rows: np.ndarray) -> list[dict[str, Any]]:
    """Accuracy by confidence, bin by bin."""
    if found.confidence is None:
        return []
    right, bins = ~wrong(found, labels, rows), []
    for low, high in pairwise(BINS):
        here = (found.confidence >= low) & (
            (found.confidence < high) | ((high == 1.0) & (found.confidence <= 1.0))
        )
        if here.any():
            bins.append(
                {
                    "confidence": f"{low:g} to {high:g}",
                    "rows": int(here.sum()),
                    "mean": float(found.confidence[here].mean()),
                    "right": float(right[here].mean()),
                }
            )
    return bins


def calibration_words(
    bins: list[dict[str, Any]], found: Answers, labels: Labels, rows: np.ndarray
) -> list[str]:
    """The same for a person."""
    if found.confidence is None:
        return []
    right = float((~wrong(found, labels, rows)).mean())
    out = [f"confidence {found.confidence.mean():.2f} on average, right {right:.2f}"]
    return out + [
        f"  confidence {b['confidence']:12} {b['rows']:6,} rows, {100 * b['right']:5.1f} % right"
        for b in bins
    ]
