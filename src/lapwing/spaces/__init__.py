"""Function spaces: the functions f that a fit searches over, and their norm in γ_A‖f‖².

A space turns coefficients into values and back. The solvers see nothing else of it. The modules:

====================  =====================================================================
``base``              the abstract class of all spaces; ``wrapped``: a space around another
``covariance``        the kernel of a space at new points; ``mixing``: columns into outputs
``systems``           γ P + Φ*GΦ, in closed form or by iteration (``krylov``)
``deformation``       the deformed kernel K̃; ``labeled_kernel``: K̃ at the labeled rows
``sections``          columns of K̃; ``galerkin`` and ``modal`` compute them, ``kept`` stores
                      them between fits, ``ratios`` shares them between many ratios λ/γ_A
free functions        without a penalty, such as the intercept: ``with_free_functions``
                      adds them to a space, ``labeled_kernel`` keeps them beside K̃
``out_of_sample``     a function for new rows, where a fit has values at its own rows only
``choose``            turns the parameter ``space=`` into a space
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
