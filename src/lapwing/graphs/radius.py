"""The graph of all pairs within a radius."""

from collections.abc import Callable
from typing import Any

from ..linalg.memory import require_bytes
from ..parameters.checks import is_number
from ..types import MatrixLike
from .assemble import as_input, symmetric_graph
from .base import Graph, WeightedGraph
from .hubs import say_stars
from .scales import warn_of_scales
from .search import Neighbors
from .weights import check_weight


class Radius(Graph):
    """W_ij > 0 if d(x_i, x_j) ≤ radius, for i ≠ j.

    A row without another row in its radius has no edges.

    Parameters
    ----------
    radius : float, at least 0
        The largest distance of two joined rows.
    weight, t, metric
        As in :class:`lapwing.graphs.KNN`.

    References
    ----------
    Belkin, Niyogi 2003, *Laplacian Eigenmaps*, §2, step 1 (ε-neighborhoods).

    Examples
    --------
    >>> Radius(1.0, weight="binary").build([[0.0], [1.0], [5.0]]).degrees
    array([1., 1., 0.])
    """

    def __init__(
        self,
        radius: float = 1.0,
        weight: str | Callable[..., Any] = "heat",
        t: float | str = "mean",
        metric: str = "euclidean",
    ) -> None:
        self.radius = radius
        self.weight = weight
        self.t = t
        self.metric = metric

    def build(self, X: MatrixLike) -> WeightedGraph:
        X = as_input(X, self.metric)
        r = self.radius
        if not is_number(r) or r < 0:
            raise ValueError(f"radius is {r!r}; expected a number of at least 0.")
        check_weight(self.weight, self.t, X)
        warn_of_scales(X)
        found = Neighbors(X, self.metric)
        pairs = found.count_within(float(r))
        require_bytes(
            # peak memory without and with a union of the lists: tests/graphs/test_graph_memory.py
            (60 if found.symmetric else 80) * pairs,
            f"The graph of about {pairs} pairs within {r} of {X.shape[0]} points",
            "Use a smaller radius, or KNN().",
        )
        lists = found.within(float(r))
        symmetrize = None if found.symmetric else "union"
        graph = symmetric_graph(lists, self.weight, X, self.t, symmetrize)
        say_stars(graph)
        return graph
