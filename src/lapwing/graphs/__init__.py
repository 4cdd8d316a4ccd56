"""Graphs over the points: who joins whom, and how strongly.

``knn.py``, ``radius.py``, ``complete.py`` and ``given.py`` are the rules people name;
``transformed.py`` lets each of them see the points through a transformer, ``joined.py`` joins
their small components with the rest. ``search.py`` finds
neighbors and says in which file each kind of search is; ``ties.py`` and ``hubs.py`` say who
stays in a list, ``weights.py`` weighs edges, ``assemble.py`` makes the result symmetric;
``laplacian.py`` and ``bistochastic.py`` turn it into a matrix, ``scales.py`` looks at X before.
"""

from .base import Distances, Graph, WeightedGraph
from .complete import Complete
from .given import Given
from .joined import Joined, joined, joined_by, nearest_rows
from .knn import KNN
from .labels import correlation_weights, label_laplacian
from .laplacian import build_laplacian, laplacian, spectrum_bound
from .radius import Radius
from .scales import dominating_column, warn_of_scales
from .transformed import Transformed

__all__ = [
    "KNN",
    "Complete",
    "Distances",
    "Given",
    "Graph",
    "Joined",
    "Radius",
    "Transformed",
    "WeightedGraph",
    "build_laplacian",
    "correlation_weights",
    "dominating_column",
    "joined",
    "joined_by",
    "label_laplacian",
    "laplacian",
    "nearest_rows",
    "spectrum_bound",
    "warn_of_scales",
]
