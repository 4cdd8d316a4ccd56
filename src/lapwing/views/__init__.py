"""Several views of one X: their columns, kernels, and the rows that have them.

``spec`` checks the parameter ``views=``. ``columns`` finds the columns of a view. ``built`` splits
X and builds the kernels. ``coupling`` builds the penalty M over all views. ``same_rows`` recognizes
training rows. ``params`` gives grid search access to the parts of views.
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
