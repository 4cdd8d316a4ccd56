"""Graphs over the points: who joins whom, and how strongly.

``search.py`` finds neighbours, ``weights.py`` weighs edges, ``assemble.py`` makes the result
symmetric; ``knn.py``, ``radius.py``, ``complete.py`` and ``given.py`` are the rules people name.
"""

from __future__ import annotations

from .base import Distances, Graph, WeightedGraph
from .complete import Complete
from .given import Given
from .knn import KNN
from .labels import correlation_weights, label_laplacian
from .laplacian import laplacian
from .radius import Radius

__all__ = [
    "KNN",
    "Complete",
    "Distances",
    "Given",
    "Graph",
    "Radius",
    "WeightedGraph",
    "correlation_weights",
    "label_laplacian",
    "laplacian",
]
