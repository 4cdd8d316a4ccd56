"""Model selection with few labels: folds of the labeled rows, and searches that use them."""

from .labeled_folds import LabeledKFold, LabeledShuffleSplit, LabeledStratifiedKFold
from .scorers import LabeledScorer
from .shared import SharedSearchCV
from .transductive import TransductiveSearchCV

__all__ = [
    "LabeledKFold",
    "LabeledScorer",
    "LabeledShuffleSplit",
    "LabeledStratifiedKFold",
    "SharedSearchCV",
    "TransductiveSearchCV",
]
