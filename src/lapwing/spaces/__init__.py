"""The functions we search over: γ_A‖f‖² and everything about f's geometry."""

from .base import Element, Space
from .blockwise import Blockwise
from .choose import check_space_choice, choose_space, exact_bytes
from .deformed import Deformed
from .eigen import Eigen
from .exact import Exact
from .features import FeatureMap, Features, linear
from .label_coupled import LabelCoupled
from .landmarks import Landmarks
from .separable import Separable, SeparableSum
from .with_intercept import WithIntercept, core_of

__all__ = [
    "Blockwise",
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
    "WithIntercept",
    "check_space_choice",
    "choose_space",
    "core_of",
    "exact_bytes",
    "linear",
]
