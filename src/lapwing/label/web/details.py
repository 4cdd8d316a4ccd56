"""What the page shows beside the map: the session, one row, the last events."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..layout import LAYOUTS
from ..reading import numeric_columns
from ..session import Session

LONGEST_CELL = 20_000
QUICK_MAP = 20_000
"""Up to so many points the neighbor map is drawn first (15 s at most); above, the axes are."""

SHOWN = 6
"""Classes whose probabilities are shown for a row."""


def about(session: Session) -> dict[str, Any]:
    """What does not change while the page is open."""
    rows = session.rows
    many = np.flatnonzero(rows.counts > 1)
    return {
        "name": rows.name,
        "points": rows.n_points,
        "rows": rows.n,
        "columns": list(rows.columns),
        "numeric": numeric_columns(rows),
        "text": rows.text,
        "pictures": rows.picture is not None,
        "layouts": list(LAYOUTS),
        "layout": "neighbors" if rows.n_points <= QUICK_MAP else "axes",
        "annotator": session.annotator,
        "file": None if session.store.path is None else session.store.path.name,
        "duplicates": [[int(p), int(rows.counts[p])] for p in many],
    }


def row(session: Session, point: int) -> dict[str, Any]:
    """One point: cells, label, answer, probabilities, nearest labeled rows.

    In an audit the model's part is left out.
    """
    with session.lock:
        rows, state, names = session.rows, session.state, session.state.classes
        event, code = state.event(point), int(state.codes[point])
        out = {
            "point": point,
            "row": int(rows.first[point]) + 1,
            "count": int(rows.counts[point]),
            "cells": [[name, text[:LONGEST_CELL]] for name, text in rows.cells(point)],
            "label": code if code >= 0 else None,
            "unsure": point in state.unsure,
            "by": None if event is None else event.annotator,
            "at": None if event is None else event.time,
            "brief": rows.brief(point),
            "blind": session.audit is not None,
        }
        if out["blind"]:
            return out
        answer = int(session.model.codes[point])
        near = session.nearest_labeled(point)
        return out | {
            "answer": answer if answer in names else None,
            "confidence": round(float(session.model.confidence()[point]), 3),
            "gray": bool(session.model.gray()[point]),
            "probabilities": _probabilities(session, point),
            "suspicious": point in session.suspicious(),
            "others": _others(session, point),
            "why": [
                {"point": p, "class": int(state.codes[p]), "brief": rows.brief(p)} for p in near
            ],
        }


def history(session: Session, n: int = 50) -> list[dict[str, Any]]:
    """The last batches that can be undone, the last first."""
    with session.lock:
        state = session.state
        found = []
        for number in reversed(state.history.undoable[-n:]):
            events = state.history.batches[number]
            found.append(
                {"kind": events[-1].kind, "n": len(events), "at": events[-1].time,
                 "by": events[-1].annotator, "new": events[-1].new,
                 "point": state.rows.point_of_key.get(events[-1].subject)}
            )  # fmt: skip
        return found


def _others(session: Session, point: int) -> int | None:
    """The class that the other labels give a point, if it is labeled as it was then."""
    now, codes = session.model.renewed, session.state.codes
    if now is None or codes[point] < 0 or codes[point] != now.codes[point]:
        return None
    other = int(now.others[point])
    return other if other in session.state.classes else None


def _probabilities(session: Session, point: int) -> list[dict[str, Any]]:
    now = session.model.renewed
    if now is None:
        return []
    p = now.probability[point]
    order = np.argsort(-p, kind="stable")[:SHOWN]
    return [{"class": int(now.classes[i]), "p": round(float(p[i]), 3)} for i in order]
