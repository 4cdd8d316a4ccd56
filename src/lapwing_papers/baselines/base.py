"""What the comparators share: reading the labeled rows, centering, predicting."""

import warnings
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from lapwing.linalg.memory import require_bytes
from lapwing.parameters.arguments import documented, parameters
from lapwing.parameters.checks import check_count, check_weight
from lapwing.parameters.shelf import shelf_of

from .penalties import Penalty
from .proximal import ProximalProblem, minimize
from .seen import ObservedMask
from .squares import LeastSquares


class LinearBaseline(RegressorMixin, BaseEstimator, ABC):
    """f(x) = xᵀW + b over the labeled rows; abstract.

    Attributes
    ----------
    coef_ : array of shape (d, t)
        W.
    intercept_ : array of shape (t,)
    optimality_ : float
        The certificate: a relative duality gap or gradient norm.
    n_iter_ : int
    """

    fit_intercept: Any

    def fit(self, X, y):
        """Fit to the rows of X whose targets are known.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d)
            The labeled rows are made dense.
        y : array of shape (n,) or (n, t)
            NaN where a target was not observed; l counts the rows with at least one target, and
            the others are ignored, so that the y of a semi-supervised estimator serves here too.

        Returns
        -------
        self
        """
        self._check_parameters()
        X, Y, seen = self._labeled(X, y)
        x_mean = X.mean(axis=0) if self.fit_intercept else np.zeros(X.shape[1])
        W, self.optimality_, self.n_iter_ = self._fit(X - x_mean, seen(Y), seen)
        self._warn()
        self.coef_ = W
        self.intercept_ = seen.means(Y - X @ W) if self.fit_intercept else np.zeros(Y.shape[1])
        return self

    @abstractmethod
    def _fit(
        self, X: np.ndarray, Y: np.ndarray, seen: ObservedMask
    ) -> tuple[np.ndarray, float, int]:
        """W, its certificate and the iterations it took, for centered data."""

    @abstractmethod
    def _check_parameters(self) -> None: ...

    def _labeled(self, X, y) -> tuple[np.ndarray, np.ndarray, ObservedMask]:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        Y = check_array(
            y, ensure_2d=False, dtype=np.float64, ensure_all_finite="allow-nan", input_name="y"
        )
        check_consistent_length(X, Y)
        self._flat = Y.ndim == 1
        Y = Y.reshape(len(Y), -1)
        mask = ~np.isnan(Y)
        rows = mask.any(axis=1)
        if not rows.any():
            raise ValueError("No row of y is labeled: every entry is NaN.")
        X, Y, mask = X[rows], np.where(mask, Y, 0.0)[rows], mask[rows]
        if sp.issparse(X):
            require_bytes(
                8 * X.shape[0] * X.shape[1],
                f"The {X.shape[0]} labeled rows as a dense matrix of {X.shape[1]} columns",
                "Reduce the columns first (TruncatedSVD).",
            )
            X = X.toarray()
        _check_size("X", X)
        _check_size("y", Y)
        return X, Y, ObservedMask(mask, bool(self.fit_intercept))

    def _warn(self) -> None:
        tol = getattr(self, "tol", np.inf)
        if self.optimality_ > tol:
            warnings.warn(
                f"{type(self).__name__} stopped with the certificate {self.optimality_:.1e} above "
                f"tol={tol:.1e}: raise max_iter or loosen tol.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def predict(self, X):
        """xᵀW + b, (n,) or (n, t)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        F = np.asarray(X @ self.coef_) + self.intercept_
        return F[:, 0] if self._flat else F

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.input_tags.sparse = True
        return tags


SOLVING = """\
fit_intercept : bool, default=True
tol : float, default=1e-6
    Bound on the relative duality gap.
max_iter : int, default=20000"""

FITTED = """\
coef_ : array of shape (d, t)
intercept_ : array of shape (t,)
optimality_ : float
    The relative duality gap.
n_iter_ : int"""


@parameters
class PenalizedBaseline(LinearBaseline):
    """(1/2l)‖Y − XW‖² + Ω(W), to a certified duality gap; abstract."""

    fit_intercept: Any = True
    tol: Any = 1e-6
    max_iter: Any = 20000

    _positive: ClassVar[tuple[str, ...]] = ("alpha",)  # the weights
    shared_over: ClassVar[tuple[str, ...]] = ("alpha",)  # what copies that share may differ in

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        documented(solving=SOLVING, fitted=FITTED)(cls)

    def _check_parameters(self):
        for name in (*self._positive, "tol"):
            check_weight(name, getattr(self, name), positive=True)
        check_count("max_iter", self.max_iter)

    def _squares(self, X, Y, seen: ObservedMask, reduced: bool = False) -> LeastSquares:
        """The first term, with all that the weights leave as it is."""
        return shelf_of(self).once(lambda: LeastSquares(X, Y, seen, reduced=reduced), "squares")

    def _minimum(self, squares: LeastSquares, penalty: Penalty) -> tuple[np.ndarray, float, int]:
        """(W, gap, n_iter) by proximal gradients."""
        problem = ProximalProblem(squares, penalty)
        found = minimize(problem, self.tol, self.max_iter, self._start())
        self._leave(found[0])
        return found

    def _start(self) -> np.ndarray | None:
        """What a copy has found at the nearest weights, the distance being that of logarithms."""
        left = shelf_of(self).once(list, "found")
        if not left:
            return None
        at = self._log_weights()
        return min(left, key=lambda other: float(np.abs(other[0] - at).sum()))[1]

    def _leave(self, W: np.ndarray) -> None:
        """For the copies that come after."""
        shelf_of(self).once(list, "found").append((self._log_weights(), W))

    def _log_weights(self) -> np.ndarray:
        return np.log([getattr(self, name) for name in self._positive])


SQUARES = 1e150  # above this, and below its inverse, squares leave the range of floats


def _check_size(name: str, values: np.ndarray) -> None:
    largest = float(np.abs(values).max(initial=0.0))
    if largest > SQUARES or 0 < largest < 1.0 / SQUARES:
        raise ValueError(
            f"The largest entry of {name} is {largest:.1e}: its square is out of a float's range. "
            "Choose another unit (StandardScaler)."
        )
