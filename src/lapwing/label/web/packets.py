"""What goes over the wire: coordinates once, then two bytes per point and update.

A packet is a little-endian uint32 (the length of the header), the header as JSON, the class of
every point (one byte), and its confidence (one byte).
"""

from __future__ import annotations

import json
import struct
import time
from typing import Any

import numpy as np

from ..session import Session
from ..worker import Worker

NONE, UNSURE = 255, 254
"""The class bytes of a gray point and of one that a person was unsure about."""

LABELED = 128
"""The high bit of the confidence byte: a person labeled the point."""


def packet(session: Session, worker: Worker | None, moved: int = 0) -> bytes:
    """The state of the session and the answers at all points."""
    with session.lock:
        head = json.dumps({**summary(session, worker), "moved": moved}).encode()
        return struct.pack("<I", len(head)) + head + point_bytes(session).tobytes()


def point_bytes(session: Session) -> np.ndarray:
    """(2, n_points) bytes: classes, then confidences in 7 bits with the labeled bit.

    In an audit the model's classes are left out: the person must not see them.
    """
    state, n = session.state, session.rows.n_points
    out = np.full((2, n), NONE, dtype=np.uint8)
    blind = session.audit is not None
    answered = np.zeros(n, bool) if blind else (session.model.codes >= 0) & ~session.model.gray()
    out[0, answered] = session.model.codes[answered]
    confidence = np.zeros(n) if blind else session.model.confidence()
    out[1] = np.round(127 * np.clip(confidence, 0, 1))
    labeled = state.codes >= 0
    out[0, labeled] = state.codes[labeled]
    unsure = list(state.unsure)
    out[0, unsure] = UNSURE
    labeled[unsure] = True
    out[1, labeled] = 127 | LABELED
    return out


def summary(session: Session, worker: Worker | None) -> dict[str, Any]:
    """Everything but the points."""
    state, audit = session.state, session.audit
    counts = np.bincount(state.codes[state.codes >= 0], minlength=1)
    answered = session.model.codes[(session.model.codes >= 0) & (state.codes < 0)]
    predicted = np.bincount(answered, minlength=1)
    return {
        "version": session.version,
        "saved": state.history.last,
        "labels": session.n_labels,
        "unsure": len(state.unsure),
        "strangers": state.strangers,
        "classes": [
            {"id": k, "name": name, "key": key, "labeled": _at(counts, k),
             "predicted": None if audit else _at(predicted, k)}
            for (k, name), key in zip(
                state.classes.items(), class_keys(list(state.classes.values())), strict=True)
        ],
        "suggested": session.suggestions(),
        "suspicious": [] if audit else session.suspicious(),
        "undo": len(state.history.undoable),
        "redo": len(state.history.redoable),
        "guidelines": state.guidelines,
        "audit": None if audit is None else audit.result(state.codes, state.unsure),
        "audits": [r for r in session.audit_results() if not r["active"] and r["labeled"]],
        "curve": session.curve(),
        "model": model_summary(session),
        "busy": worker is not None and worker.busy,
        "trouble": None if worker is None else worker.trouble,
    }  # fmt: skip


def model_summary(session: Session) -> dict[str, Any] | None:
    """What the last renewal found, and how old it is."""
    now = session.model.renewed
    if now is None:
        return None
    open_rows = int(session.rows.counts[session.state.codes < 0].sum())
    return {
        "labels": now.n_labels,
        "used": now.n_used,
        "behind": int((now.codes != session.state.codes).sum()),
        "age": round(time.time() - now.when, 1),
        "seconds": round(now.seconds, 2),
        "doubt": round(now.doubt, 4),
        "gain": now.gain,
        "open": open_rows,
        "settings": now.settings,
        "quick": session.model.n_labels == session.n_labels,
    }


def class_keys(names: list[str]) -> list[str]:
    """The key of each class: its own name where that is one digit, else the next free digit.

    Examples
    --------
    >>> class_keys(["cat", "dog"]), class_keys(["0", "1", "other"])
    (['1', '2'], ['0', '1', '2'])
    """
    own = {name for name in names if len(name) == 1 and name in "0123456789"}
    free = (key for key in "1234567890" if key not in own)
    return [name if name in own else next(free, "") for name in names]


def _at(counts: np.ndarray, k: int) -> int:
    return int(counts[k]) if k < len(counts) else 0
