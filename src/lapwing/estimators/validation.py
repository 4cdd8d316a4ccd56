"""X checked as scikit-learn does, with a way out where it is a raw table."""

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
