"""Learning curves: the error for fewer labels or fewer unlabeled rows (MR Figs. 5 and 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from .._scikit_learn import rows_of
from ..exceptions import unsaid
from ..parameters.arguments import is_auto, to_array
from ..progress import Bar
from ..targets import as_labels, checked_groups, unlabeled_at, unlabeled_mask, with_missing
from ..types import Estimator, MatrixLike, RandomState, TargetLike


@dataclass(frozen=True)
class LearningCurve:
    """Scores for several numbers of labeled, or of unlabeled, rows.

    Attributes
    ----------
    varied : {"labeled", "unlabeled"}
        Which rows the sizes count.
    sizes : integer array of shape (k,)
        The numbers of these rows.
    transduction : array of shape (k, n_repeats)
        Scores at the unlabeled rows of the fit whose label is known; NaN if there is none.
    unseen : array of shape (k, n_repeats)
        Scores at labeled rows that were in no fit of the repeat.
    n_labeled, n_unlabeled : integer arrays of shape (k,)
        The numbers of labeled and of unlabeled rows of each fit.
    """

    varied: str
    sizes: np.ndarray
    transduction: np.ndarray = field(repr=False)
    unseen: np.ndarray = field(repr=False)
    n_labeled: np.ndarray = field(repr=False)
    n_unlabeled: np.ndarray = field(repr=False)


def learning_curve(
    estimator: Estimator,
    X: MatrixLike,
    y: TargetLike,
    *,
    n_labeled: Sequence[int] | None = None,
    n_unlabeled: Sequence[int] | None = None,
    groups: TargetLike = None,
    n_repeats: int = 5,
    test_size: float = 0.25,
    scoring: Any = None,
    random_state: RandomState = 0,
    verbose: int = 0,
) -> LearningCurve:
    """Score an estimator with fewer labels, or with fewer unlabeled rows.

    Each repeat sets aside a share of the labeled rows as unseen, and orders the others at random. A
    fit uses the first labels of this order, with the classes taken in turn, and the first rows of
    the rest as unlabeled rows. Known labels that the fit does not use score the transduction. A
    larger size contains all rows of a smaller one.

    With ``groups``, all labels of a group are set aside together, and a label does not score a fit
    that knows another label of its group.

    Parameters
    ----------
    estimator : estimator of Lapwing or scikit-learn
        The estimator is cloned and not changed.
    X, y
        As for ``fit``. Rows without a label count as unlabeled rows in every fit.
    n_labeled : sequence of int, optional
        The numbers of labels to fit with. All other rows are unlabeled. Give this or
        ``n_unlabeled``.
    n_unlabeled : sequence of int, optional
        The numbers of unlabeled rows to fit with; 0 is allowed. The number of labels is
        ``n_labeled`` if that is a single number, else half of those that are not set aside.
    groups : array of shape (n,), optional
        The group of each row, such as the patient, as for ``fit``. Estimators of Lapwing, also at
        the end of a pipeline, get them in ``fit``. A row with a missing group is its own group.
    n_repeats : int, default=5
        The number of random repeats.
    test_size : float, default=0.25
        The share of the labeled rows that no fit sees.
    scoring : str, callable or None, default=None
        As for ``GridSearchCV``. None is the estimator's own score.
    random_state : int, RandomState or None, default=0
        Seed of the repeats.
    verbose : int, default=0
        1 shows a progress bar.

    Returns
    -------
    LearningCurve
        :class:`lapwing.inspection.LearningCurveDisplay` plots it.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, Fig. 5 (labels) and Fig. 8 (labels and unlabeled rows).

    Examples
    --------
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.comparison import learning_curve
    >>> from lapwing.datasets import make_two_moons
    >>> X, _, truth = make_two_moons(120, labels_per_class=2, random_state=0)
    >>> model = LapRLSClassifier(kernel="rbf", regularizer=None, gamma_A="rule",
    ...                          gamma_I="rule", fit_intercept=True)
    >>> curve = learning_curve(model, X, truth, n_labeled=[4, 20], n_repeats=2)
    >>> curve.unseen.shape
    (2, 2)
    """
    varied, sizes, labels = _sizes(n_labeled, n_unlabeled)
    last = estimator[-1] if isinstance(estimator, Pipeline) else estimator
    targets = _Targets(y, is_classifier(estimator), getattr(last, "unlabeled", "auto"), groups)
    word = "groups" if last is estimator else f"{estimator.steps[-1][0]}__groups"
    words = [word] if has_fit_parameter(last, "groups") else []
    if not 0 < test_size < 1:
        raise ValueError(f"test_size={test_size!r} must be between 0 and 1.")
    random = check_random_state(random_state)
    bars = [Bar("learning curve", len(sizes) * n_repeats)] if verbose else []
    found = np.full((2, len(sizes), n_repeats), np.nan)
    counts = np.zeros((2, len(sizes)), dtype=int)
    scorer = check_scoring(estimator, scoring=scoring)
    for repeat in range(n_repeats):
        unseen, known, rest = targets.drawn(test_size, random)
        for at, size in enumerate(sizes):
            used, hidden = _taken(varied, size, labels, known, rest)
            counts[:, at] = len(used), len(hidden)
            rows = np.sort(np.concatenate([used, hidden]))
            with unsaid():  # small fits would warn of too little data
                told = dict.fromkeys(words, targets.groups[rows])
                model = clone(estimator).fit(rows_of(X, rows), targets.masked(rows, used), **told)
            scored = targets.apart(np.intersect1d(hidden, known), used)
            found[0, at, repeat] = _score(scorer, model, X, y, scored)
            found[1, at, repeat] = _score(scorer, model, X, y, unseen)
            for bar in bars:
                bar.step()
    for bar in bars:
        bar.close()
    return LearningCurve(varied, np.array(sizes), found[0], found[1], counts[0], counts[1])


def _sizes(n_labeled, n_unlabeled) -> tuple[str, list[int], int]:
    """The varied rows, their numbers, and the number of labels if unlabeled rows vary (else 0)."""
    labels = [] if n_labeled is None else _checked("n_labeled", np.atleast_1d(n_labeled), 1)
    if n_unlabeled is not None:
        if len(labels) > 1:
            raise ValueError(
                f"n_labeled={n_labeled!r} and n_unlabeled={n_unlabeled!r} both vary: give one "
                "number of labels, or one curve after the other."
            )
        return "unlabeled", _checked("n_unlabeled", n_unlabeled, 0), sum(labels)
    if not labels:
        raise ValueError("Give n_labeled=[…] or n_unlabeled=[…]: the sizes to fit with.")
    return "labeled", labels, 0


def _checked(name: str, sizes, lowest: int) -> list[int]:
    found = [int(s) for s in sizes]
    if not found or min(found) < lowest or any(s != f for s, f in zip(sizes, found, strict=True)):
        raise ValueError(f"{name}={sizes!r} must be integers of at least {lowest}.")
    return found


class _Targets:
    """y, a mask of its labeled rows, the groups, and copies of y with fewer labels."""

    def __init__(self, y: TargetLike, classes: bool, marker: Any, groups: TargetLike) -> None:
        self.y = to_array(with_missing(y, marker))
        self.groups = checked_groups(groups, len(self.y))
        self.classes = classes and self.y.ndim == 1
        self.taken = [] if is_auto(marker) else [-1]  # −1 is then no marker
        if self.classes:
            self.y = as_labels(self.y)
            self.labeled = ~unlabeled_mask(self.y, self.taken)
        else:
            missing = np.isnan(self.y.astype(float))
            self.labeled = ~(missing if missing.ndim == 1 else missing.all(axis=1))

    def drawn(self, test_size: float, random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The unseen rows, the labeled rows in the order of their use, and the unlabeled rows."""
        order = self._in_turn(random.permutation(np.flatnonzero(self.labeled)))
        n_unseen = round(test_size * len(order))
        if not 0 < n_unseen < len(order):
            raise ValueError(
                f"y has {len(order)} labeled rows, too few to set aside a share of {test_size}."
            )
        unseen = order[len(order) - n_unseen :]
        _, group, counts = np.unique(self.groups[order], return_inverse=True, return_counts=True)
        if len(counts) < len(order):
            drawn = random.permutation(len(counts))
            n_groups = np.searchsorted(np.cumsum(counts[drawn]), n_unseen, side="right")
            unseen = order[np.isin(group, drawn[: max(1, n_groups)])]
        known = order[~np.isin(order, unseen)]
        return unseen, known, random.permutation(np.flatnonzero(~self.labeled))

    def apart(self, rows: np.ndarray, used: np.ndarray) -> np.ndarray:
        """The rows whose group has no used label."""
        return rows[~np.isin(self.groups[rows], self.groups[used])]

    def _in_turn(self, rows: np.ndarray) -> np.ndarray:
        """One row of each class in turn, until all rows are used."""
        if not self.classes:
            return rows
        turn = np.zeros(len(rows), dtype=int)
        for c in np.unique(self.y[rows]):
            at = np.flatnonzero(self.y[rows] == c)
            turn[at] = np.arange(len(at))
        return rows[np.argsort(turn, kind="stable")]

    def masked(self, rows: np.ndarray, used: np.ndarray) -> np.ndarray:
        """y at some rows, with labels only at the used rows."""
        hidden = ~np.isin(rows, used)
        y = self.y[rows] if self.classes else self.y[rows].astype(float)
        return unlabeled_at(y, hidden, [*self.y[self.labeled], *self.taken])


def _taken(varied, size, labels, known, rest) -> tuple[np.ndarray, np.ndarray]:
    """The labeled and the unlabeled rows of a fit."""
    n_used = size if varied == "labeled" else (labels or max(1, len(known) // 2))
    if n_used > len(known):
        raise ValueError(
            f"{n_used} labels were asked for, and {len(known)} are left once the unseen rows are "
            "set aside: give smaller sizes, or a smaller test_size."
        )
    others = np.concatenate([known[n_used:], rest])
    if varied == "labeled":
        return known[:n_used], others
    if size > len(others):
        raise ValueError(
            f"{size} unlabeled rows were asked for, and there are {len(others)}: give smaller "
            "sizes, or fewer labels."
        )
    return known[:n_used], others[:size]


def _score(scorer: Any, model: Estimator, X: MatrixLike, y: TargetLike, rows: np.ndarray) -> float:
    if not len(rows):
        return float("nan")
    rows = np.sort(rows)
    return float(scorer(model, rows_of(X, rows), rows_of(y, rows)))
