"""Choosing settings with few labels: folds of labeled rows, and searches built on them."""

from .draws import KernelDraws, LogIntegers
from .labeled_folds import LabeledKFold, LabeledShuffleSplit, LabeledStratifiedKFold
from .local_lsmr import LocalLSMRSearch
from .scorers import LabeledScorer
from .shared import SharedSearchCV
from .transductive import TransductiveSearchCV

__all__ = [
    "KernelDraws",
    "LabeledKFold",
    "LabeledScorer",
    "LabeledShuffleSplit",
    "LabeledStratifiedKFold",
    "LocalLSMRSearch",
    "LogIntegers",
    "SharedSearchCV",
    "TransductiveSearchCV",
]
