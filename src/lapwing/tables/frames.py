"""Tables as people hold them in memory (pandas, polars, arrays), as a pandas data frame."""

import numpy as np

from ..types import Frame, MatrixLike
from .extras import TableError, need


def as_frame(X: MatrixLike) -> Frame:
    """A pandas data frame with strings for names, from pandas, polars or an array.

    Examples
    --------
    >>> as_frame([[1.0, 2.0]]).columns.tolist()
    ['0', '1']
    """
    pandas = need("pandas", "A table")
    if type(X).__module__.split(".")[0] == "polars":
        if type(X).__name__ == "LazyFrame":
            raise TableError("X is a lazy polars frame: give X.collect().")
        X = pandas.DataFrame({name: _column(X[name]) for name in X.columns})
    if not isinstance(X, pandas.DataFrame):
        X = np.asarray(X)
        if X.ndim != 2:
            raise TableError(f"X must be a table of rows and columns; got shape {X.shape}.")
        X = pandas.DataFrame(X).infer_objects()
    names = [str(name) for name in X.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise TableError(f"Columns with the same name: {', '.join(twice)}. Rename them.")
    return X.set_axis(names, axis=1)


def _column(series: Frame):
    """A polars column as pandas holds it; nested ones as objects."""
    if series.dtype.is_nested():
        return series.to_list()
    return series.to_pandas()


def prepared(frame: Frame, kinds: dict[str, str]) -> Frame:
    """The columns that skrub is to see, each as its kind asks for: numbers, dates or words."""
    pandas = need("pandas", "A table")
    out = {}
    for name, kind in kinds.items():
        column = frame[name]
        if kind in ("number", "yes/no"):
            numbers = pandas.to_numeric(column.astype(object), errors="coerce").astype(float)
            out[name] = numbers.where(np.isfinite(numbers))
        elif kind in ("category", "text"):
            words = column.astype(object).where(column.isna(), column.astype(str))
            # a category stays one; skrub would read codes such as "00501" as numbers
            out[name] = words.astype("category") if kind == "category" else words
        elif pandas.api.types.infer_dtype(column, skipna=True) in ("datetime", "date"):
            out[name] = pandas.to_datetime(column, errors="coerce")  # objects beside gaps too
        else:
            out[name] = column
    return pandas.DataFrame(out, index=frame.index)


def stacked(column: Frame) -> np.ndarray:
    """A column of vectors as a matrix, NaN in rows without one."""
    seen = column.dropna()
    width = len(seen.iloc[0]) if len(seen) else 0
    gap = np.full(width, np.nan)
    rows = [gap if v is None or np.ndim(v) == 0 else np.asarray(v, dtype=float) for v in column]
    if any(len(row) != width for row in rows):
        raise TableError(f"The vectors of column {column.name!r} are not all of one length.")
    return np.array(rows)
