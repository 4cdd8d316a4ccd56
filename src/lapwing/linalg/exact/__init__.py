"""(γ I + G K) X = B for a full K of thousands of rows, at little more than one Cholesky factor.

:class:`GramSystem` takes K, G and γ, and solves. :class:`ShiftedSystem` is its factor, which can be
kept for other right-hand sides. The other modules are details of this folder:

====================  =====================================================================
``gram_system``       chooses: the symmetric form, LU in float32, or LU in float64
``shifted_system``    a float32 Cholesky factor that preconditions conjugate gradients
``symmetric_forms``   γ I + G K as a symmetric matrix: through a root of M, or through G
``congruence``        R K R in the memory of the result
====================  =====================================================================
"""

from .gram_system import MANY, MIXED_FROM, GramSystem, system_bytes
from .shifted_system import ShiftedSystem

__all__ = ["MANY", "MIXED_FROM", "GramSystem", "ShiftedSystem", "system_bytes"]
