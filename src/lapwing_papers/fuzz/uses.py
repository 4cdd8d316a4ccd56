"""Cases of use: what people do with an estimator, each with a relation that must hold.

Where :mod:`.judge` asks whether a fit is the minimizer, a use asks whether its answers are of any
worth, and whether two ways to the same answer agree.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from lapwing.estimators.fitting import training_readout
from lapwing.exceptions import ChanceWarning
from lapwing.model_selection import LabeledKFold

from .cases import Rng, pick
from .judge import TIME_LIMIT, Outcome, TimeIsUp, Verdict, judged_error, limited
from .limits import SIZES, lowered
from .worlds import CLASSES, LABELS, SEVERAL, VALUES, World, draw_model, draw_world

GROSS = 0.3
"""Errors, confidences and estimates that differ by more than this are a mistake, not a draw."""

FEW_VALUES = 12
"""Labels below which an error, and a choice among settings of real targets, is a draw."""

REAL_SIZES = (500, 1_000, 2_000, 4_000, 8_000, 12_000)
"""The limits as they are, of what a minute can reach."""


@dataclass
class Use:
    """A world, a model and the relation that is looked at."""

    seed: int
    name: str
    world: World
    model: Any
    real: bool = False

    def __str__(self) -> str:
        w = self.world
        words = f"{w.words}, {w.n} × {w.X.shape[1]}, {int(w.labeled.sum())} labels"
        return f"seed {self.seed}: {self.name}: {' '.join(repr(self.model).split())} on {words}"


def draw_use(seed: int, real: bool = False) -> Use:
    """The use of that seed, at sizes around the lowered limits, or around the real ones."""
    rng = np.random.default_rng([seed, 22])
    name = list(RELATIONS)[rng.integers(len(RELATIONS))]
    kind = pick(rng, *KINDS.get(name, (CLASSES, CLASSES, VALUES, LABELS, SEVERAL)))
    limit = int(pick(rng, *(REAL_SIZES if real else SIZES)))
    n = int(limit * 1.05) if name == "sides" else int(limit * pick(rng, 0.7, 0.95, 1.05, 1.3))
    world = draw_world(rng, max(n, 40), kind, chance=name == "chance")
    model = draw_model(rng, kind, world.X.shape[1], choose=name != "one by one")
    return Use(seed, name, world, model, real)


def judge_use(use: Use, time_limit: float = TIME_LIMIT) -> Verdict:
    """Look at the relation within the time, with the limits lowered unless sizes are real."""
    try:
        with ExitStack() as stack:
            stack.enter_context(limited(time_limit))
            heard = stack.enter_context(warnings.catch_warnings(record=True))
            warnings.simplefilter("always")
            if not use.real:
                stack.enter_context(lowered())
            wrong = RELATIONS[use.name](use, heard, np.random.default_rng(use.seed))
        if wrong:
            return Verdict(Outcome.WRONG, wrong)
        said = any(issubclass(w.category, ConvergenceWarning) for w in heard)
        return Verdict(Outcome.FLAGGED if said else Outcome.FINE)
    except TimeIsUp:
        return Verdict(Outcome.HANG, f"more than {time_limit:g} s of CPU")
    except Exception as error:
        return judged_error(error)


def _hidden(use: Use, n: int | None = None) -> np.ndarray:
    return np.flatnonzero(~use.world.labeled[:n])


def sides(use: Use, heard: list, rng: Rng) -> str:
    """On the same rows, a few more of them do not turn right answers into wrong ones.

    Where real targets have fewer labels than an interval of the error needs, a choice between two
    settings is a draw; and a fit that says it only guesses has said so. So have two fits that both
    tell an interval of their error with the worse error in it: four labels do not tell one setting
    from another, and a row more may decide (the median distance of two clusters of like size lies
    within them or between them).
    """
    w = use.world
    if w.kind in (VALUES, SEVERAL) and w.labeled.sum() < FEW_VALUES:
        return ""
    sizes = int(w.n * 0.95 / 1.05), w.n
    rows = _hidden(use, sizes[0])
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
    w, rows = use.world, _hidden(use)
    model = clone(use.model).fit(w.X, w.y())
    wrong = _claims(use, model, rows)
    told = any(issubclass(h.category, ChanceWarning) for h in heard)
    found = model.selection_
    if not wrong and found is not None and found.guesses and not told:
        return "left-out labels are answered by guessing, and no warning says so"
    return wrong


def _claims(use: Use, model, rows: np.ndarray) -> str:
    """The error that a model tells of itself, beside the true one."""
    if use.world.kind == LABELS or use.world.labeled.sum() < FEW_VALUES:
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
    return _claims(Use(0, "", known, None), model, inner)


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


def one_by_one(use: Use, heard: list, rng: Rng) -> str:
    """Labels that come and go with ``warm_start``: each time what a fresh fit says."""
    w = use.world
    model, labeled = clone(use.model).set_params(warm_start=True), w.labeled.copy()
    for _ in range(4):
        model.fit(w.X, w.y(labeled=labeled))
        fresh = clone(use.model).fit(w.X, w.y(labeled=labeled))
        wrong = _two_fits(w, model, fresh)
        if wrong:
            return f"with {labeled.sum()} labels {wrong}"
        _changed(rng, w, labeled)
    return ""


def _two_fits(w: World, warm, fresh) -> str:
    """Two solutions of one problem: the same values of squares, the same answers of any loss."""
    a, b = training_readout(warm), training_readout(fresh)
    apart = float(np.abs(a - b).max() / (np.abs(b).max() or 1.0))
    room = 1e-4 + 30.0 * (warm.solution_.optimality + fresh.solution_.optimality)
    if fresh.objective_.loss.quadratic and not apart <= room:
        return f"warm and fresh values differ by {apart:.1e}"
    other = w.kind == CLASSES and float(np.mean(warm.transduction_ != fresh.transduction_))
    return f"warm and fresh answers differ at {other:.0%} of the rows" if other > 0.02 else ""


def _changed(rng: Rng, w: World, labeled: np.ndarray) -> None:
    """One label more, or one less where its class keeps another one."""
    if rng.random() < 0.6 or w.kind != CLASSES:
        labeled[rng.choice(np.flatnonzero(~labeled))] = True
        return
    gone = int(rng.choice(np.flatnonzero(labeled)))
    if (w.truth[labeled] == w.truth[gone]).sum() > 1:
        labeled[gone] = False


def pipelines(use: Use, heard: list, rng: Rng) -> str:
    """A pipeline answers as its parts by hand, and again after a pickle."""
    w = use.world
    pipe = make_pipeline(MaxAbsScaler(), clone(use.model)).fit(w.X, w.y())
    Z = MaxAbsScaler().fit_transform(w.X)
    hand = clone(use.model).fit(Z, w.y())
    rows = rng.choice(w.n, min(w.n, 20), replace=False)
    answers = pipe.predict(w.X), hand.predict(Z)
    if not _equal(*answers):
        return "a pipeline answers otherwise than its parts"
    if not _equal(pickle.loads(pickle.dumps(pipe)).predict(w.X[rows]), answers[0][rows]):
        return "a pickled pipeline answers otherwise"
    if rng.random() < 0.2:
        return _searched(use, pipe)
    return ""


def _equal(a, b) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind != "f":
        return bool((a == b).all())
    return bool(np.abs(a - b).max() <= 1e-6 * (np.abs(b).max() or 1.0))


def _searched(use: Use, pipe) -> str:
    """A grid search over labeled folds refits what it has found."""
    w, (step, model) = use.world, pipe.steps[-1]
    known = "gamma_A" in model.get_params(deep=False)
    grid = {f"{step}__gamma_A": [1e-4, 1e-2]} if known else {f"{step}__tol": [None]}
    found = GridSearchCV(pipe, grid, cv=LabeledKFold(2), error_score="raise").fit(w.X, w.y())
    return "" if np.isfinite(found.best_score_) else "a grid search without a score"


def answers(use: Use, heard: list, rng: Rng) -> str:
    """Whatever a fitted model can be asked, it answers with numbers, or in one clear sentence."""
    w = use.world
    model = clone(use.model).fit(w.X, w.y())
    new = w.X[: min(w.n, 15)]
    if not _equal(model.predict(w.X), model.transduction_):
        return "predict at training rows differs from the transduction"
    for name, ask in QUESTIONS.items():
        if hasattr(model, name.split("(")[0]):
            found = np.asarray(ask(model, new), dtype=float)
            if name not in PARTLY and not np.isfinite(found).all():
                return f"{name} is not finite"
    asked = np.asarray(model.next_to_label(3))
    if w.labeled[asked].any() or len(set(asked.tolist())) != 3:
        return f"next_to_label asks for {asked.tolist()}"
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

RELATIONS: dict[str, Callable[[Use, list, Rng], str]] = {
    "sides": sides,
    "chance": chance,
    "calibrated": calibrated,
    "one by one": one_by_one,
    "pipelines": pipelines,
    "answers": answers,
}

KINDS = {
    "chance": (CLASSES, CLASSES, VALUES),
    "calibrated": (CLASSES, CLASSES, CLASSES, LABELS),
    "one by one": (CLASSES, CLASSES, VALUES),
}
