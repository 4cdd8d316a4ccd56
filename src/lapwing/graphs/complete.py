"""The graph of all pairs."""

from collections.abc import Callable
from typing import Any

from ..linalg.memory import require_bytes
from ..types import MatrixLike
from .assemble import as_input, symmetric_graph
from .base import Graph, WeightedGraph, has_coordinates
from .scales import warn_of_scales
from .search import all_pairs
from .weights import check_weight


class Complete(Graph):
    """W_ij > 0 for all i ≠ j. Every row is joined to every other row. W holds n(n − 1) weights.

    Parameters
    ----------
    weight, t, metric
        As in :class:`lapwing.graphs.KNN`. All other rows are neighbors of each row.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006 (MR), Table 1, step 1.

    Examples
    --------
    >>> Complete(weight="binary").build([[0.0], [1.0], [5.0]]).degrees
    array([2., 2., 2.])
    """

    def __init__(
        self,
        weight: str | Callable[..., Any] = "heat",
        t: float | str = "mean",
        metric: str = "euclidean",
    ) -> None:
        self.weight = weight
        self.t = t
        self.metric = metric

    def build(self, X: MatrixLike) -> WeightedGraph:
        X = as_input(X, self.metric)
        check_weight(self.weight, self.t, X)
        require_bytes(
            35 * X.shape[0] ** 2,  # at the peak: tests/graphs/test_graph_memory.py
            f"The complete graph of {X.shape[0]} points",
            "Use KNN(), whose graph is sparse.",
        )
        warn_of_scales(X)
        symmetrize = "union" if not has_coordinates(X) else None
        return symmetric_graph(all_pairs(X, self.metric), self.weight, X, self.t, symmetrize)
