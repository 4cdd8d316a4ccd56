"""The axes that estimators of several outputs try; the first of each list is the rule."""

from ..graphs import KNN
from ..kernels import RBF, Linear
from ..outputs import OutputGraph
from ..regularizers import Laplacian
from ..selection import Axis
from ..selection.axes import SCALES

INTRINSIC = (1.0, 10.0, 100.0, 0.1, 0.01, 0.0)
"""Weights of a smooth penalty, in multiples of the rule."""

COUPLING = (1.0, 10.0, 100.0, 0.1, 0.01)
"""Weights of a coupling between views."""


def kernel_axis(space) -> Axis:
    """RBF of median width, of the width of neighborhoods, and the linear kernel."""
    if isinstance(space, str) and space == "linear":
        return Axis("kernel", (Linear(),), weight=False)
    return Axis("kernel", (RBF(), RBF("local"), Linear()), weight=False)


def regularizer_axis() -> Axis:
    """Fewer neighbors, other powers, and the normalization that annihilates constants."""
    return Axis(
        "regularizer",
        (
            Laplacian(KNN(), degree=2),
            Laplacian(KNN(6), degree=2),
            Laplacian(KNN(), degree=1),
            Laplacian(KNN(), degree=3),
            Laplacian(KNN(), normalized="bistochastic", degree=2),
        ),
        weight=False,
    )


def output_axis() -> Axis:
    """Independent outputs, and graphs between them of growing weight γ_O."""
    graphs = (OutputGraph(gamma_O=g) for g in (0.5, 1.0))
    return Axis("output_kernel", (None, *graphs), weight=False)


def ambient_axis(scaled: tuple[str, ...]) -> Axis:
    """γ_A where it is tried alone; 1 where all weights have a common multiple."""
    return Axis("gamma_A", (1.0,) if "gamma_A" in scaled else SCALES)
