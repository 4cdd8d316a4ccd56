"""Cases of use: what people do with an estimator, each with a relation that must hold.

Where :mod:`.judge` asks whether a fit is the minimizer, a use asks whether its answers are of any
worth, and whether two ways to the same answer agree.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .agreement import grouped, in_blocks, one_by_one, pipelines, saved, weighted
from .cases import Rng, pick
from .honesty import answers, calibrated, chance, sides
from .judge import TIME_LIMIT, Outcome, TimeIsUp, Verdict, judged_error, limited
from .limits import SIZES, lowered
from .worlds import (
    CLASSES,
    LABELS,
    SEVERAL,
    VALUES,
    Use,
    draw_model,
    draw_world,
    near_chance,
    with_more_labels,
)

REAL_SIZES = (500, 1_000, 2_000, 4_000, 8_000, 12_000)
"""The limits as they are, of what a minute can reach."""


def draw_use(seed: int, real: bool = False, names: Sequence[str] = ()) -> Use:
    """The use of that seed, at sizes around the lowered limits, or around the real ones.

    The relation is one of ``names``, or of all.
    """
    rng, more = np.random.default_rng([seed, 22]), np.random.default_rng([seed, 23])
    names = names or list(RELATIONS)
    name = names[int(rng.integers(len(names)))]
    kind = pick(rng, *KINDS.get(name, (CLASSES, CLASSES, VALUES, LABELS, SEVERAL)))
    limit = int(pick(rng, *(REAL_SIZES if real else SIZES)))
    n = int(limit * 1.05) if name == "sides" else int(limit * pick(rng, 0.7, 0.95, 1.05, 1.3))
    world = draw_world(rng, max(n, 40), kind, chance=name == "chance")
    if name == "chance" and more.random() < 0.4:
        world = near_chance(more, draw_world(more, world.n, kind))
    model = draw_model(rng, kind, world.X.shape[1], choose=name not in GIVEN)
    if more.random() < 0.2:
        world = with_more_labels(more, world)
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


RELATIONS: dict[str, Callable[[Use, list, Rng], str]] = {
    "sides": sides,
    "chance": chance,
    "calibrated": calibrated,
    "one by one": one_by_one,
    "pipelines": pipelines,
    "answers": answers,
    "grouped": grouped,
    "weighted": weighted,
    "saved": saved,
    "in blocks": in_blocks,
}

KINDS = {
    "chance": (CLASSES, CLASSES, VALUES),
    "calibrated": (CLASSES, CLASSES, CLASSES, LABELS),
    "one by one": (CLASSES, CLASSES, VALUES, LABELS, SEVERAL),
}

GIVEN = ("one by one", "in blocks")
"""Relations of which models have their settings given: a choice is made anew now and then."""
