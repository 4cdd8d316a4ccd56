"""Operators: PSD quadratic forms ⟨F, M F⟩ on the values F at the points.

:class:`PSDOperator` acts on each column of F alone, :class:`PairOperator` on all outputs together.
:mod:`lapwing.regularizers` builds operators from the parameter ``regularizer=``.
"""

from .algebra import BlockOperator, PairSum, ScaledOperator, SumOperator, combined, union
from .base import (
    MatrixOperator,
    Operator,
    PolynomialOperator,
    PSDOperator,
    ZeroOperator,
    as_values,
    power,
)
from .factored import FactoredOperator
from .heat import HeatOperator
from .kernel_norm import KernelNormOperator
from .pairs import PairMatrix, PairOperator, TensorLaplacian, TensorOperator
from .relaxed import RelaxedOperator
from .views import (
    DisagreementOperator,
    IntrinsicCoupling,
    ViewCoupling,
)

__all__ = [
    "BlockOperator",
    "DisagreementOperator",
    "FactoredOperator",
    "HeatOperator",
    "IntrinsicCoupling",
    "KernelNormOperator",
    "MatrixOperator",
    "Operator",
    "PSDOperator",
    "PairMatrix",
    "PairOperator",
    "PairSum",
    "PolynomialOperator",
    "RelaxedOperator",
    "ScaledOperator",
    "SumOperator",
    "TensorLaplacian",
    "TensorOperator",
    "ViewCoupling",
    "ZeroOperator",
    "as_values",
    "combined",
    "power",
    "union",
]
