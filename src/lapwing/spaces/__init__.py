"""The functions we search over: γ_A‖f‖² and everything about f's geometry."""

from .base import Element, Space
from .blockwise import Blockwise
from .choose import check_space_name, choose_space, exact_bytes
from .deformed import Deformed
from .exact import Exact
from .features import FeatureMap, Features, linear
from .landmarks import Landmarks
from .with_intercept import WithIntercept, core_of

__all__ = [
    "Blockwise",
    "Deformed",
    "Element",
    "Exact",
    "FeatureMap",
    "Features",
    "Landmarks",
    "Space",
    "WithIntercept",
    "check_space_name",
    "choose_space",
    "core_of",
    "exact_bytes",
    "linear",
]
