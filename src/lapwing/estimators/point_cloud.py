"""The base class of estimators over rows: parameters that are parts, saved state, and checks of X.

X is checked as in scikit-learn. An error about a raw table names a solution.
"""

from importlib import import_module
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from ..kernels import get_kernel
from ..linalg.points import as_points
from ..parameters.arguments import is_auto
from ..parameters.checks import is_positive
from ..parameters.spelling import ConstructorSignature, check_keywords
from ..regularizers import get_regularizer
from .settings import Settings, check_gamma
from .state import opened, sealed

SPELLED = {"kernel": "kernel=RBF()", "regularizer": "regularizer=Laplacian(KNN())"}


class PointCloudModel(BaseEstimator):
    """A kernel, a regularizer and weights γ over the rows of X; abstract."""

    __signature__: Any = ConstructorSignature()
    tol: Any

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        check_keywords(cls, kwargs)
        return super().__new__(cls)

    def _meant(self, name: str):
        """The part for which the name in ``kernel`` or ``regularizer`` stands."""
        resolve = get_kernel if name == "kernel" else get_regularizer
        return resolve(getattr(Settings(self), name))

    def set_params(self, **params):
        """Set parameters as in scikit-learn.

        ``kernel__sigma`` and ``regularizer__graph__n_neighbors`` also work if the parameter is
        still a name or None. The part for that name then replaces it.
        """
        try:
            check_keywords(type(self), [key for key in params if "__" not in key])
        except TypeError as error:  # scikit-learn raises the other kind here
            raise ValueError(str(error)) from error
        for key in params:
            name, nested, inner = key.partition("__")
            if not nested or name not in SPELLED or name in params:
                continue
            part = getattr(self, name, None)
            if is_auto(part):
                raise ValueError(
                    f"{key} cannot be set: {name}='auto' is chosen by fit and has no parameter "
                    f"{inner!r}. Spell the part out first, such as {SPELLED[name]}."
                )
            if part is None or isinstance(part, str):
                setattr(self, name, self._meant(name))
        return super().set_params(**params)

    def _check_parameters(self) -> None:
        for name, value in self.get_params(deep=False).items():
            if name.startswith("gamma_"):
                check_gamma(name, value)
        if self.tol is not None and not is_positive(self.tol):
            raise ValueError(f"tol={self.tol!r} must be a positive number, or None.")

    def _validate(self, X):
        """The validated rows of X to fit to."""
        gram = Settings(self).precomputed
        # a Gram matrix keeps its precision until it is checked
        dtype = [np.float64, np.float32] if gram else np.float64
        X = self._validated(X, dtype=dtype, ensure_min_samples=2)
        if gram and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs the square Gram matrix of the training rows, got "
                f"shape {X.shape}."
            )
        return X

    @property
    def _finite(self) -> bool | str:
        """Whether X may hold NaN, in scikit-learn's spelling."""
        return "allow-nan" if takes_missing(getattr(self, "kernel", None)) else True

    def _validated(self, X, dtype: Any = np.float64, **options):
        return validate_points(
            self, X, accept_sparse="csr", dtype=dtype, ensure_all_finite=self._finite, **options
        )

    def __getstate__(self):
        return sealed(dict(super().__getstate__()))

    def __setstate__(self, state):
        super().__setstate__(opened(type(self).__name__, dict(state)))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = Settings(self).precomputed
        tags.input_tags.allow_nan = self._finite is not True
        return tags


def validate_points(estimator, X, **options):
    """``validate_data`` of scikit-learn. Errors about text and missing values name a solution.

    Parameters
    ----------
    estimator : estimator
        The estimator that gets X.
    X : array, CSR matrix or data frame
        The rows.
    **options
        As of :func:`sklearn.utils.validation.validate_data`.
    """
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X is a LazyFrame, which holds no rows yet: pass X.collect().")
    try:
        # scikit-learn would keep a sparse entry that is stored in two parts
        return as_points(validate_data(estimator, X, **options))
    except ValueError as error:
        text = str(error)
        if "could not convert string to float" in text:
            raise ValueError(_about_words(estimator, X)) from error
        if "contains NaN" in text and "HistGradientBoosting" in text:
            raise ValueError(f"{text.splitlines()[0]} {_way_out(estimator)}") from error
        raise


def takes_missing(kernel) -> bool:
    """Whether a kernel parameter can handle rows that lack some columns."""
    return callable(kernel) and bool(getattr(kernel, "takes_missing", False))


def _about_words(estimator, X) -> str:
    names = text_columns(X)
    named = ", ".join(map(repr, names[:5])) + (" …" if len(names) > 5 else "")
    which = f" in column{'s' * (len(names) > 1)} {named}" if names else ""
    return f"X holds text{which}, where numbers are needed. {_way_out(estimator)}"


def _way_out(estimator) -> str:
    name = type(estimator).__name__
    return (
        f"lapwing.tables.pipeline({name}()) takes raw tables: text, categories, dates and gaps "
        '(pip install "lapwing-learn[tables]").'
    )


def text_columns(X) -> list:
    """The columns of X that hold text: names for a data frame, numbers for an array.

    Examples
    --------
    >>> text_columns(np.array([[1.0, "Lyon"], [2.0, "Bonn"]], dtype=object))
    [1]
    """
    names = list(getattr(X, "columns", range(np.shape(X)[1] if np.ndim(X) == 2 else 0)))
    table = np.asarray(X, dtype=object)
    return [name for name, cells in zip(names, table.T, strict=True) if any(map(_is_word, cells))]


def _is_word(cell) -> bool:
    if not isinstance(cell, str):
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return False


def row_names(X: Any, y: Any) -> np.ndarray:
    """The names of the rows, (n,); empty if rows are numbered.

    The names are the index of y if it is a pandas Series or frame, else the index of X. An integer
    index of X alone could be confused with positions in y, so these rows are numbered. Rows with
    repeated names are numbered too.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": [1.0, 2.0]}, index=["first", "second"])
    >>> row_names(frame, [0, -1]).tolist(), row_names(frame.to_numpy(), [0, -1]).tolist()
    (['first', 'second'], [])
    """
    for given in (y, X):
        if library_of(given) == "pandas" and hasattr(given, "index"):  # an array has none
            index = np.asarray(given.index)
            apart = given is X and index.dtype.kind in "iu"
            counted = index.dtype.kind in "iu" and (index == np.arange(len(index))).all()
            return index[:0] if apart or counted or not given.index.is_unique else index
    return np.empty(0)


def library_of(table: Any) -> str:
    """The library of a table, "pandas" or "polars"; empty for any other object."""
    name = type(table).__module__.partition(".")[0]
    return name if name in ("pandas", "polars") else ""


def target_names(y: Any) -> np.ndarray:
    """The names of y's columns, (t,), if y is a data frame of several columns; else empty."""
    names = getattr(y, "columns", ()) if library_of(y) else ()
    return np.array([str(name) for name in names], dtype=object)


def in_frame(values: Any, names: np.ndarray, library: str, X: Any) -> Any:
    """Values of several targets as a data frame with their names and the index of X."""
    if not len(names) or np.ndim(values) != 2:
        return values
    if library == "polars":
        return import_module("polars").DataFrame(values, schema=list(names))
    index = X.index if library_of(X) == "pandas" else None
    return import_module("pandas").DataFrame(values, columns=list(names), index=index)
