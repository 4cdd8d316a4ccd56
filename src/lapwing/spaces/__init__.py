"""The functions we search over: γ_A‖f‖² and everything about f's geometry."""

from .base import Element, Space
from .blockwise import Blockwise
from .choose import check_space_name, choose_space, exact_bytes
from .coregularized import Coregularized
from .deformed import Deformed
from .eigen import Eigen
from .exact import Exact
from .features import FeatureMap, Features, linear
from .label_coupled import LabelCoupled
from .landmarks import Landmarks
from .separable import Separable, SeparableSum
from .views import Views
from .with_intercept import WithIntercept, core_of
from .with_intrinsic import WithIntrinsic

__all__ = [
    "Blockwise",
    "Coregularized",
    "Deformed",
    "Eigen",
    "Element",
    "Exact",
    "FeatureMap",
    "Features",
    "LabelCoupled",
    "Landmarks",
    "Separable",
    "SeparableSum",
    "Space",
    "Views",
    "WithIntercept",
    "WithIntrinsic",
    "check_space_name",
    "choose_space",
    "core_of",
    "exact_bytes",
    "linear",
]
