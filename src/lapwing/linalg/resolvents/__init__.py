"""T = (I + N B)⁻¹ N = N (I + B N)⁻¹ for PSD N and B: what a penalty N does to a kernel B.

A Gaussian prior with covariance B, or a Hilbert space whose kernel has the Gram matrix B, loses
B T B when the penalty ⟨f, N f⟩ joins its norm. N and B are given by their structure, one file
per structure; the full matrix I + N B is formed only where there is none.
"""

from .base import Resolvent, block_diagonal, nested, no_penalty
from .low_rank import low_rank
from .single import single

__all__ = ["Resolvent", "block_diagonal", "low_rank", "nested", "no_penalty", "single"]
