"""Regularizers ⟨f, M f⟩: the intrinsic term of the equation. Each has its own file.

``base`` holds the base class, sums and multiples. A regularizer builds an operator of
:mod:`lapwing.operators`. ``get_regularizer`` turns the parameter ``regularizer`` of an estimator
into a regularizer.
"""

from .base import NoRegularizer, Regularizer, Scaled, Sum
from .class_wise import ClassWise
from .disagreement import Disagreement
from .factored import Factored
from .heat import Heat
from .hessian import HessianEnergy
from .invariance import FeatureDropout, Invariance, Noise, Rotation, Shift
from .joint import joint_operator
from .kernel_norm import KernelNorm
from .laplacian import Laplacian, get_regularizer
from .matrix import Matrix
from .polynomial import LaplacianPolynomial
from .relaxed import Relaxed

__all__ = [
    "ClassWise",
    "Disagreement",
    "Factored",
    "FeatureDropout",
    "Heat",
    "HessianEnergy",
    "Invariance",
    "KernelNorm",
    "Laplacian",
    "LaplacianPolynomial",
    "Matrix",
    "NoRegularizer",
    "Noise",
    "Regularizer",
    "Relaxed",
    "Rotation",
    "Scaled",
    "Shift",
    "Sum",
    "get_regularizer",
    "joint_operator",
]
