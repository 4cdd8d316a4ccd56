"""Relations of worth: errors, confidences and answers are what a fitted model says they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.base import clone, is_classifier

from lapwing import compare
from lapwing.exceptions import ChanceWarning

from .cases import Rng
from .worlds import CLASSES, LABELS, Use, World, equal, hidden

GROSS = 0.3
"""Errors, confidences and estimates that differ by more than this are a mistake, not a draw."""

FEW_VALUES = 12
"""Labels below which an error, and a choice among settings of real targets, is a draw."""


def sides(use: Use, heard: list, rng: Rng) -> str:
    """On the same rows, a few more of them do not turn right answers into wrong ones.

    Where real targets, or sets of labels, which are chosen like these, have fewer labels than an
    interval of the error needs, a choice between two settings is a draw; and a fit that says it
    only guesses has said so. So have two fits that both tell an interval of their error with the
    worse error in it: four labels do not tell one setting from another, and a row more may decide
    (the median distance of two clusters of like size lies within them or between them).
    """
    w = use.world
    if w.kind != CLASSES and w.labeled.sum() < FEW_VALUES:
        return ""
    sizes = int(w.n * 0.95 / 1.05), w.n
    rows = hidden(use, sizes[0])
    models = [clone(use.model).fit(w.X[:n], w.y(n)) for n in sizes]
    errors = [w.error(model.transduction_[rows], rows) for model in models]
    told = any(issubclass(h.category, ChanceWarning) for h in heard)
    gross = max(errors) > min(errors) + GROSS and min(errors) < GROSS and not told
    if gross and not all(_allowed(w, model, max(errors)) for model in models):
        return f"error {errors[0]:.2f} with {sizes[0]} rows, {errors[1]:.2f} with {sizes[1]}"
    return ""


def _allowed(w: World, model, error: float) -> bool:
    """Whether the interval that a fit tells of its own error holds that error."""
    size = error if is_classifier(model) else float(np.sqrt(error))
    return w.kind != LABELS and size <= model.leave_one_out_interval_[1]


def chance(use: Use, heard: list, rng: Rng) -> str:
    """Labels that tell nothing: no small error is claimed, and a search of many labels says so."""
    w, rows = use.world, hidden(use)
    model = clone(use.model).fit(w.X, w.y())
    wrong = claims(use, model, rows)
    told = any(issubclass(h.category, ChanceWarning) for h in heard)
    found = model.selection_
    if not wrong and found is not None and found.guesses and not told:
        return "left-out labels are answered by guessing, and no warning says so"
    return wrong


def claims(use: Use, model, rows: np.ndarray) -> str:
    """The error that a model tells of itself, beside the true one."""
    few = use.world.labeled.sum() < FEW_VALUES or len(rows) < FEW_VALUES
    if use.world.kind == LABELS or few:
        return ""
    error = use.world.error(model.transduction_[rows], rows)
    low, high = model.leave_one_out_interval_
    if is_classifier(model):
        wrong = not low - GROSS <= error <= high + GROSS
    else:
        error = float(np.sqrt(error))
        wrong = error > 2.0 * high
    if wrong:
        return f"the error is {error:.2f}, and the model says {low:.2f} to {high:.2f}"
    return ""


def calibrated(use: Use, heard: list, rng: Rng) -> str:
    """Probabilities sum to one, prefer what is predicted, and are not grossly too sure.

    Where the interval that the model tells of its error holds the true one, confidence is compared
    with the error at left-out labels: the share of right answers at ten of them has a standard
    error of 0.15, half of what is gross.
    """
    w = use.world
    fitted_on = np.arange(w.n) < int(0.8 * w.n)
    fitted_on |= w.labeled
    model = clone(use.model).fit(w.X[fitted_on], w.y()[fitted_on])
    wrong = ""
    for name, rows in (("unlabeled", fitted_on & ~w.labeled), ("new", ~fitted_on)):
        at = np.flatnonzero(rows)
        wrong = wrong or _surely(w, model, name, at)
    if wrong:
        return wrong
    inner = np.flatnonzero(~w.labeled[fitted_on])
    known = World(w.words, None, w.truth[fitted_on], w.labeled[fitted_on], w.kind)
    return claims(Use(0, "", known, None), model, inner)


def _surely(w: World, model, name: str, rows: np.ndarray) -> str:
    if not hasattr(model, "predict_proba"):
        return ""
    p, predicted = model.predict_proba(w.X[rows]), model.predict(w.X[rows])
    if not np.isfinite(p).all() or p.min() < 0 or p.max() > 1 + 1e-9:
        return f"probabilities at {name} rows that are none"
    if w.kind != CLASSES:
        return ""
    if np.abs(p.sum(axis=1) - 1.0).max() > 1e-6:
        return f"probabilities at {name} rows that do not sum to one"
    best = p.max(axis=1)
    said = p[np.arange(len(p)), np.searchsorted(model.classes_, predicted)]
    if (said < best - 1e-6).any():
        return f"at {name} rows another class than the predicted one is more probable"
    right = 1.0 - w.error(predicted, rows)
    few = w.labeled.sum() < 5 * len(model.classes_) or len(rows) < 20
    if few or best.mean() <= right + GROSS:
        return ""
    # left-out labels are what a temperature is fitted to: ten of them may all be easy ones
    told = 1.0 - model.leave_one_out_error_ if _allowed(w, model, 1.0 - right) else right
    if best.mean() > told + GROSS:
        return f"at {name} rows {right:.2f} are right, at a mean confidence of {best.mean():.2f}"
    return ""


def answers(use: Use, heard: list, rng: Rng) -> str:
    """Whatever a fitted model can be asked, it answers with numbers, or in one clear sentence."""
    w = use.world
    model = clone(use.model).fit(w.X, w.y())
    new = w.X[: min(w.n, 15)]
    if not equal(model.predict(w.X), model.transduction_):
        return "predict at training rows differs from the transduction"
    for name, ask in QUESTIONS.items():
        if hasattr(model, name.split("(")[0]):
            found = np.asarray(ask(model, new), dtype=float)
            if name not in PARTLY and not np.isfinite(found).all():
                return f"{name} is not finite"
    asked = np.asarray(model.next_to_label(3))
    if w.labeled[asked].any() or len(set(asked.tolist())) != min(3, (~w.labeled).sum()):
        return f"next_to_label asks for {asked.tolist()}"
    if rng.random() < 0.1 and not str(compare(use.model, w.X, w.y())):
        return "a comparison that says nothing"
    return "" if str(model.selection_) else "nothing is said of the choice"


QUESTIONS: dict[str, Callable] = {
    "novelty": lambda m, X: m.novelty(X),
    "decision_function": lambda m, X: m.decision_function(X),
    "predict_proba": lambda m, X: m.predict_proba(X),
    "predict_interval": lambda m, X: np.stack(m.predict_interval(X)),
    "error_bound": lambda m, X: m.error_bound().leave_one_out,
    "leave_one_out_error_": lambda m, X: m.leave_one_out_error_,
    "leave_one_out_": lambda m, X: m.leave_one_out_,
    "label_suspicion_": lambda m, X: m.label_suspicion_,
    "extension_error_": lambda m, X: m.extension_error_,
}
PARTLY = ("leave_one_out_", "label_suspicion_", "error_bound", "leave_one_out_error_")
"""Answers that are NaN where nothing is known."""
