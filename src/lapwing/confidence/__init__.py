"""How far to trust a fit: expected errors, probabilities, variances, wrong labels, queries."""

from ..targets import typical_gap
from .bounds import ErrorEstimate, check_promise, transductive_bound
from .calibration import METHODS, Columns, Isotonic, Sigmoid, Temperature
from .fitted import Diagnostics
from .novelty import local_novelty
from .posterior import Posterior
from .queries import (
    ActiveLearning,
    checked_askable,
    checked_costs,
    expected_error,
    keep_factor,
    output_weights,
    variance_reduction,
)
from .scores import in_folds, unseen_scores

__all__ = [
    "METHODS",
    "ActiveLearning",
    "Columns",
    "Diagnostics",
    "ErrorEstimate",
    "Isotonic",
    "Posterior",
    "Sigmoid",
    "Temperature",
    "check_promise",
    "checked_askable",
    "checked_costs",
    "expected_error",
    "in_folds",
    "keep_factor",
    "local_novelty",
    "output_weights",
    "transductive_bound",
    "typical_gap",
    "unseen_scores",
    "variance_reduction",
]
