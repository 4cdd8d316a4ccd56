"""Names for what people may give: used in signatures, so that editors and type checkers show it.

These are wide on purpose. Whatever is given is checked when it is used, with an error that says
what was expected.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import os

MatrixLike: TypeAlias = Any
"""Rows by columns: an array, a CSR matrix, a pandas or polars data frame, or nested lists."""

TargetLike: TypeAlias = Any
"""One entry or one row for each row of X: an array, a list, or a column of a data frame."""

Axes: TypeAlias = Any
"""matplotlib's ``Axes``; None where a figure is to be made."""

Estimator: TypeAlias = Any
"""A scikit-learn estimator, of Lapwing or not."""

Frame: TypeAlias = Any
"""A pandas data frame, or one of its columns."""

RandomState: TypeAlias = Any
"""A whole number, a ``numpy.random.RandomState``, or None."""

PathLike: TypeAlias = "str | os.PathLike[str]"
