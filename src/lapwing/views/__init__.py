"""Several views of one X: which columns, which kernel, which rows have them.

``spec`` reads what people type, ``columns`` finds columns, ``built`` splits X and evaluates the
kernels, ``coupling`` is M over all of them, ``same_rows`` recognizes training rows, ``params`` lets
grid search reach into the views.
"""

from .built import BuiltViews, SplitRows, build_views
from .coupling import (
    coupling_operator,
    given_coupling,
    intrinsic_coupling,
    intrinsic_penalties,
)
from .params import ViewParams
from .same_rows import averages
from .spec import View, as_views, refuse_added_points

__all__ = [
    "BuiltViews",
    "SplitRows",
    "View",
    "ViewParams",
    "as_views",
    "averages",
    "build_views",
    "coupling_operator",
    "given_coupling",
    "intrinsic_coupling",
    "intrinsic_penalties",
    "refuse_added_points",
]
