"""T = (I + N B)⁻¹ N = N (I + B N)⁻¹ for PSD N and B: the effect of a penalty N on a kernel B.

Let B be the covariance of a Gaussian prior, or the Gram matrix of the kernel of a Hilbert space. If
the penalty ⟨f, N f⟩ is added to the norm, B becomes B − B T B. Each module uses one structure of N
and B. The full matrix I + N B is formed only where there is no structure.
"""

from .base import Resolvent, block_diagonal, nested, no_penalty
from .low_rank import low_rank
from .single import single

__all__ = ["Resolvent", "block_diagonal", "low_rank", "nested", "no_penalty", "single"]
