"""Kernels that know a point cloud: any kernel method becomes semi-supervised, or multi-view.

``base`` makes them scikit-learn kernels, ``deformed`` is one view, ``multiview`` is MV eq. 6,
``comr`` manifold co-regularization, ``joint`` the kernel of structured outputs, ``features`` gives
explicit features, ``theory`` says what it buys.
"""

from .comr import CoMRKernel
from .deformed import DeformedKernel
from .features import KernelFeatures
from .joint import DeformedJointKernel
from .multiview import MultiViewKernel
from .theory import complexity_reduction, generalization_bound, rademacher_complexity

__all__ = [
    "CoMRKernel",
    "DeformedJointKernel",
    "DeformedKernel",
    "KernelFeatures",
    "MultiViewKernel",
    "complexity_reduction",
    "generalization_bound",
    "rademacher_complexity",
]
