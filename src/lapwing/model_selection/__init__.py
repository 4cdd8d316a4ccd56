"""Choosing settings with few labels: folds of labelled rows, and searches built on them."""

from .draws import KernelDraws, LogIntegers
from .labelled_folds import LabelledKFold, LabelledShuffleSplit, LabelledStratifiedKFold
from .local_lsmr import LocalLSMRSearch
from .scorers import LabelledScorer
from .shared import SharedSearchCV
from .transductive import TransductiveSearchCV

__all__ = [
    "KernelDraws",
    "LabelledKFold",
    "LabelledScorer",
    "LabelledShuffleSplit",
    "LabelledStratifiedKFold",
    "LocalLSMRSearch",
    "LogIntegers",
    "SharedSearchCV",
    "TransductiveSearchCV",
]
