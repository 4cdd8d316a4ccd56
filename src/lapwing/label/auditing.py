"""The beginning and the end of an audit, as changes for the store."""

from __future__ import annotations

import numpy as np

from .answers import Answers
from .audit import draw
from .history import Change
from .state import State


def begun(state: State, model: Answers, k: int, seed: int | None) -> Change:
    """Draw k random file rows that nobody has decided about; keep the model's answers there.

    Where rows have groups, they are drawn from groups in which nobody has decided about any row.
    """
    if model.renewed is None:
        raise ValueError("An audit tests the model: label rows of two classes first.")
    if k < 1:
        raise ValueError(f"An audit needs at least one row; {k} were asked for.")
    rows, taken = state.rows, state.taken()
    if rows.groups is not None:  # the model has seen the others of a labeled row's group
        taken = np.isin(rows.groups, rows.groups[taken])
    points = draw(rows.point_of, taken, k, np.random.default_rng(seed))
    drawn = [[rows.keys[p], int(model.codes[p])] for p in points]
    value = {"drawn": drawn, "rows": int((~taken[rows.point_of]).sum())}
    return Change("audit", str(len(state.audits()) + 1), value)


def stopped(state: State) -> list[Change]:
    """End the audit that is going on, if there is one, with the rows that were labeled."""
    if (audit := state.audit) is None:
        return []
    value = state.history.value("audit", audit.id)
    return [Change("audit", audit.id, {**value, "stopped": True})]
