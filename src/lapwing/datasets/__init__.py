"""Small data sets with few labels. They are generated or bundled, and need no network.

The data sets of the papers are in :mod:`lapwing_papers.datasets`.
"""

from .clusters import (
    make_gaussian_clusters,
    make_multi_target,
    make_multi_view,
    make_ring,
    make_tree,
)
from .digits import load_digits
from .labels import keep_labels
from .shapes import make_two_moons, make_two_spirals

__all__ = [
    "keep_labels",
    "load_digits",
    "make_gaussian_clusters",
    "make_multi_target",
    "make_multi_view",
    "make_ring",
    "make_tree",
    "make_two_moons",
    "make_two_spirals",
]
