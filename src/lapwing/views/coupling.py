"""What couples the values of several views: disagreement, or any PSD matrix M over all of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..operators import PSDOperator
from ..regularizers import Disagreement, Regularizer, get_regularizer
from .built import SplitRows
from .spec import View, refuse_added_points


def given_coupling(
    regularizer: Any, views: Sequence[View], n: int, name: str = "regularizer"
) -> Any:
    """M over the views as it was given, checked as far as is cheap; None is disagreement.

    Parameters
    ----------
    regularizer : None, Regularizer, or PSD matrix of order m·n, view by view
    views : sequence of View
    n : int
        Rows of X.
    name : str
        The parameter, as error messages call it.
    """
    m = len(views)
    if regularizer is None:
        return Disagreement()
    found = get_regularizer(regularizer)
    if found.joins_views:
        return found
    refuse_added_points([View("all", regularizer=found)])
    if any(view.regularizer is not None for view in views):
        raise ValueError(
            f"Give either a {name} M over all views or a regularizer in each view, not both: "
            "add the views' blocks to M."
        )
    if m > 1 and not found.order:
        raise TypeError(
            f"With {m} views, {name} must be None, Disagreement(), Factored(V) or a PSD "
            f"matrix over all views' values; {type(found).__name__} belongs to one view: give it "
            "as the view's fourth entry."
        )
    if found.order not in (0, m * n):
        raise ValueError(
            f"{name} has {found.order} rows, expected m·n = {m}·{n} = {m * n}: one for "
            "each view's value at each row of X, view by view."
        )
    return found


def coupling_operator(given: Regularizer, cloud: SplitRows) -> PSDOperator:
    """M over the views' stacked values; a view that is absent at a row has no value there."""
    m = len(cloud.blocks)
    everything = np.zeros((m * cloud.n, 1))  # as many points as M has rows
    operator = given.build(everything if m > 1 else cloud.blocks[0])
    if cloud.complete:
        return operator
    at = np.concatenate([j * cloud.n + rows for j, rows in enumerate(cloud.rows)])
    return operator.restricted(at)
