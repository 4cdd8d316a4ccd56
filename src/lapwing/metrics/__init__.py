"""Measures of the quality of predictions, and scorers, that scikit-learn does not have."""

from .armse import armse, armse_scorer, relative_armse, relative_armse_scorer
from .auc import label_auc, macro_auc, macro_auc_scorer
from .prbep import break_even_error, prbep, prbep_scorer
from .structured import (
    macro_precision_recall_f1,
    ring_loss,
    structured_loss,
    structured_scorer,
    tree_loss,
    zero_one_loss,
)

__all__ = [
    "armse",
    "armse_scorer",
    "break_even_error",
    "label_auc",
    "macro_auc",
    "macro_auc_scorer",
    "macro_precision_recall_f1",
    "prbep",
    "prbep_scorer",
    "relative_armse",
    "relative_armse_scorer",
    "ring_loss",
    "structured_loss",
    "structured_scorer",
    "tree_loss",
    "zero_one_loss",
]
