"""Knowing whether to trust a fit: leave-one-out scores, probabilities, variances, queries."""

from .bounds import ErrorEstimate, check_promise, transductive_bound
from .calibration import METHODS, Columns, Isotonic, Sigmoid, Temperature
from .fitted import Confidence
from .gaussian import Gaussian
from .posterior import Posterior
from .queries import Queries, by_error, by_variance
from .scores import in_folds, unseen_scores

__all__ = [
    "METHODS",
    "Columns",
    "Confidence",
    "ErrorEstimate",
    "Gaussian",
    "Isotonic",
    "Posterior",
    "Queries",
    "Sigmoid",
    "Temperature",
    "by_error",
    "by_variance",
    "check_promise",
    "in_folds",
    "transductive_bound",
    "unseen_scores",
]
