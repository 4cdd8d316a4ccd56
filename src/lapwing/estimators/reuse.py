"""What one fit leaves for the next: matrices, factors and active outputs."""

from __future__ import annotations

import pickle

import joblib

from ..objective import Objective
from ..regularizers import Laplacian, PSDOperator
from ..solvers import WorkingSet
from ..solvers.joint_geometry import JointGeometry
from ..spaces import Space


class Kept:
    """Built parts with the keys that say when they may be used again.

    The Gram matrix and the graph belong to X and the parts' parameters; the factors also to
    γ_I/γ_A; the active outputs also to the labels. Keys are hashes of the contents.

    Attributes
    ----------
    space : Space or None
    operator : PSDOperator or None
    working_set : WorkingSet or None
    """

    def __init__(self, model, X, targets):
        self.space: Space | None = None
        self.operator: PSDOperator | None = None
        self.working_set: WorkingSet | None = None
        self._geometry: JointGeometry | None = None
        self.parts = _parts_key(model, X, targets) if model.warm_start else None
        self.labels = (
            joblib.hash((targets.Y, targets.observed, model.rescaling))
            if model.warm_start
            else None
        )

    @classmethod
    def matching(cls, model, X, targets) -> Kept:
        """What the model kept, as far as it fits the new data; otherwise a fresh start."""
        fresh = cls(model, X, targets)
        old = getattr(model, "_kept", None)
        if old is None or old.parts is None or old.parts != fresh.parts:
            return fresh
        fresh.space, fresh.operator, fresh._geometry = old.space, old.operator, old._geometry
        if old.labels == fresh.labels:
            fresh.working_set = old.working_set
        return fresh

    def geometry(self, objective: Objective, build, keep: bool) -> JointGeometry:
        """The deformed joint space, built anew unless space, operator and ratio are the same."""
        old, ratio = self._geometry, objective.lam / objective.gamma_A
        same = (
            old is not None
            and old.space is objective.space
            and old.operator is objective.operator
            and old.ratio == ratio
        )
        if not same:
            self._geometry = build(objective, keep)
        assert self._geometry is not None
        return self._geometry


def _parts_key(model, X, targets) -> str | None:
    """A hash of X and of all that the Gram matrix and the operator depend on; None is no key."""
    # A regularizer other than a Laplacian may read the labels.
    reads_labels = not (model.regularizer is None or isinstance(model.regularizer, Laplacian))
    codes = targets.codes if reads_labels else None
    parts = (X, codes, model.kernel, model.regularizer, model.output, model.space)
    seed = model.random_state if isinstance(model.random_state, int) else None
    classes = targets.classes
    try:
        return joblib.hash((parts, classes, seed))
    except (pickle.PicklingError, TypeError, AttributeError):  # a lambda has no hash: no re-use
        return None
