"""``warm_start=True``: what one fit leaves for the next on the same points."""

import hashlib
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..parameters.shelf import KEPT, Shelf, content_key
from ..selection import Selection
from ..spaces.kept import kept_deformation
from .recipes import Compiled, Data
from .settings import Settings

GROWTH = 1.5
"""Settings are chosen anew once there are so many times the labels they were chosen by."""

PASSING = ("class_prior", "class_weight", "max_iter", "solver", "tol", "unlabeled", "verbose")
"""Parameters that have no part in the choice."""


def warm_shelf(model: Any, X: Any) -> Shelf:
    """Where a fit looks for parts and leaves them: that of the last fit, if to the same points."""
    points, shelf = fingerprint(X), vars(model).get(KEPT) or Shelf()
    if shelf.get("points") != points:
        shelf = Shelf(contents=True)
        shelf.put(points, "points")
        setattr(model, KEPT, shelf)
    return shelf


def warm_choice(model: Any, data: Data) -> Selection | None:
    """What is found for "auto"; what was found before, where parameters and labels are alike."""
    shelf = data.points.shelf
    given = model.get_params(deep=False)
    asked = content_key(
        data.groups, *(given[name] for name in sorted(given) if name not in PASSING)
    )
    key, n_labels = ("choice", asked, data.targets.n_classes), int(data.targets.labeled.sum())
    found, by = shelf.get(*key) or (None, 0)
    if not (asked and found) or n_labels >= GROWTH * by:
        found = model.recipe.choose(Settings(model), data)
        shelf.put((found, n_labels), *key)
    return found


def with_sections(model: Any, data: Data, compiled: Compiled) -> Compiled:
    """The problem with K̃ and the sections of its labels; those of the last fit, if these hold.

    They hold where the problem shares its K̃ with the last one, and the sections are as exact.
    """
    problem, shelf, precise = compiled.problem, data.points.shelf, model.tol is not None
    last = shelf.get("sections")
    if last and last[0] is vars(problem).get("deformation") and last[2] == precise:
        return replace(compiled, kept=last[1])
    found = not problem.loss.couples and kept_deformation(
        problem.space, problem.operator, problem.gamma_A, problem.lam, problem.rows, precise
    )
    if not found:
        return compiled
    problem = problem.with_deformation(found)
    shelf.put((found, found.kept, precise), "sections")
    shelf.put(problem, "problem")
    return replace(compiled, problem=problem, kept=found.kept)


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
