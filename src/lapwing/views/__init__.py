"""Several views of one X: which columns, which kernel, which rows have them.

``spec`` reads what people type, ``columns`` finds columns, ``built`` splits X and evaluates the
kernels, ``params`` lets grid search reach into the views.
"""

from .built import BuiltViews, SplitRows, build_views
from .params import ViewParams
from .spec import View, as_views, refuse_added_points

__all__ = [
    "BuiltViews",
    "SplitRows",
    "View",
    "ViewParams",
    "as_views",
    "build_views",
    "refuse_added_points",
]
