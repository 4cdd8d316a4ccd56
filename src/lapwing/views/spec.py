"""The parameter ``views=``: its form, and checks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..kernels import get_kernel
from ..regularizers import get_regularizer

FORM = "(name, kernel, columns[, regularizer[, scaler]])"


@dataclass(frozen=True)
class View:
    """One view of X: some of its columns, with a kernel, and optionally a penalty and a scaler.

    Attributes
    ----------
    name : str
    kernel : str, Kernel or callable
    columns : int, str, slice, boolean mask, list of int or str, or callable of X
    regularizer : Regularizer, matrix, or None
    scaler : scikit-learn transformer or None
        Fitted on the columns of the view. Kernel and graph see the transformed columns.
    """

    name: str
    kernel: Any = "rbf"
    columns: Any = field(default_factory=lambda: slice(None))
    regularizer: Any = None
    scaler: Any = None


def as_views(views: Any) -> list[View]:
    """The views of a list of tuples. None is one view of all columns with an RBF kernel.

    Examples
    --------
    >>> [view.name for view in as_views([("page", "linear", [0, 1]), ("link", "rbf", [2])])]
    ['page', 'link']
    """
    if views is None:
        return [View("all")]
    if isinstance(views, str | dict) or not isinstance(views, Sequence) or not len(views):
        raise ValueError(
            f"views must be a non-empty list of tuples {FORM}, or None for one view of all "
            f"columns, got {views!r}."
        )
    checked = [_as_view(view) for view in views]
    names = [view.name for view in checked]
    if len(set(names)) < len(names):
        raise ValueError(f"The names of the views must differ, got {names}.")
    return checked


def _as_view(view) -> View:
    if isinstance(view, View):
        view = tuple(vars(view).values())
    if not isinstance(view, tuple | list) or not 3 <= len(view) <= 5:
        raise ValueError(f"A view must be a tuple {FORM}, got {view!r}.")
    found = View(*view)
    name, scaler = found.name, found.scaler
    if not isinstance(name, str) or not name or "__" in name:
        raise ValueError(
            f"A view begins with its name, a non-empty string without '__', got {name!r}."
        )
    get_kernel(found.kernel)
    if found.regularizer is not None:
        get_regularizer(found.regularizer)
    if scaler and not hasattr(scaler, "transform"):
        raise TypeError(
            f"The scaler of the view {name!r} must be a transformer such as StandardScaler(), "
            f"got {scaler!r}."
        )
    return found


def refuse_added_points(views: Sequence[View]) -> None:
    """Raise ValueError where the regularizer of a view adds points that are not rows of X."""
    for view in views:
        if view.regularizer is not None and get_regularizer(view.regularizer).adds_points:
            raise ValueError(
                f"The regularizer of the view {view.name!r} adds points to the rows (Invariance), "
                "which views do not have: give it a regularizer over the rows alone, or use "
                "Invariance in an estimator without views."
            )


def per_view(value: Any, m: int, name: str, default: Any, positive: bool = False) -> np.ndarray:
    """One number per view from None, a number, or m numbers.

    Examples
    --------
    >>> per_view(None, 2, "view_weights", 0.5)
    array([0.5, 0.5])
    """
    try:
        numbers = np.asarray(default if value is None else value, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be a number or one per view, got {value!r}.") from error
    if numbers.ndim > 1 or (numbers.ndim == 1 and len(numbers) != m):
        raise ValueError(
            f"{name} must be one number or one for each of the {m} views, got {value!r}."
        )
    if not np.isfinite(numbers).all() or (positive and (numbers <= 0).any()):
        kind = "positive and finite" if positive else "finite"
        raise ValueError(f"{name} must be {kind}, got {value!r}.")
    return np.broadcast_to(numbers, (m,)).copy()


def view_weights(value: Any, m: int) -> np.ndarray:
    """The weights a_j of the m views in their sum. Not all of them are 0. None is 1/m.

    Examples
    --------
    >>> view_weights(None, 2)
    array([0.5, 0.5])
    """
    a = per_view(value, m, "view_weights", 1.0 / m)
    if not a.any():
        raise ValueError(f"view_weights={value!r}: the loss sees none of the views.")
    return a
