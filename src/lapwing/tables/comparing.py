"""Do the unlabeled rows help? Several methods on the same folds of the labeled rows of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import stats
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC, SVR

from ..exceptions import muted
from ..types import Estimator, MatrixLike, TargetLike
from .encoder import Encoder
from .extras import TableError
from .labels import Labels
from .models import estimator_for

OURS, LIMIT = "Lapwing", "Lapwing without the graph"
LEAF = 2
"""Rows in a leaf of a boosted tree; scikit-learn's 20 leaves a few dozen labels undivided."""

FEWEST = 6
"""Labels below which nothing can be told apart."""


@dataclass(frozen=True)
class TableComparison:
    """What each method lost at each labeled row, without that row's label.

    Attributes
    ----------
    losses : dict of str to array of shape (l,)
        By row, or by group where there are groups. 1 for a wrong class; the share of wrong labels
        where a row has several; the squared error over the variance for real targets.
    n_folds : int
    """

    losses: dict[str, np.ndarray] = field(repr=False)
    n_folds: int

    def rows(self) -> list[dict[str, Any]]:
        """For each method its mean loss, and how much more it loses than ours, with an interval."""
        out = []
        for name, loss in self.losses.items():
            low, high = paired_interval(loss - self.losses[OURS])
            out.append(
                {
                    "method": name,
                    "loss": float(loss.mean()),
                    "more_than_lapwing": float((loss - self.losses[OURS]).mean()),
                    "low": low,
                    "high": high,
                }
            )
        return out

    @property
    def verdict(self) -> str:
        """One sentence: whether the unlabeled rows helped."""
        difference = self.losses[LIMIT] - self.losses[OURS]
        low, high = paired_interval(difference)
        gain = f"{100 * abs(difference.mean()):.1f}"
        if not difference.any():
            text = "The unlabeled rows made no difference at these labels"
        elif low > 0:
            text = f"The unlabeled rows helped: without the graph the loss is {gain} points higher"
        elif high < 0:
            text = f"The unlabeled rows misled: without the graph the loss is {gain} points lower"
        else:
            text = "These labels do not tell whether the unlabeled rows helped"
        if difference.any():
            text += (
                f" (95 % interval of the difference {100 * low:+.1f} to {100 * high:+.1f} points)"
            )
        better = [
            name
            for name, loss in self.losses.items()
            if name != OURS and paired_interval(loss - self.losses[OURS])[1] < 0
        ]
        return text + (f", and {' and '.join(better)} did better." if better else ".")


def paired_interval(difference: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of a mean difference, by Student's t over the rows.

    Examples
    --------
    >>> [round(x, 3) for x in paired_interval(np.array([1.0, 0.0, 0.0, 1.0]))]
    [-0.419, 1.419]
    """
    n, mean = len(difference), float(difference.mean())
    half = float(stats.t.ppf(0.975, n - 1) * difference.std(ddof=1) / np.sqrt(n))
    return mean - half, mean + half


def compare_table(
    X: MatrixLike,
    labels: Labels,
    *,
    groups: TargetLike = None,
    encoder: Encoder | None = None,
    n_folds: int = 5,
    seed: int = 0,
    say: Callable[[str], None] = lambda text: None,
) -> TableComparison:
    """Fit every method without the labels of each fold, and ask it for them.

    Every fit chooses its own settings again, so that no label is told twice. Lapwing and label
    spreading see all rows; the others see the labeled rows of the other folds. All of them take
    the same encoding.

    Parameters
    ----------
    X : data frame
    labels : Labels
    groups : array of shape (n,), optional
        Rows of one group are in one fold, and are left out together where Lapwing chooses.
    encoder : Encoder, optional
    n_folds : int, default=5
    seed : int, default=0
    say : callable, optional
        Is told what is being done.
    """
    rows = np.flatnonzero(labels.labeled)
    if len(rows) < FEWEST:
        raise TableError(f"compare needs at least {FEWEST} labeled rows; there are {len(rows)}.")
    Z = (Encoder(random_state=seed) if encoder is None else encoder).fit_transform(X)
    folds = folds_of(labels, rows, groups, n_folds, seed)
    told, found = _coded(labels, rows), {}
    for name, method in methods(labels.task, seed, groups).items():
        answers = np.empty(told.shape)
        for i, gone in enumerate(folds):
            say(f"{name}, fold {i + 1} of {len(folds)}")
            kept = np.setdiff1d(np.arange(len(rows)), gone)
            with muted():
                answers[gone] = method(Z, rows[kept], told[kept], rows[gone])
        lost = _lost(answers, told, labels.task)
        found[name] = lost if groups is None else _of_groups(lost, np.asarray(groups)[rows])
    return TableComparison(found, len(folds))


def _of_groups(lost: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The mean of each group: its rows are alike, and tell as much as one row does."""
    _, group = np.unique(groups, return_inverse=True)
    return np.bincount(group, lost) / np.bincount(group)


def _lost(answers: np.ndarray, told: np.ndarray, task: str) -> np.ndarray:
    """What each row loses, (l,)."""
    if task == "real":
        return (answers - told) ** 2 / (float(np.var(told)) or 1.0)
    wrong = (answers != told).astype(float)
    return wrong if task == "class" else wrong.mean(axis=1)


def folds_of(
    labels: Labels, rows: Any, groups: TargetLike, n_folds: int, seed: int
) -> list[np.ndarray]:
    """Positions among the labeled rows, in folds; classes spread evenly, groups kept together."""
    told = _coded(labels, rows)
    if groups is not None:
        here = np.asarray(groups)[rows]
        most = len(np.unique(here))
        if most < 2:
            raise TableError("All labeled rows are in one group: there are no folds.")
        split = GroupKFold(min(n_folds, most)).split(rows, told, here)
    elif labels.task == "class":
        most = max(labels.counts.values())
        with muted():  # of classes with fewer rows than folds
            split = StratifiedKFold(min(n_folds, most), shuffle=True, random_state=seed).split(
                rows, told
            )
            split = iter(list(split))
    else:
        split = KFold(min(n_folds, len(rows)), shuffle=True, random_state=seed).split(rows)
    return [test for _, test in split]


def _coded(labels: Labels, rows: np.ndarray) -> np.ndarray:
    """Labels of these rows: class codes or real targets, (l,), or 0 and 1 by label, (l, q)."""
    if labels.task == "real":
        return np.asarray(labels.y[rows], dtype=float)
    if labels.task == "labels":
        return np.array([[float(c in labels.y[i]) for c in labels.counts] for i in rows])
    return np.unique(np.array([str(v) for v in labels.y[rows]]), return_inverse=True)[1].astype(
        float
    )


def methods(task: str, seed: int = 0, groups: TargetLike = None) -> dict[str, Callable]:
    """From names to functions (Z, rows, targets, asked) ↦ answers."""
    limit = _semi(task, seed, {"gamma_I": 0.0}, groups)
    own = {OURS: _semi(task, seed, {}, groups), LIMIT: limit}
    if task == "real":
        return own | {
            "SVR": _plain(make_pipeline(StandardScaler(), SVR(C=10.0)), scale=True),
            "random forest": _plain(RandomForestRegressor(200, random_state=seed)),
            "gradient boosting": _plain(
                HistGradientBoostingRegressor(min_samples_leaf=LEAF, random_state=seed)
            ),
        }
    others = {
        "SVC": _plain(SVC(C=10.0)),
        "random forest": _plain(RandomForestClassifier(200, random_state=seed)),
        "gradient boosting": _plain(
            HistGradientBoostingClassifier(min_samples_leaf=LEAF, random_state=seed)
        ),
        "label spreading": _spreading,
    }
    if task == "labels":
        others = {name: _one_by_one(method) for name, method in others.items()}
    return own | others


def _one_by_one(method: Callable) -> Callable:
    """A method of two classes for each of several labels."""

    def answer(Z: MatrixLike, rows: Any, told, asked):
        return np.column_stack([method(Z, rows, column, asked) for column in told.T])

    return answer


def _semi(task: str, seed: int, settings: dict[str, Any], groups: TargetLike) -> Callable:
    def answer(Z: MatrixLike, rows: Any, told, asked):
        if (told == told[0]).all():
            return np.broadcast_to(told[0], (len(asked), *told.shape[1:]))
        y = np.full((len(Z), *told.shape[1:]), np.nan)
        y[rows] = told
        model = estimator_for(task, seed).set_params(**settings).fit(Z, y, groups=groups)
        return np.asarray(model.transduction_)[asked]

    return answer


def _plain(model: Estimator, scale: bool = False) -> Callable:
    def answer(Z: MatrixLike, rows: Any, told, asked):
        if len(np.unique(told)) < 2:
            return np.full(len(asked), told[0])
        center, width = (told.mean(), told.std()) if scale else (0.0, 1.0)
        return center + width * model.fit(Z[rows], (told - center) / width).predict(Z[asked])

    return answer


def _spreading(Z: MatrixLike, rows: Any, told, asked):
    if len(np.unique(told)) < 2:
        return np.full(len(asked), told[0])
    y = np.full(len(Z), -1)
    y[rows] = told.astype(int)
    return LabelSpreading(kernel="knn", max_iter=200).fit(Z, y).transduction_[asked]
