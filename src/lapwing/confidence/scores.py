"""The scores at labeled rows from fits without their labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpotrf
from sklearn.model_selection import KFold

from ..linalg.blocks import some_rows
from ..linalg.panels import unit_columns
from ..problem import Problem, Solution, reduce
from ..selection import held_out, in_turn
from ..solvers import choose_solver
from ..spaces import Element, scalar
from ..spaces.known_rows import KnownRows
from ..views import SplitRows
from .nearby import nearby

FOLDS = 10
"""Number of folds if leaving out one by one is too slow."""

ASKED, NEAR, FEW, EXACT = 100, 200, 1_500, 1e-6
"""Number of rows that are predicted as if they were new, of nearest rows that predict each of them,
of rows up to which all predict them (one Cholesky factor takes less time), and the noise of their
values. On ten sets (``docs/benchmarks/calibration.md``) all rows say nearly
the same as the nearest; with 900 rows the mean confidence differs by 0.005 (26 sets). With a noise
of 1e-2, new rows look like training rows even where they are not."""


def unseen_scores(objective: Problem, groups: Sequence[int] | np.ndarray = ()) -> np.ndarray:
    """(Rf)(x_i) of a fit without the label of row i, (l, t); NaN if an entry has no label.

    Leave-one-out gives them (:func:`lapwing.selection.held_out`). Losses without a closed form use
    ten folds over K̃ above 300 labeled rows (or pairs of row and output, if the loss couples
    these). The rows stay as unlabeled rows. Rows of one group, (l,), are left out together.

    Examples
    --------
    >>> from lapwing import LapSVC
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(100, labels_per_class=4, random_state=0)
    >>> unseen_scores(LapSVC(kernel="rbf").fit(X, y).objective_).shape
    (8, 1)
    """
    scores = held_out(objective, groups)
    if scores is not None:
        return scores
    alike = in_turn(groups, len(objective.rows))
    few = KFold(min(FOLDS, len(alike)), shuffle=True, random_state=0).split(alike)
    return in_folds(objective, [np.concatenate([alike[i] for i in at]) for _, at in few])


def in_folds(objective: Problem, folds: Sequence[np.ndarray]) -> np.ndarray:
    """The scores with one fit over K̃ for each fold of labeled rows.

    Parameters
    ----------
    objective : Problem
        The problem of the fit.
    folds : sequence of integer arrays
        The positions among the labeled rows that lose their labels together.
    """
    reduced = reduce(objective)
    scores = np.full(objective.y.shape, np.nan)
    for gone in folds:
        without = reduced.without(objective, gone)
        found = choose_solver("auto", without).solve(without)
        scores[gone] = reduced.at_labels(objective, found.coef)[gone]
    return np.where(objective.w > 0, scores, np.nan)


@dataclass(frozen=True)
class KnownViews:
    """The training rows of several views, to be recognized among other rows."""

    known: KnownRows

    def find(self, X: SplitRows) -> np.ndarray:
        """As :meth:`.KnownRows.find`, for rows that are split into views."""
        return self.known.find(X.keys)


def between_rows(objective: Problem, solution: Solution) -> tuple:
    """Scores at some unlabeled rows as if these were new, and the scores of the fit there.

    Scores change between the training rows if the kernel is narrow, or if it bends to single rows.
    At a row x_j that was not a training row, the function of least norm with the other rows' values
    is f_j − (K⁻¹f)_j/(K⁻¹)_jj. Above 1,500 rows the 200 nearest are taken, which say nearly the
    same. With several views, this is so for each view's function.

    Parameters
    ----------
    objective : Problem
    solution : Solution

    Returns
    -------
    tuple
        Both scores, (p, t) each, and the training rows, with a method ``find``. Empty if no
        kernel's sections at the training rows span the space, or if every row is labeled.
    """
    held = scalar(objective.space).covariance
    every = np.arange(objective.n_rows)
    parts = held.summands or [(held, every, np.ones(len(every)))]
    free = np.setdiff1d(every, objective.rows)
    at = free[some_rows(len(free), ASKED)]
    spanned = all(part.kernel and not part.kernel.precomputed for part, *_ in parts)
    if not spanned or not len(at) or min(len(rows) for _, rows, _ in parts) < 2:
        return ()
    e = Element(objective.space, solution.coef, solution.base)
    fit = e.readout[at]
    found, first = fit.copy(), 0
    for part, rows, weights in parts:
        here, own = np.flatnonzero(np.isin(at, rows)), np.flatnonzero(np.isin(rows, at))
        # points that are no rows, such as mirrored ones, would tell of the row that is left out
        values, X = e.values[first : first + len(rows)], part.points[: len(rows)]
        found[here] += weights[own, None] * _changes(part, X, values, own)
        first += len(rows)
    if held.summands:
        space: Any = held.space
        return found, fit, KnownViews(KnownRows(space.points.keys, rounded=False))
    return found, fit, KnownRows(held.points)


def _changes(part: Any, X, values: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The values at some rows if these were new, minus their values, (m, t).

    With all rows it is −(C f)_j/C_jj for C = (K + ε)⁻¹.
    """
    if len(values) <= FEW:
        K = part.among(np.arange(len(values)))
        K = K if len(K) else np.asarray(part.kernel(X), dtype=float)
        K.flat[:: len(K) + 1] *= 1.0 + EXACT
        K.flat[:: len(K) + 1] += np.finfo(float).tiny
        L, failed = dpotrf(K, lower=1, overwrite_a=1)
        if not failed:
            unit = dtrsm(1.0, L, unit_columns(own, len(K)), lower=1)
            solved = dtrsm(1.0, L, np.asarray(values, dtype=float), lower=1)
            return -(unit.T @ solved) / np.square(unit).sum(axis=0)[:, None]
    near, alpha, _ = nearby(part.kernel, X, X[own], NEAR, EXACT, own, part.space.gram)
    return np.einsum("mk,mkt->mt", alpha, values[near]) - values[own]
