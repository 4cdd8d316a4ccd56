"""``warm_start=True``: what one fit leaves for the next on the same points."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..objective import Objective
from ..selection import Selection
from ..spaces.kept import KeptSections, kept_deformation

GROWTH = 1.5
"""Settings are chosen anew once there are so many times the labels they were chosen by."""


@dataclass
class WarmFit:
    """The last fit's choice, its penalties and the sections of its labels.

    Attributes
    ----------
    points : str
        The fingerprint of X.
    asked : str or None
        That of the parameters as they were given; None: they cannot be told apart.
    selection : Selection or None
        What was chosen by ``n_labels`` labels of ``n_classes`` classes.
    parts : str or None
        The fingerprint of the parameters of the penalties, as they were given or chosen.
    objective : Objective or None
    kept : KeptSections or None
    """

    points: str
    asked: str | None = None
    selection: Selection | None = None
    n_labels: int = 0
    n_classes: int = 0
    parts: str | None = None
    objective: Objective | None = None
    kept: KeptSections | None = None

    def holds_choice(self, other: WarmFit) -> bool:
        """Whether the settings of this fit hold for another one, which has chosen nothing yet."""
        same = self.asked is not None and (self.points, self.asked) == (other.points, other.asked)
        few = other.n_labels < GROWTH * self.n_labels and other.n_classes == self.n_classes
        return same and few and self.selection is not None

    def holds_parts(self, points: str, parts: str | None) -> bool:
        """Whether graph, kernel, factor and sections are those of these points and parameters."""
        same = parts is not None and (points, parts) == (self.points, self.parts)
        return same and self.objective is not None

    def keep(self, objective: Objective, last: WarmFit | None, precise: bool) -> None:
        """Hand on the factor and the sections of the last fit, or make them."""
        self.objective = objective
        if last is not None:
            assert last.objective is not None
            objective.deformation, self.kept = last.objective.deformation, last.kept
            return
        found = kept_deformation(
            objective.space,
            objective.operator,
            objective.gamma_A,
            objective.lam,
            objective.rows,
            precise,
        )
        if found is not None:
            objective.deformation, self.kept = found


def fingerprint(X: Any) -> str:
    """A hash of the contents of an array or a sparse matrix.

    Examples
    --------
    >>> X = np.eye(3)
    >>> before = fingerprint(X)
    >>> X[0, 0] = 2.0
    >>> fingerprint(X) == before
    False
    """
    found = hashlib.sha1(f"{X.shape} {X.dtype} {type(X).__name__}".encode(), usedforsecurity=False)
    arrays = (X.data, X.indices, X.indptr) if sp.issparse(X) else (_row_hashes(X),)
    for array in arrays:
        found.update(np.ascontiguousarray(array).data.cast("B"))
    return found.hexdigest()


def _row_hashes(X: np.ndarray) -> np.ndarray:
    """Σ_j r_j x_ij mod 2⁶⁴ of the rows' bits, r random and odd: as fast as memory is read."""
    X = np.ascontiguousarray(X)
    bits = X.view(f"u{X.itemsize}").astype(np.uint64, copy=False)
    weights = np.random.default_rng(0).integers(0, 2**63, X.shape[1], dtype=np.uint64)
    return bits @ (2 * weights + 1)
