"""The functions we search over: γ_A‖f‖² and everything about f's geometry."""

from .base import Element, Space
from .blockwise import Blockwise
from .choose import choose_space, exact_bytes
from .coregularized import Coregularized
from .deformed import Deformed
from .exact import Exact
from .linear import Linear
from .views import Views
from .with_intercept import WithIntercept, core_of
from .with_intrinsic import WithIntrinsic

__all__ = [
    "Blockwise",
    "Coregularized",
    "Deformed",
    "Element",
    "Exact",
    "Linear",
    "Space",
    "Views",
    "WithIntercept",
    "WithIntrinsic",
    "choose_space",
    "core_of",
    "exact_bytes",
]
