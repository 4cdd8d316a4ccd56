"""``warm_start=True``: what one fit leaves for the next on the same points."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..parameters.shelf import Shelf, content_key
from ..problem import Problem
from ..selection import Selection
from ..spaces.kept import kept_deformation
from .recipes import Compiled, Data

GROWTH = 1.5
"""Settings are chosen anew once there are so many times the labels they were chosen by."""


PASSING = ("class_prior", "class_weight", "max_iter", "solver", "tol", "unlabeled", "verbose")
"""Parameters that have no part in the choice."""


@dataclass
class WarmFit:
    """The last fit's choice, its penalties and the sections of its labels.

    Attributes
    ----------
    points : str
        The fingerprint of X.
    asked : str or None
        That of the parameters as they were given; None: they cannot be told apart.
    shelf : Shelf
        Kernel, space, operator, factors and starts over these points.
    selection : Selection or None
        What was chosen by ``n_labels`` labels of ``n_classes`` classes.
    problem : Problem or None
    kept : Galerkin, ModalSections or None
    precise : bool
        Whether the sections are solved to a given tolerance.
    """

    points: str
    asked: str | None
    shelf: Shelf
    n_labels: int = 0
    n_classes: int = 0
    selection: Selection | None = None
    problem: Problem | None = None
    kept: Any = None
    precise: bool = False

    @classmethod
    def begin(cls, model, data: Data, last: WarmFit | None) -> WarmFit | None:
        """A place for what a fit will leave, with what the last one left; None if none is asked."""
        if not model.warm_start:
            return None
        given = model.get_params(deep=False)
        asked = content_key(*(given[name] for name in sorted(given) if name not in PASSING))
        points = fingerprint(data.points.X)
        shelf = Shelf(contents=True)
        if last is not None and last.points == points:
            shelf = last.shelf
        data.points.shelf = shelf
        n_labels = int(data.targets.labeled.sum())
        return cls(points, asked, shelf, n_labels, data.targets.n_classes)

    def holds_choice(self, other: WarmFit) -> bool:
        """Whether the settings of this fit hold for another one, which has chosen nothing yet."""
        same = self.asked is not None and (self.points, self.asked) == (other.points, other.asked)
        few = other.n_labels < GROWTH * self.n_labels and other.n_classes == self.n_classes
        return same and few and self.selection is not None

    def keep(self, compiled: Compiled, last: WarmFit | None, precise: bool) -> Compiled:
        """The problem with the factor and the sections of the last fit, or with new ones."""
        problem, self.precise = compiled.problem, precise
        if last is not None and last.holds_penalties(problem, precise):
            assert last.problem is not None
            self.kept = last.kept
            problem = problem.with_deformation(last.problem.deformation)
        elif not problem.loss.couples:
            found = kept_deformation(
                problem.space, problem.operator, problem.gamma_A, problem.lam, problem.rows, precise
            )
            if found is not None:
                deformation, self.kept = found
                problem = problem.with_deformation(deformation)
        self.problem = problem
        self.shelf.put(problem, "problem")
        return replace(compiled, problem=problem)

    def holds_penalties(self, problem: Problem, precise: bool) -> bool:
        """Whether factor and sections are those of a problem."""
        own = self.problem
        same = own is not None and own.space is problem.space and own.terms == problem.terms
        return same and self.precise == precise


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
