"""The scores at labeled rows from fits without their labels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import KFold

from ..problem import Problem, reduce
from ..selection import held_out, in_turn
from ..solvers import choose_solver
from ..spaces import Landmarks, scalar
from ..spaces.known_rows import KnownRows
from ..spaces.out_of_sample import Learner

FOLDS = 10
"""Number of folds if leaving out one by one is too slow."""


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


def between_rows(objective: Problem, scores: np.ndarray, offset: np.ndarray | float) -> tuple:
    """Scores at some unlabeled rows as if these were new, and the scores of the fit there.

    Scores fall between the training rows if the kernel is narrow. A function in the kernel's space
    learns the scores at all rows but one, and answers for that one. It has at most 1,000 landmarks;
    with as many as rows it is f_j − ((K + γ I)⁻¹f)_j/((K + γ I)⁻¹)_jj, with f without its offset.

    Parameters
    ----------
    objective : Problem
    scores : array of shape (n, t)
        Scores of the fit at the training rows.
    offset : array of shape (t,) or float
        The part of the scores that does not fall, the intercept.

    Returns
    -------
    tuple
        Both scores, (p, t) each, and the training rows as :class:`.KnownRows`. Empty if no kernel's
        sections at the training rows span the space, or if every row is labeled.
    """
    held = scalar(objective.space).covariance
    kernel, X = held.kernel, held.points
    if not kernel or kernel.precomputed or X.shape[0] != len(scores):
        return ()
    view: Any = Learner(Landmarks().features(kernel, X), X, np.arange(len(scores)))(scores - offset)
    at = ~np.isin(view.held_rows, objective.rows)
    found = view.held[at] + offset, scores[view.held_rows[at]], KnownRows(X)
    return found if at.any() else ()
