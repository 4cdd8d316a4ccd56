"""Data sets with few labels: made from a seed, bundled, read from a directory, or downloaded.

``make_…`` and :func:`load_digits` never need a network. The other loaders read a directory that
you name (``data_home=``), or download once from the public source into a cache
(``$LAPWING_DATA``, else ``~/.cache/lapwing``), checked against a checksum.
"""

from .catalog import CATALOG, TARGET_SETS
from .clusters import (
    make_gaussian_clusters,
    make_multi_target,
    make_multi_view,
    make_ring,
    make_tree,
)
from .digits import load_digits
from .download import DownloadError
from .images import load_isolet, load_mnist, load_teapots, load_usps, load_uspst
from .labels import keep_labels
from .several import load_multi_target, load_multiple_features, load_scene
from .shapes import make_two_moons, make_two_spirals
from .texts import load_newsgroups, load_rcv1_subset, load_webkb

__all__ = [
    "CATALOG",
    "TARGET_SETS",
    "DownloadError",
    "keep_labels",
    "load_digits",
    "load_isolet",
    "load_mnist",
    "load_multi_target",
    "load_multiple_features",
    "load_newsgroups",
    "load_rcv1_subset",
    "load_scene",
    "load_teapots",
    "load_usps",
    "load_uspst",
    "load_webkb",
    "make_gaussian_clusters",
    "make_multi_target",
    "make_multi_view",
    "make_ring",
    "make_tree",
    "make_two_moons",
    "make_two_spirals",
]
