"""The search: frames and kernels first, graphs next, weights and the intercept with each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..graphs.scales import warn_of_scales
from ..kernels import check_magnitude, get_kernel
from ..losses import Loss
from ..regularizers import get_regularizer
from ..spaces import on_graph
from . import candidates
from .candidates import Parts
from .problem import sampled
from .selection import Selection
from .trials import Trials

FEWEST, FEWEST_REAL = 15, 8
"""Labeled rows that can be left out, of classes and of real targets, below which nothing is
compared: errors are coarser than residuals."""

LARGEST = 4000
"""Rows above which nothing is searched where none can be left out."""


def select(
    X,
    Y: np.ndarray,
    weights: np.ndarray,
    codes: np.ndarray,
    n_classes: int,
    *,
    given: dict[str, Any],
    points: Callable,
    space="auto",
    random_state=None,
    loss: Loss | None = None,
    n_rows: int | None = None,
) -> Selection:
    """Choose what is "auto" among kernel, regularizer, γ_A, γ_I and the intercept.

    The criterion is leave-one-out of the squared loss, in closed form, whatever the loss of the
    fit: what is chosen is K̃, the kernel both have in common. Where ``loss`` is another one, γ_A is
    then chosen among the nearest three by leave-one-out of that loss, where that is affordable
    (:mod:`.own_loss`). Frames and kernels are compared over
    the default graph, graphs over the leading kernel, γ_A, γ_I and the intercept within each
    (:mod:`lapwing.selection.candidates` lists them all). The documented default stays unless a
    paired comparison over the labeled rows says otherwise by more than one standard error; then
    all settings vote on the unlabeled rows, and the one nearest to the vote is taken
    (:mod:`lapwing.selection.consensus`).
    Classes with one label tell nothing when it is left out; where too few rows tell, the default
    is taken as it is. Above 8,000 rows, where the functions are values on the points, a sample's
    graph is another one (decision 0110): it only tells whether the graph is to take part at all.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d), or the Gram matrix
    Y, weights : arrays of shape (n, t) and (n, 1) or (n, t)
    codes : integer array of shape (n,)
        Class codes, −1 where unlabeled.
    n_classes : int
        0 where targets are no classes.
    given : dict
        The five parameters, as they were typed.
    points : callable
        (kernel, X) ↦ what a graph sees.
    space : str or rule
    random_state : int, RandomState or None
    loss : Loss, optional
        That of the fit; None is the squared loss.
    n_rows : int, optional
        How many rows there are, where X is already a sample of them.

    Returns
    -------
    Selection
    """
    fixed = None if candidates.is_auto(given["kernel"]) else get_kernel(given["kernel"])
    if fixed is not None:
        check_magnitude(fixed.build(X, random_state), X)
    problem = sampled(
        X, Y, weights, codes, n_classes, random_state=random_state, points=points,
        precomputed=fixed is not None and fixed.precomputed,
        whole=_over_given_rows(given["regularizer"]),
    )  # fmt: skip
    per_class = (codes >= 0).sum() / n_classes if n_classes else 0.0
    graphs = candidates.Graphs.for_labels(given["regularizer"], problem.X, per_class)
    first = candidates.first_parts(given, problem.X, space, random_state, graphs)
    search = Trials(problem, given)
    if search.telling.sum() < (FEWEST if n_classes else FEWEST_REAL):
        return search.default(first[0], "too few labels to compare by")
    n, kernel = X.shape[0] if n_rows is None else n_rows, first[0].kernel
    if not kernel.precomputed:  # what it looks like in a frame is known once that is fitted
        kernel = kernel.build(problem.X, random_state)
    if on_graph(space, kernel, X, n):
        return _graph_or_none(search, first, n)
    if problem.n > LARGEST:
        return search.default(
            first[0], f"a matrix over {problem.n} rows is too large to search with"
        )
    for parts in first:
        search.try_parts(parts)
    leading = search.leading(first)
    for parts in candidates.other_graphs(leading, graphs):
        search.try_parts(parts)
    found = search.decide(search.chosen())
    if candidates.is_auto(given["gamma_I"]) and found.best is not None and not found.best.gamma_I:
        warn_of_scales(points(found.best.kernel.build(X, random_state), X))  # no graph will say it
    if loss is None or loss.solver == "direct":
        return found
    return search.by_own_loss(loss, found)


def _graph_or_none(search: Trials, first: list[Parts], n: int) -> Selection:
    """The default, unless a sample says clearly that the kernel alone is better (γ_I = 0)."""
    for parts in first:
        if parts.frame is first[0].frame:
            search.try_parts(parts)
    # other weights of the graph would be those of the sample's
    search.trials = [t for i, t in enumerate(search.trials) if i == 0 or not t.gamma_I]
    found = search.decide(search.clearly_chosen())
    if found.best is not None and not found.best.gamma_I:
        return found
    reason = f"{search.problem.n} of {n} rows tell too little of the graph of all"
    return search.default(first[0], f"{reason}, but not that it should be left out")


def _over_given_rows(given) -> bool:
    """Whether it holds a matrix over the rows of X, none of which can then be left out."""
    if candidates.is_auto(given):
        return False
    parts = get_regularizer(given).get_params(deep=True).values()
    return any(sp.issparse(part) or np.ndim(part) == 2 for part in parts)
