"""Measures of how good predictions are."""

from .auc import label_auc, macro_auc, macro_auc_scorer

__all__ = ["label_auc", "macro_auc", "macro_auc_scorer"]
