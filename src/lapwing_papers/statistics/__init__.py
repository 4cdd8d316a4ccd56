"""Comparing many methods on many data sets: ranks, Wilcoxon, Friedman, Nemenyi."""

from .friedman import FriedmanResult, friedman
from .nemenyi import critical_difference, indistinguishable, nemenyi
from .paired import PairedResult, paired_test
from .ranks import mean_ranks, ranks
from .wilcoxon import pairwise_wilcoxon

__all__ = [
    "FriedmanResult",
    "PairedResult",
    "critical_difference",
    "friedman",
    "indistinguishable",
    "mean_ranks",
    "nemenyi",
    "paired_test",
    "pairwise_wilcoxon",
    "ranks",
]
