"""One penalty per class, on the labeled rows of that class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from ..operators import BlockOperator, PSDOperator, ScaledOperator
from ..parameters.checks import is_number
from ..types import MatrixLike, TargetLike
from .base import Regularizer, stacked
from .laplacian import get_regularizer


@dataclass(eq=False, repr=False)
class ClassWise(Regularizer):
    """M = blockdiag(γ_c M_c), where M_c is built on the labeled rows of class c only.

    Unlabeled rows are not penalized. A class with fewer than two rows contributes nothing. Points
    that M_c adds (:class:`Invariance`) belong to class c.

    Parameters
    ----------
    regularizer : Regularizer or "laplacian"
        It is built once per class. "laplacian" is ``Laplacian(KNN(), degree=2)``.
    weights : mapping or sequence of float ≥ 0, optional
        The weights γ_c. A mapping gives them by class name, ``{"cat": 1.0, "dog": 5.0}``. A
        sequence gives them by class code 0, 1, …, in the order of the sorted classes. None means 1
        for each class.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, §6.2.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.graphs import Complete
    >>> from lapwing.regularizers import Laplacian
    >>> X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0, 0, 1, -1])
    >>> part = Laplacian(Complete(weight="binary"), normalized=False)
    >>> ClassWise(part, weights=[5.0, 1.0]).build(X, y).toarray()
    array([[ 5., -5.,  0.,  0.],
           [-5.,  5.,  0.,  0.],
           [ 0.,  0.,  0.,  0.],
           [ 0.,  0.,  0.,  0.]])
    """

    reads_labels = True

    regularizer: Regularizer | str = "laplacian"
    weights: Mapping | Sequence[float] | None = None

    @property
    def adds_points(self) -> bool:  # type: ignore[override]
        return get_regularizer(self.regularizer).adds_points

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        part = get_regularizer(self.regularizer)
        blocks, total = [], X.shape[0]
        for rows, weight in self._penalized(X, y):
            operator: PSDOperator = part.build(X[rows], np.asarray(y)[rows])
            own = np.r_[rows, total : total + operator.n - rows.size]  # and the points it adds
            blocks.append((own, ScaledOperator(operator, weight)))
            total += operator.n - rows.size
        return BlockOperator(total, blocks)

    def extra_points(self, X: MatrixLike, y: TargetLike = None) -> np.ndarray | None:
        part = get_regularizer(self.regularizer)
        found = [rows for rows, _ in self._penalized(X, y)] if part.adds_points else []
        return stacked(part.extra_points(X[rows], np.asarray(y)[rows]) for rows in found)

    def _penalized(self, X: MatrixLike, y: TargetLike) -> list[tuple[np.ndarray, float]]:
        """The rows of each class that is penalized, and its weight."""
        y = _check_codes(y, X.shape[0])
        classes = [int(c) for c in np.unique(y[y >= 0])]
        found = [(np.flatnonzero(y == c), self._weight(c)) for c in classes]
        return [(rows, weight) for rows, weight in found if rows.size >= 2 and weight > 0]

    def for_classes(self, classes: TargetLike) -> Regularizer:
        weights = self.weights
        if classes is None or not isinstance(weights, Mapping):
            return super().for_classes(classes)
        names = list(classes)
        if all(name in weights for name in names):
            weights = {code: weights[name] for code, name in enumerate(names)}
        elif not all(isinstance(key, Integral) for key in weights):
            missing = [name for name in names if name not in weights]
            raise ValueError(
                f"ClassWise's weights {weights!r} name no weight for {missing!r}; give one for "
                f"each of the classes {names!r}."
            )
        return ClassWise(get_regularizer(self.regularizer).for_classes(classes), weights)

    def _weight(self, c: int) -> float:
        if self.weights is None:
            return 1.0
        try:
            weight = self.weights[c]
        except (KeyError, IndexError, TypeError):
            raise ValueError(
                f"ClassWise's weights {self.weights!r} name no weight for class code {c}; "
                f"give one per class, by its position in the sorted classes."
            ) from None
        if not (is_number(weight) and weight >= 0):
            raise ValueError(f"The weight of class code {c} must be a number ≥ 0, got {weight!r}.")
        return float(weight)


def _check_codes(y: TargetLike, n: int) -> np.ndarray:
    if y is None:
        raise ValueError(
            "ClassWise needs the class of each row: call build(X, y), with codes 0, 1, … and −1 "
            "for unlabeled rows. Without classes, use Laplacian()."
        )
    y = np.asarray(y)
    if y.shape != (n,) or y.dtype.kind not in "iu":
        raise ValueError(
            f"ClassWise needs one integer class code per row of X, shape ({n},), got dtype "
            f"{y.dtype} and shape {y.shape}."
        )
    if not (y >= 0).any():
        raise ValueError("ClassWise is built from classes, and no row has one: use Laplacian().")
    return y
