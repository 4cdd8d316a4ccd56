"""The papers' data sets, read from a directory or downloaded.

The loaders read a directory that you name (``data_home=``), or download once from the public
source into a cache (``$LAPWING_DATA``, else ``~/.cache/lapwing``), checked against a checksum.
"""

from .catalog import CATALOG, TARGET_SETS
from .download import DownloadError
from .images import load_isolet, load_mnist, load_teapots, load_usps, load_uspst
from .several import load_multi_target, load_multiple_features, load_scene
from .texts import load_newsgroups, load_rcv1_subset, load_webkb

__all__ = [
    "CATALOG",
    "TARGET_SETS",
    "DownloadError",
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
]
