"""The searches of the papers' protocols: random kernels, and Local LSMR of MT."""

from .draws import KernelDraws, LogIntegers
from .local_lsmr import LocalLSMRSearch

__all__ = ["KernelDraws", "LocalLSMRSearch", "LogIntegers"]
