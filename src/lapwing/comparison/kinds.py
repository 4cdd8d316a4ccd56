"""Predictions and their costs: classes, structured outputs, labels, real targets."""

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import GroupKFold

from ..estimators.base import ManifoldModel
from ..model_selection.labeled_folds import LabeledKFold, LabeledStratifiedKFold
from ..targets import best_class

FEW = 30
"""Up to this number of rows (or groups), they are left out one by one; above, in ten folds."""


class Kind(ABC):
    """Predictions as columns, (n, t), NaN if a target was not observed; abstract.

    Attributes
    ----------
    target : array of shape (l, t)
        The labels in the form of predictions.
    discrete : bool
        Whether targets are classes or labels.
    full : float
        The mean cost between two independent draws, as ``1 − homophily`` counts it.
    """

    target: np.ndarray
    discrete = True
    full = 1.0

    @abstractmethod
    def answers(self, readout: np.ndarray) -> np.ndarray:
        """The predictions, (n, t), from scores or values."""

    @abstractmethod
    def price(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The cost of prediction a if b is right, (n,); NaN if nothing of b is known."""

    def loss(self, readout: np.ndarray) -> np.ndarray:
        """The cost of scores or values at the labeled rows, (l,)."""
        return self.price(self.answers(readout), self.target)


class ClassAnswers(Kind):
    """Class codes 0 … q − 1 in one column. A wrong class costs 1, or Δ(y, ŷ) of a structure."""

    def __init__(self, codes: np.ndarray, delta: np.ndarray | None = None) -> None:
        self.target = codes[:, None].astype(float)
        self.delta = delta

    def answers(self, readout: np.ndarray) -> np.ndarray:
        return best_class(readout)[:, None].astype(float)

    def price(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if self.delta is None:
            return (a[:, 0] != b[:, 0]).astype(float)
        return self.delta[b[:, 0].astype(int), a[:, 0].astype(int)]


class LabelAnswers(Kind):
    """Several labels per row, each 0 or 1. The cost is the share of wrong labels."""

    def __init__(self, target: np.ndarray) -> None:
        self.target = target

    def answers(self, readout: np.ndarray) -> np.ndarray:
        return (readout > 0).astype(float)

    def price(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return _mean_of_known(np.where(np.isnan(a + b), np.nan, a != b))


class RealAnswers(Kind):
    """Real targets. The cost is the squared error over the variance, averaged over the targets."""

    discrete = False
    full = 2.0

    def __init__(self, target: np.ndarray) -> None:
        self.target = target
        variance = np.nanvar(target, axis=0)
        self.variance = np.where(variance > 0, variance, 1.0)

    def answers(self, readout: np.ndarray) -> np.ndarray:
        return readout

    def price(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return _mean_of_known((a - b) ** 2 / self.variance)


def _mean_of_known(entries: np.ndarray) -> np.ndarray:
    known = ~np.isnan(entries)
    total, count = np.where(known, entries, 0.0).sum(axis=1), known.sum(axis=1)
    return np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)


def kind_of(fitted: ManifoldModel) -> Kind:
    """The kind of predictions of a fitted estimator."""
    told, o = fitted.diagnostics(), fitted.objective_
    if told.codes is not None:
        structure = vars(fitted).get("outputs_")
        return ClassAnswers(told.codes, None if structure is None else structure.loss_matrix)
    seen = np.broadcast_to(o.w, o.y.shape) > 0
    if is_classifier(fitted):
        return LabelAnswers(np.where(seen, (told.y > 0).astype(float), np.nan))
    return RealAnswers(np.where(seen, o.y, np.nan))


def mean_by_group(losses: np.ndarray, group: np.ndarray) -> np.ndarray:
    """The mean loss of each group 0, 1, …, from those of the labeled rows, (l,)."""
    return np.bincount(group, losses) / np.bincount(group)


def folds_of(kind: Kind, group: np.ndarray) -> list[np.ndarray]:
    """The folds as positions among the labeled rows. Each position is in one fold.

    The rows of a group, (l,), are in one fold.
    """
    l, n_groups = len(kind.target), len(np.unique(group))
    if n_groups < l:
        split = GroupKFold(n_groups if n_groups <= FEW else 10).split(group, groups=group)
        return [test for _, test in split]
    if l <= FEW:
        return list(np.arange(l)[:, None])
    stratified = kind.discrete and kind.target.shape[1] == 1
    first = kind.target[:, 0].astype(int) if stratified else np.zeros(l)
    split = (LabeledStratifiedKFold if stratified else LabeledKFold)(10, unlabeled=None)
    tests = [test for _, test in split.split(first, first)]
    alone = np.setdiff1d(np.arange(l), np.concatenate(tests))
    return [*tests, *alone[:, None]]
