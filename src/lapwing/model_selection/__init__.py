"""Choosing settings with few labels: folds of labelled rows, and searches built on them."""

from .draws import KernelDraws, LogIntegers
from .labelled_folds import LabelledKFold
from .local_lsmr import LocalLSMRSearch

__all__ = ["KernelDraws", "LabelledKFold", "LocalLSMRSearch", "LogIntegers"]
