"""Cross-validation that splits only the labeled rows."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.model_selection import BaseCrossValidator, KFold
from sklearn.utils import check_random_state

from .._scikit_learn import count_rows
from ..parameters.checks import check_count, is_number
from ..parameters.spelling import ConstructorSignature, check_keywords
from ..targets import as_labels, missing_mask, unlabeled_mask, with_missing
from ..types import MatrixLike, RandomState, TargetLike


class LabeledSplitter(BaseCrossValidator):
    """Splits of the labeled rows. Every training part has all unlabeled rows; abstract."""

    n_splits: int
    unlabeled: object
    __signature__: Any = ConstructorSignature()

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        check_keywords(cls, kwargs)
        return super().__new__(cls)

    def get_n_splits(
        self, X: MatrixLike = None, y: TargetLike = None, groups: TargetLike = None
    ) -> int:
        """The number of splits."""
        return self.n_splits

    def split(
        self, X: MatrixLike, y: TargetLike = None, groups: TargetLike = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The row indices (train, test) of each split.

        Parameters
        ----------
        X : array of shape (n, …)
            All rows. Only their number is used.
        y : array of shape (n,) or (n, t)
            The labels, with unlabeled rows marked as in the estimators. With several targets, a row
            is labeled if it has any target.
        """
        name = type(self).__name__
        if y is None:
            raise ValueError(f"{name} needs y: it splits the rows whose label is known.")
        check_count("n_splits", self.n_splits)
        labeled = labeled_rows(y, self.unlabeled)
        if count_rows(X) != len(labeled):
            raise ValueError(f"X has {count_rows(X)} rows but y has {len(labeled)}.")
        rows = np.flatnonzero(labeled)
        everything = np.arange(len(labeled))
        for test in self._tests(rows, y):
            yield np.setdiff1d(everything, test), np.sort(test)

    @abstractmethod
    def _tests(self, rows: np.ndarray, y: TargetLike) -> Iterator[np.ndarray]:
        """The rows to test on, for each split."""

    def _require(self, found: int, what: str) -> None:
        if found < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} folds need as many labeled rows{what}, but only "
                f"{found} are labeled: use fewer folds."
            )


@dataclass(eq=False, repr=False)
class LabeledKFold(LabeledSplitter):
    """K folds of the labeled rows; the unlabeled ones are in every training part.

    Each split tests one fold of labeled rows and trains on all other rows. Use it as ``cv`` of
    ``cross_val_score``, ``GridSearchCV`` and ``RandomizedSearchCV``. The features of a test row
    leave the training rows too; :class:`TransductiveSearchCV` keeps them.

    Classes are spread evenly over the folds. :class:`LabeledStratifiedKFold` also keeps a class
    with a single labeled row in training. Real targets are split in their order, or at random with
    ``shuffle=True``.

    Parameters
    ----------
    n_splits : int, default=10
        The number of folds.
    shuffle : bool, default=True
        Whether the rows are shuffled first.
    random_state : int, RandomState or None, default=0
        Seed. The default is fixed, so two calls give the same folds.
    unlabeled : "auto" or a marker, default="auto"
        The marker of an unlabeled row, as in the estimators.

    References
    ----------
    Kraus, Benabdeslem, Canitia (MT), §IV.B: only the labeled data are split.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.model_selection import LabeledKFold
    >>> y = np.array([1.0, np.nan, 2.0, np.nan])
    >>> for train, test in LabeledKFold(2, shuffle=False).split(np.zeros((4, 1)), y):
    ...     print(train, test)
    [1 2 3] [0]
    [0 1 3] [2]
    """

    n_splits: int = 10
    _: KW_ONLY
    shuffle: bool = True
    random_state: RandomState = 0
    unlabeled: Any = "auto"

    def _tests(self, rows: Any, y: TargetLike):
        self._require(len(rows), "")
        members = [rows[at] for at in _classes(y, rows)]
        if len(members) > 1:
            yield from _dealt(members, self)
            return
        seed = self.random_state if self.shuffle else None
        folds = KFold(self.n_splits, shuffle=self.shuffle, random_state=seed)
        for _, fold in folds.split(rows):
            yield rows[fold]


@dataclass(eq=False, repr=False)
class LabeledStratifiedKFold(LabeledSplitter):
    """K folds of the labeled rows, with every class spread evenly over them.

    A class with a single labeled row stays in training. So no fold tests a class that it does not
    train on.

    Parameters
    ----------
    n_splits : int, default=5
        The number of folds.
    shuffle : bool, default=True
        Whether the rows are shuffled first.
    random_state : int, RandomState or None, default=0
        Seed. The default is fixed, so two calls give the same folds.
    unlabeled : "auto" or a marker, default="auto"
        The marker of an unlabeled row, as in the estimators.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.model_selection import LabeledStratifiedKFold
    >>> y = np.array([0, 0, 1, 1, 2, -1, -1])
    >>> for train, test in LabeledStratifiedKFold(2, shuffle=False).split(y, y):
    ...     print(train, test)
    [1 3 4 5 6] [0 2]
    [0 2 4 5 6] [1 3]
    """

    n_splits: int = 5
    _: KW_ONLY
    shuffle: bool = True
    random_state: RandomState = 0
    unlabeled: Any = "auto"

    def _tests(self, rows: Any, y: TargetLike):
        members = [rows[at] for at in _classes(y, rows) if len(at) > 1]
        self._require(sum(map(len, members)), " of classes with two or more")
        yield from _dealt(members, self)


@dataclass(eq=False, repr=False)
class LabeledShuffleSplit(LabeledSplitter):
    """Random splits of the labeled rows. Classes are split one by one.

    About ``test_size`` · m of the m labeled rows of a class are tested. At least one stays in
    training.

    Parameters
    ----------
    n_splits : int, default=10
        The number of splits.
    test_size : float in (0, 1), default=0.2
        The share of the labeled rows to test on.
    random_state : int, RandomState or None, default=0
        Seed. The default is fixed, so two calls give the same splits.
    unlabeled : "auto" or a marker, default="auto"
        The marker of an unlabeled row, as in the estimators.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.model_selection import LabeledShuffleSplit
    >>> y = np.array(["a", "a", "b", "b", None], dtype=object)
    >>> splits = list(LabeledShuffleSplit(3, test_size=0.5).split(y, y))
    >>> [sorted(y[test]) for _, test in splits]
    [['a', 'b'], ['a', 'b'], ['a', 'b']]
    """

    n_splits: int = 10
    _: KW_ONLY
    test_size: float = 0.2
    random_state: RandomState = 0
    unlabeled: Any = "auto"

    def _tests(self, rows: Any, y: TargetLike):
        if not is_number(self.test_size) or not 0 < self.test_size < 1:
            raise ValueError(f"test_size={self.test_size!r} must lie between 0 and 1.")
        rng = check_random_state(self.random_state)
        members = [rows[codes] for codes in _classes(y, rows)]
        if max((len(at) for at in members), default=0) < 2:
            raise ValueError(
                "No class has two labeled rows, one to train and one to test on: label more rows."
            )
        for _ in range(self.n_splits):
            yield self._draw(members, rng)

    def _draw(self, members: list[np.ndarray], rng) -> np.ndarray:
        tests = []
        for at in members:
            # rounded up or down at random, so that small classes are also tested sometimes
            count = int(np.floor(self.test_size * len(at) + rng.uniform()))
            tests.append(rng.permutation(at)[: min(count, len(at) - 1)])
        test = np.concatenate(tests)
        if len(test):
            return test
        largest = max(members, key=len)
        return rng.permutation(largest)[:1]


def _dealt(
    members: list[np.ndarray], cv: LabeledKFold | LabeledStratifiedKFold
) -> Iterator[np.ndarray]:
    """Folds of equal size: the rows, class after class, go to the folds in turn."""
    if cv.shuffle:
        rng = check_random_state(cv.random_state)
        members = [rng.permutation(at) for at in members]
    every_row = np.concatenate(members)
    for fold in range(cv.n_splits):
        yield every_row[fold :: cv.n_splits]


def _classes(y: TargetLike, rows: np.ndarray) -> list[np.ndarray]:
    """The positions of each class within ``rows``; all rows as one group without classes."""
    y = y if hasattr(y, "ndim") else np.asarray(y)
    if y.ndim == 2 or not len(rows):
        return [np.arange(len(rows))]
    labels = as_labels(y)[rows]
    if labels.dtype.kind == "f" and (labels != np.round(labels)).any():
        return [np.arange(len(rows))]
    _, codes = np.unique(labels, return_inverse=True)
    return [np.flatnonzero(codes == c) for c in range(codes.max() + 1)]


def labeled_rows(y: TargetLike, unlabeled: Any = "auto") -> np.ndarray:
    """A mask of the rows with a label or with any observed target, (n,)."""
    y = y if hasattr(y, "ndim") else np.asarray(y)
    if y.ndim == 2:
        return np.asarray(~missing_mask(np.asarray(with_missing(y, unlabeled))).all(axis=1))
    return ~unlabeled_mask(as_labels(y), marker=unlabeled)
