"""Graphs over the rows of X: weights W_ij ≥ 0 between rows i and j.

The graphs that users name are in ``knn.py``, ``radius.py``, ``complete.py`` and ``given.py``.
``transformed.py`` builds a graph on transformed rows. ``joined.py`` connects small components to
larger ones. ``search.py`` finds neighbors and lists the file of each kind of search. ``ties.py``
and ``hubs.py`` choose the neighbors to keep. ``weights.py`` computes edge weights. ``assemble.py``
makes W symmetric. ``laplacian.py`` and ``bistochastic.py`` compute the Laplacian. ``scales.py``
checks the columns of X first.
"""

from .axes import axes_of
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
    "axes_of",
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
