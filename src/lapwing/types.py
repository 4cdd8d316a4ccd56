"""Type names for arguments. Signatures use them, so editors and type checkers can show them.

The types are wide on purpose. Each argument is checked when it is used, and an error names the
expected type.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import os

MatrixLike: TypeAlias = Any
"""A matrix of rows and columns: an array, a CSR matrix, a pandas or polars frame, or nested lists.
"""

TargetLike: TypeAlias = Any
"""One entry or one row for each row of X: an array, a list, or a column of a data frame."""

Axes: TypeAlias = Any
"""matplotlib's ``Axes``. None makes a new figure."""

Estimator: TypeAlias = Any
"""A scikit-learn estimator, from Lapwing or another library."""

Frame: TypeAlias = Any
"""A pandas data frame, or one of its columns."""

RandomState: TypeAlias = Any
"""An integer, a ``numpy.random.RandomState``, or None."""

PathLike: TypeAlias = "str | os.PathLike[str]"
