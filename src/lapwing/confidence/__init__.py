"""Knowing whether to trust a fit: leave-one-out scores, probabilities, variances, queries."""

from .bounds import ErrorEstimate, check_promise, transductive_bound
from .calibration import METHODS, Columns, Isotonic, Sigmoid, Temperature
from .fitted import Diagnostics
from .posterior import Posterior
from .queries import ActiveLearning, expected_error, keep_factor, variance_reduction
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
    "expected_error",
    "in_folds",
    "keep_factor",
    "transductive_bound",
    "unseen_scores",
    "variance_reduction",
]
