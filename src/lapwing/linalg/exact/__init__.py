"""(γ I + G K) X = B for a full K of thousands of rows, in little more than one Cholesky factor.

:class:`GramSystem` takes K, G and γ, and solves; :class:`ShiftedSystem` is its factor, which may be
kept for further questions. How they do so is a matter of this folder alone:

====================  =====================================================================
``gram_system``       which way is taken: the symmetric one, LU in float32, LU in float64
``shifted_system``    a float32 Cholesky factor that preconditions conjugate gradients
``symmetric_forms``   γ I + G K as a symmetric matrix: through a root of M, or through G
``congruence``        R K R in the memory of the result
====================  =====================================================================
"""

from .gram_system import MANY, MIXED_FROM, GramSystem, system_bytes
from .shifted_system import ShiftedSystem

__all__ = ["MANY", "MIXED_FROM", "GramSystem", "ShiftedSystem", "system_bytes"]
