"""The base class of regularizers. A regularizer builds a PSD matrix M over the rows of X."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from numbers import Real

import numpy as np
import scipy.sparse as sp

from ..operators import BlockOperator, PSDOperator, ScaledOperator, SumOperator, ZeroOperator
from ..parameters.spelling import NamedParameters
from ..types import MatrixLike, TargetLike


class Regularizer(NamedParameters, ABC):
    """The penalty ⟨f, M f⟩ ≥ 0 on the values f at all rows. :meth:`build` makes M from the rows.

    f has shape (n, t): one row per row of X, labeled or not. M is (n, n) and positive
    semi-definite. Regularizers can be added, and multiplied by numbers ≥ 0: ``Laplacian() + 0.1 *
    HessianEnergy()``.
    """

    reads_labels = False
    """Whether ``build`` reads y."""

    adds_points = False
    """Whether M also penalizes f at points that are not rows of X: see :meth:`extra_points`."""

    costly = False
    """Whether linear systems with M are expensive.

    Either a product with M costs far more than one with a sparse graph, or M is so badly
    conditioned that a system needs thousands of products.
    """

    joins_views = False
    """Whether M acts on the values of several views. ``build`` then needs rows split into views."""

    order = 0
    """The number of rows of M if M is given as a matrix. 0 if X determines it."""

    @abstractmethod
    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        """Return the operator M over the rows of X.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or Distances
        y : integer array of shape (n,), optional
            Class codes 0, 1, …, with −1 for unlabeled rows. Only class-wise penalties read it.
        """

    def extra_points(self, X: MatrixLike, y: TargetLike = None) -> np.ndarray | None:
        """The m extra points where M penalizes f, shape (m, d). None if there are none.

        M is then of order n + m: first the rows of X, then these points.
        """
        return None

    def for_classes(self, classes: TargetLike) -> Regularizer:
        """Return the same regularizer with class codes in place of class names.

        Parameters
        ----------
        classes : sequence or None
            The class names in the order of their codes. None if there are no classes.
        """
        given = self.get_params(deep=False)
        parts = {k: v.for_classes(classes) for k, v in given.items() if isinstance(v, Regularizer)}
        same = all(part is given[name] for name, part in parts.items())
        return self if same else type(self)(**given | parts)

    def __add__(self, other: Regularizer) -> Regularizer:
        return Sum(self, other) if isinstance(other, Regularizer) else NotImplemented

    def __mul__(self, weight: float) -> Regularizer:
        return Scaled(self, weight) if isinstance(weight, Real) else NotImplemented

    __rmul__ = __mul__


class Sum(Regularizer):
    """M = M_left + M_right.

    The graph of the sum is the union of the two graphs.

    Parameters
    ----------
    left, right : Regularizer

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, Remark 1: linear combinations of intrinsic norms.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.regularizers import Laplacian, Matrix
    >>> total = Matrix(np.eye(3)) + 2.0 * Matrix(np.ones((3, 3)))
    >>> total.build(np.zeros((3, 1))).value(np.ones((3, 1)))
    array([21.])
    """

    def __init__(self, left: Regularizer, right: Regularizer) -> None:
        self.left = left
        self.right = right

    @property
    def reads_labels(self) -> bool:  # type: ignore[override]
        return self.left.reads_labels or self.right.reads_labels

    @property
    def adds_points(self) -> bool:  # type: ignore[override]
        return self.left.adds_points or self.right.adds_points

    @property
    def costly(self) -> bool:  # type: ignore[override]
        return self.left.costly or self.right.costly

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        for name, part in (("left", self.left), ("right", self.right)):
            _check_part(part, f"Sum's {name}")
        left, right = self.left.build(X, y), self.right.build(X, y)
        n = X.shape[0]
        if left.n == right.n == n:
            return SumOperator([left, right])
        rows, total = np.arange(n), left.n + right.n - n
        own = [np.r_[rows, n : left.n], np.r_[rows, left.n : total]]
        return SumOperator(
            [BlockOperator(total, [(at, op)]) for at, op in zip(own, (left, right), strict=True)]
        )

    def extra_points(self, X: MatrixLike, y: TargetLike = None) -> np.ndarray | None:
        return stacked(part.extra_points(X, y) for part in (self.left, self.right))


class Scaled(Regularizer):
    """w M for a number w ≥ 0. For w = 0 it is the zero operator.

    Parameters
    ----------
    regularizer : Regularizer
    weight : float ≥ 0

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.regularizers import Matrix
    >>> Scaled(Matrix(np.eye(2)), 3.0).build(np.zeros((2, 1))).toarray()
    array([[3., 0.],
           [0., 3.]])
    """

    def __init__(self, regularizer: Regularizer, weight: float = 1.0) -> None:
        self.regularizer = regularizer
        self.weight = weight

    @property
    def reads_labels(self) -> bool:  # type: ignore[override]
        return self.regularizer.reads_labels

    @property
    def adds_points(self) -> bool:  # type: ignore[override]
        return self.regularizer.adds_points and self.weight > 0

    @property
    def costly(self) -> bool:  # type: ignore[override]
        return self.regularizer.costly and self.weight > 0

    def extra_points(self, X: MatrixLike, y: TargetLike = None) -> np.ndarray | None:
        return self.regularizer.extra_points(X, y) if self.weight else None

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        _check_part(self.regularizer, "Scaled's regularizer")
        if not (isinstance(self.weight, Real) and 0 <= self.weight < np.inf):
            raise ValueError(
                f"The weight of a regularizer must be a finite number ≥ 0, got {self.weight!r}: "
                f"a negative one would not be positive semi-definite."
            )
        if self.weight == 0:
            return ZeroOperator(X.shape[0])
        return ScaledOperator(self.regularizer.build(X, y), self.weight)


class NoRegularizer(Regularizer):
    """M = 0. There is no intrinsic term, as for γ_I = 0.

    Examples
    --------
    >>> import numpy as np
    >>> NoRegularizer().build(np.zeros((2, 1))).toarray()
    array([[0., 0.],
           [0., 0.]])
    """

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        return ZeroOperator(X.shape[0])


def stacked(parts: Iterable[np.ndarray | None]) -> np.ndarray | None:
    """Stack the points of several parts. None if there are none."""
    found = [part for part in parts if part is not None]
    if not found:
        return None
    if any(sp.issparse(part) for part in found):
        return sp.vstack(found, format="csr")
    return np.vstack(found)


def _check_part(part, name: str) -> None:
    if not isinstance(part, Regularizer):
        raise TypeError(f"{name} must be a Regularizer, got {part!r}.")
