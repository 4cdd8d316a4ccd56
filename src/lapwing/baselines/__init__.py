"""What MT compares with: linear multi-target regressors, as scikit-learn estimators.

All minimise (1/2l)‖Y − XW‖² + a penalty on W over the labelled rows, ignore unlabelled ones, and
carry a certificate.
"""

from .clustered import ClusteredRegressor
from .dirty import DirtyModelRegressor
from .graph import GraphRegularizedRegressor
from .sklearn_linear import GroupLassoRegressor, LassoRegressor, LeastSquaresRegressor
from .trace_norm import TraceNormRegressor

__all__ = [
    "ClusteredRegressor",
    "DirtyModelRegressor",
    "GraphRegularizedRegressor",
    "GroupLassoRegressor",
    "LassoRegressor",
    "LeastSquaresRegressor",
    "TraceNormRegressor",
]
