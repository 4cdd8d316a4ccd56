"""``warm_start=True``: the parts that one fit keeps for the next fit on the same rows."""

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
"""Settings are chosen again when the number of labels has grown by this factor."""

PASSING = ("class_prior", "class_weight", "max_iter", "solver", "tol", "unlabeled", "verbose")
"""Parameters that do not affect the choice."""


def warm_shelf(model: Any, X: Any) -> Shelf:
    """The store of parts. It is that of the last fit if the rows are the same."""
    points, shelf = fingerprint(X), vars(model).get(KEPT) or Shelf()
    if shelf.get("points") != points:
        shelf = Shelf(contents=True)
        shelf.put(points, "points")
        setattr(model, KEPT, shelf)
    return shelf


def warm_choice(model: Any, data: Data) -> Selection | None:
    """The chosen values for "auto". The last choice is used if parameters and labels are alike."""
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
    """The problem with K̃ and its sections at the labels.

    The sections of the last fit are used if the problem shares its K̃ and the sections are as
    exact.
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
    """Σ_j r_j x_ij mod 2⁶⁴ of the bits of each row, with random odd r. It is as fast as reading
    memory.
    """
    X = np.ascontiguousarray(X)
    bits = X.view(f"u{X.itemsize}").astype(np.uint64, copy=False)
    weights = np.random.default_rng(0).integers(0, 2**63, X.shape[1], dtype=np.uint64)
    return bits @ (2 * weights + 1)
