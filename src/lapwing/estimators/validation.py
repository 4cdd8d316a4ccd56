"""X checked as scikit-learn does, with a way out where it is a raw table; names in tables."""

from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import validate_data

SHOWN = 5
"""Columns that a message names."""


def validate_points(estimator, X, **options):
    """``validate_data``; words and gaps in X are answered with what to do about them.

    Parameters
    ----------
    estimator : estimator
    X : array, CSR matrix or data frame
    **options
        As of :func:`sklearn.utils.validation.validate_data`.
    """
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X is a LazyFrame, which holds no rows yet: pass X.collect().")
    try:
        return validate_data(estimator, X, **options)
    except ValueError as error:
        text = str(error)
        if "could not convert string to float" in text:
            raise ValueError(_about_words(estimator, X)) from error
        if "contains NaN" in text and "HistGradientBoosting" in text:
            raise ValueError(f"{text.splitlines()[0]} {_way_out(estimator)}") from error
        raise


def takes_missing(kernel) -> bool:
    """Whether a kernel, as it was typed, can do without some columns of a row."""
    return callable(kernel) and bool(getattr(kernel, "takes_missing", False))


def has_gaps(X) -> bool:
    """Whether an entry of X is NaN."""
    return bool(np.isnan(X.data if sp.issparse(X) else X).any())


def _about_words(estimator, X) -> str:
    names = text_columns(X)
    named = ", ".join(map(repr, names[:SHOWN])) + (" …" if len(names) > SHOWN else "")
    which = f" in column{'s' * (len(names) > 1)} {named}" if names else ""
    return f"X holds text{which}, where numbers are needed. {_way_out(estimator)}"


def _way_out(estimator) -> str:
    name = type(estimator).__name__
    return (
        f"lapwing.tables.pipeline({name}()) takes raw tables: text, categories, dates and gaps "
        '(pip install "lapwing-learn[tables]").'
    )


def text_columns(X) -> list:
    """Columns of X that hold text: names of a data frame, numbers of an array.

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
    """What answers that are rows call them, (n,); empty where they are counted.

    The index of y where it is a pandas Series or frame, else that of X. Integers that name the
    rows of X alone would be taken for places in y, so these rows are counted, as are those whose
    names are not unique.

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
    """ "pandas" or "polars", or nothing for what is no table of these."""
    name = type(table).__module__.partition(".")[0]
    return name if name in ("pandas", "polars") else ""


def target_names(y: Any) -> np.ndarray:
    """The names of y's columns, (t,), where it is a data frame of several; else empty."""
    names = getattr(y, "columns", ()) if library_of(y) else ()
    return np.array([str(name) for name in names], dtype=object)


def in_frame(values: Any, names: np.ndarray, library: str, X: Any) -> Any:
    """Values of several targets as a data frame with their names, and with the rows of X."""
    if not len(names) or np.ndim(values) != 2:
        return values
    if library == "polars":
        polars = import_module("polars")
        return polars.DataFrame(values, schema=list(names))
    index = X.index if library_of(X) == "pandas" else None
    return import_module("pandas").DataFrame(values, columns=list(names), index=index)
