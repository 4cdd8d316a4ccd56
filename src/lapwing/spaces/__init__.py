"""The functions we search over: γ_A‖f‖² and everything about f's geometry.

====================  =====================================================================
``base``              what a space is; ``wrapped``: one around another
``covariance``        its own kernel at new points; ``mixing``: how columns become outputs
``systems``           γ P + Φ*GΦ, in closed form or by iteration (``krylov``)
``deformation``       the deformed kernel K̃; ``labeled_kernel``: where the labels are
``sections``          K̃ at rows; ``galerkin`` and ``modal`` make them, ``kept`` keeps them,
                      ``ratios`` shares them between many ratios
``free``              what no term penalizes, beside K̃
``out_of_sample``     where values live on the points: the function for new ones
``choose``            turns ``space=`` into one
====================  =====================================================================
"""

from .base import Element, Space, scalar, user_coef
from .blockwise import Blockwise
from .choose import (
    asks_for_graph,
    check_space,
    choose_space,
    on_graph,
    refuse_graph,
    space_everywhere,
)
from .coregionalized import CoregionalizedOutputs
from .deformation import Deformation
from .eigen import Eigen
from .exact import Exact
from .features import Features, linear
from .graph_values import GraphValues, GraphValuesSpace
from .labeled_kernel import LabeledKernel
from .landmarks import Landmarks
from .pairs import Joint, KernelSum
from .point_systems import PointDeformation
from .ratios import RatioSections
from .systems import System
from .vectorized import Vectorized
from .views import Views
from .with_extra_points import WithExtraPoints
from .with_free_functions import WithFreeFunctions
from .with_intrinsic import WithIntrinsic

__all__ = [
    "Blockwise",
    "CoregionalizedOutputs",
    "Deformation",
    "Eigen",
    "Element",
    "Exact",
    "Features",
    "GraphValues",
    "GraphValuesSpace",
    "Joint",
    "KernelSum",
    "LabeledKernel",
    "Landmarks",
    "PointDeformation",
    "RatioSections",
    "Space",
    "System",
    "Vectorized",
    "Views",
    "WithExtraPoints",
    "WithFreeFunctions",
    "WithIntrinsic",
    "asks_for_graph",
    "check_space",
    "choose_space",
    "linear",
    "on_graph",
    "refuse_graph",
    "scalar",
    "space_everywhere",
    "user_coef",
]
