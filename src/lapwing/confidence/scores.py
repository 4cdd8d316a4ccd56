"""What a fit says of labeled rows whose label it has not seen."""

from collections.abc import Sequence

import numpy as np
from sklearn.model_selection import KFold

from ..problem import Problem, reduce
from ..selection import held_out, in_turn
from ..solvers import choose_solver

FOLDS = 10
"""How many groups of labels are hidden in turn where leaving out one by one is too slow."""


def unseen_scores(objective: Problem, groups: Sequence[int] | np.ndarray = ()) -> np.ndarray:
    """(Rf)(x_i) of a fit without the label of row i, (l, t); NaN where an entry has none.

    By leave-one-out (:func:`lapwing.selection.held_out`); for losses without a closed form and
    more than 300 labeled rows (pairs of row and output, where a loss couples these), in ten
    folds over K̃. The rows stay as unlabeled ones. Rows of one group, (l,), leave together.

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
    """The same with one fit over K̃ for each group of rows.

    Parameters
    ----------
    objective : Problem
    folds : sequence of integer arrays
        Positions among the labeled rows that lose their labels together.
    """
    reduced = reduce(objective)
    scores = np.full(objective.y.shape, np.nan)
    for gone in folds:
        without = reduced.without(objective, gone)
        found = choose_solver("auto", without).solve(without)
        scores[gone] = reduced.at_labels(objective, found.coef)[gone]
    return np.where(objective.w > 0, scores, np.nan)
