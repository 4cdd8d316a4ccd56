"""The functions we search over: γ_A‖f‖² and everything about f's geometry.

``base`` says what a space is, ``deformation`` what its deformed kernel K̃ answers (``deformations``:
with several outputs), ``krylov`` how it does without a factor; ``choose``
turns ``space=`` into one.
"""

from .base import Element, Space
from .blockwise import Blockwise
from .choose import check_space, choose_space, exact_bytes, on_graph
from .coregionalized import CoregionalizedOutputs
from .deformation import Deformation, LabeledKernel, System
from .eigen import Eigen
from .exact import Exact
from .features import Features, linear
from .graph_values import GraphValues, GraphValuesSpace
from .landmarks import Landmarks
from .pairs import Joint, KernelSum
from .point_systems import PointDeformation
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
    "Space",
    "System",
    "Vectorized",
    "Views",
    "WithExtraPoints",
    "WithFreeFunctions",
    "WithIntrinsic",
    "check_space",
    "choose_space",
    "exact_bytes",
    "linear",
    "on_graph",
]
