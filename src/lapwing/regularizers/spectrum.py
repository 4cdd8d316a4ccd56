"""What functions of a graph Laplacian share: the graph, L, and a bound on its spectrum."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..graphs import KNN, Graph, WeightedGraph, laplacian

__all__ = ["build_graph", "build_laplacian", "spectrum_bound"]


def build_graph(graph: Graph | None, X) -> WeightedGraph:
    """The weighted graph over the rows of X; None is ``KNN()``."""
    if graph is None:
        graph = KNN()
    if not isinstance(graph, Graph):
        hint = f"; write {graph.__name__}()" if isinstance(graph, type) else ""
        raise TypeError(f"graph must be a Graph such as KNN(k=10), or None, got {graph!r}{hint}.")
    return graph.build(X)


def build_laplacian(graph: Graph | None, X, normalized) -> tuple[WeightedGraph, sp.csr_array]:
    """The graph over the rows of X and its Laplacian, (n, n)."""
    by_name = isinstance(normalized, str) and normalized == "bistochastic"
    if not by_name and not isinstance(normalized, (bool, np.bool_)):
        raise ValueError(f'normalized must be True or False or "bistochastic", got {normalized!r}.')
    built = build_graph(graph, X)
    return built, laplacian(built, normalized if by_name else bool(normalized))


def spectrum_bound(graph: WeightedGraph, normalized: bool | str) -> float:
    """b with spectrum(L) ⊂ [0, b]: 2 if normalised, twice the largest degree if not.

    Gershgorin's discs have centre d_i and radius d_i; 0 for a graph without edges.
    """
    if not graph.degrees.any():
        return 0.0
    return 2.0 if normalized else 2.0 * float(graph.degrees.max())
