"""The penalty M over the values of several views: their disagreement, or any PSD matrix."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..operators import DisagreementOperator, IntrinsicCoupling, PSDOperator
from ..regularizers import Disagreement, Regularizer, get_regularizer
from .built import SplitRows
from .spec import View, refuse_added_points


def given_coupling(
    regularizer: Any,
    views: Sequence[View],
    n: int,
    name: str = "regularizer",
    intrinsic: bool = False,
) -> Any:
    """M over the views as the user gave it, after cheap checks; None is disagreement.

    Parameters
    ----------
    regularizer : None, Regularizer, or PSD matrix of order m·n, view by view
    views : sequence of View
    n : int
        The number of rows of X.
    name : str
        The name of the parameter in error messages.
    intrinsic : bool
        Whether M is over (f^1 … f^m, g^1 … g^m), as in CoMR. The views then keep their own
        penalties.
    """
    m = len(views)
    blocks = 2 * m if intrinsic else m
    if regularizer is None:
        return Disagreement()
    found = get_regularizer(regularizer)
    if found.joins_views:
        return found
    refuse_added_points([View("all", regularizer=found)])
    if not intrinsic and any(view.regularizer is not None for view in views):
        raise ValueError(
            f"Give either a {name} M over all views or a regularizer in each view, not both: "
            "add the views' blocks to M."
        )
    if blocks > 1 and not found.order:
        raise TypeError(
            f"With {m} views, {name} must be None, Disagreement(), Factored(V) or a PSD "
            f"matrix over all views' values; {type(found).__name__} belongs to one view: give it "
            "as the view's fourth entry."
        )
    if found.order not in (0, blocks * n):
        factor, which = ("2m·n", "the f^j, then the g^j, ") if intrinsic else ("m·n", "")
        raise ValueError(
            f"{name} has {found.order} rows, expected {factor} = {blocks}·{n} = {blocks * n}: one "
            f"for each view's value at each row of X, {which}view by view."
        )
    return found


def coupling_operator(given: Regularizer, cloud: SplitRows, intrinsic: bool = False) -> PSDOperator:
    """M over the stacked values of the views. A row that lacks a view has no value there."""
    all_rows = cloud.rows + cloud.rows if intrinsic else cloud.rows
    everything = np.zeros((len(all_rows) * cloud.n, 1))  # as many points as M has rows
    operator = given.build(everything if len(all_rows) > 1 else cloud.blocks[0])
    if cloud.complete:
        return operator
    at = np.concatenate([j * cloud.n + rows for j, rows in enumerate(all_rows)])
    return operator.restricted(at)


def intrinsic_coupling(given: Any, cloud: SplitRows) -> PSDOperator:
    """The operator with weight γ_C in CoMR, over (f^1 … f^m, g^1 … g^m)."""
    if given.joins_views:
        return IntrinsicCoupling(given.build(cloud), 1.0, [None] * len(cloud.blocks))
    return coupling_operator(given, cloud, intrinsic=True)


def intrinsic_penalties(cloud: SplitRows, own: Sequence[PSDOperator]) -> IntrinsicCoupling:
    """The operator with weight γ_I in CoMR: Σ_j ⟨g^j, M_j g^j⟩."""
    return IntrinsicCoupling(DisagreementOperator(cloud.rows, cloud.n, weight=0.0), 0.0, own)
