"""Turn y as the user passes it into numeric targets and a mask of labeled rows."""

from .classes import (
    Targets,
    as_labels,
    checked_groups,
    checked_weights,
    encode_classes,
    unlabeled_mask,
)
from .coding import (
    Coding,
    best_class,
    both_columns,
    class_columns,
    column_offsets,
    typical_gap,
)
from .markers import missing_mask, unlabeled_at, with_missing
from .multilabel import LabelCoding, encode_labels, encode_multilabel, is_multilabel
from .real import column_means, encode_real, read_real, real_truth
from .structured import Listed, OutputCoding, Sets, encode_outputs, indicator_rows

__all__ = [
    "Coding",
    "LabelCoding",
    "Listed",
    "OutputCoding",
    "Sets",
    "Targets",
    "as_labels",
    "best_class",
    "both_columns",
    "checked_groups",
    "checked_weights",
    "class_columns",
    "column_means",
    "column_offsets",
    "encode_classes",
    "encode_labels",
    "encode_multilabel",
    "encode_outputs",
    "encode_real",
    "indicator_rows",
    "is_multilabel",
    "missing_mask",
    "read_real",
    "real_truth",
    "typical_gap",
    "unlabeled_at",
    "unlabeled_mask",
    "with_missing",
]
