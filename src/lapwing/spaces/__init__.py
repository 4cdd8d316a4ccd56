"""The functions we search over: γ_A‖f‖² and everything about f's geometry.

``base`` says what a space is, ``deformation`` what its deformed kernel K̃ answers (``deformations``:
with several outputs), ``krylov`` how it does without a factor; ``choose``
turns ``space=`` into one.
"""

from .base import Element, Space
from .blockwise import Blockwise
from .choose import check_space, choose_space, exact_bytes, on_graph
from .deformation import Deformation, LabeledKernel, System
from .eigen import Eigen
from .exact import Exact
from .features import Features, linear
from .first_rows import FirstRows
from .flat import Flat
from .landmarks import Landmarks
from .on_points import OnPoints, PointValues
from .pairs import Joint, KernelSum
from .related import Related
from .views import Views
from .with_intrinsic import WithIntrinsic
from .with_offsets import WithOffsets

__all__ = [
    "Blockwise",
    "Deformation",
    "Eigen",
    "Element",
    "Exact",
    "Features",
    "FirstRows",
    "Flat",
    "Joint",
    "KernelSum",
    "LabeledKernel",
    "Landmarks",
    "OnPoints",
    "PointValues",
    "Related",
    "Space",
    "System",
    "Views",
    "WithIntrinsic",
    "WithOffsets",
    "check_space",
    "choose_space",
    "exact_bytes",
    "linear",
    "on_graph",
]
