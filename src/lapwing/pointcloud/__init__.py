"""Kernels with a point cloud. They make any kernel method semi-supervised or multi-view.

The point cloud is all rows, labeled and unlabeled. ``base`` makes the kernels usable in
scikit-learn. ``deformed`` is the kernel of one view. ``multiview`` is the kernel of several views
(MV eq. 6). ``comr`` is the kernel of manifold co-regularization. ``joint`` is the kernel of
structured outputs. ``features`` computes explicit features. ``theory`` computes generalization
bounds.
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
