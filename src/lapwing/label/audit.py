"""An honest test: random rows, labeled without seeing what the model says.

Rows that were chosen to teach the model are no fair sample of the others. An audit draws rows at
random from those without a label, keeps the model's answers of that moment, and asks for the rows
blind; the share of disagreements is then unbiased and has an exact interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .intervals import exact_interval


@dataclass(frozen=True)
class Audit:
    """One audit, as it stands in the events.

    Parameters
    ----------
    id : str
    points : tuple of int
        The drawn points, one entry per drawn file row.
    answers : tuple of int
        The model's class at each, when the audit began.
    rows : int
        File rows without a label then: what the error is an error of.
    stopped : bool
        Whether it was ended before all rows were labeled.
    """

    id: str
    points: tuple[int, ...]
    answers: tuple[int, ...]
    rows: int
    stopped: bool = False

    def pending(self, codes: np.ndarray, unsure: set[int]) -> list[int]:
        """Points that are still to be labeled, each once, in the order of the draw."""
        left = (p for p in self.points if codes[p] < 0 and p not in unsure)
        return [] if self.stopped else list(dict.fromkeys(left))

    def result(self, codes: np.ndarray, unsure: set[int]) -> dict[str, Any]:
        """Errors so far, their share, its exact 95 % interval, and who was left out."""
        pairs = [(codes[p], a) for p, a in zip(self.points, self.answers, strict=True)
                 if codes[p] >= 0]  # fmt: skip
        wrong = sum(label != answer for label, answer in pairs)
        low, high = exact_interval(wrong, len(pairs))
        return {
            "id": self.id, "drawn": len(self.points), "labeled": len(pairs), "wrong": int(wrong),
            "unsure": sum(p in unsure for p in self.points), "rows": self.rows,
            "share": wrong / len(pairs) if pairs else None, "low": low, "high": high,
            "pending": len(self.pending(codes, unsure)),
            "active": bool(self.pending(codes, unsure)),
        }  # fmt: skip


def draw(point_of: np.ndarray, labeled: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Points of k file rows, drawn without replacement among those without a label.

    Parameters
    ----------
    point_of : integer array of shape (n,)
        The point of each file row.
    labeled : bool array of shape (n_points,)
    k : int
    rng : numpy Generator
    """
    rows = np.flatnonzero(~labeled[point_of])
    if not len(rows):
        raise ValueError("Every row, or its group, has a label: there is none left to audit.")
    return point_of[rng.choice(rows, min(k, len(rows)), replace=False)]
