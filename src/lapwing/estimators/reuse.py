"""What one fit leaves for the next: matrices, factors and active outputs."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import joblib

from ..objective import Objective
from ..operators import Operator
from ..solvers import WorkingSet
from ..spaces import Space


@dataclass
class Kept:
    """Built parts with the keys that say when they may be used again.

    The Gram matrix and the graph belong to X and the parts' parameters; the factors of K̃ also to
    the γ's; the active outputs also to the labels. Keys are hashes of the contents; None is no
    key, and nothing is used again.
    """

    parts: str | None = None
    labels: str | None = None
    space: Space | None = None
    operator: Operator | None = None
    objective: Objective | None = None
    working_set: WorkingSet | None = None

    def renewed(self, parts: str | None, labels: str | None) -> Kept:
        """What still holds for data with these keys."""
        if parts is None or parts != self.parts:
            return Kept(parts, labels)
        working = self.working_set if labels == self.labels else None
        return Kept(parts, labels, self.space, self.operator, self.objective, working)

    def lend_factors(self, objective: Objective) -> None:
        """Give a new objective the factors of the last one, where its penalties are the same."""
        old, names = self.objective, ("space", "operator", "gamma_A", "lam")
        if old is not None and all(getattr(old, n) == getattr(objective, n) for n in names):
            objective.deformation = old.deformation
        self.objective = objective


def content_key(*parts: Any) -> str | None:
    """A hash of the contents; None where something, such as a function, has none of its own."""
    try:
        return None if any(map(_is_code, parts)) else joblib.hash(parts)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None


def _is_code(part) -> bool:
    """A function is pickled by its name: its hash would not notice another body."""
    nested = part.get_params().values() if hasattr(part, "get_params") else ()
    plain = callable(part) and not hasattr(part, "get_params")
    return plain or any(map(_is_code, nested))
