"""Comparing many methods on many data sets: ranks, Wilcoxon, Friedman, Nemenyi."""

from .bound import Bound
from .friedman import FriedmanResult, friedman
from .nemenyi import critical_difference, indistinguishable, nemenyi
from .ranks import mean_ranks, ranks
from .wilcoxon import pairwise_wilcoxon

__all__ = [
    "Bound",
    "FriedmanResult",
    "critical_difference",
    "friedman",
    "indistinguishable",
    "mean_ranks",
    "nemenyi",
    "pairwise_wilcoxon",
    "ranks",
]
