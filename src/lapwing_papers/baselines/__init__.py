"""What the papers compare with, as scikit-learn estimators.

MT's linear multi-target regressors minimize (1/2l)‖Y − XW‖² + a penalty on W over the labeled
rows, ignore unlabeled ones, and carry a certificate. The others are the semi-supervised
comparators of MR and VV.
"""

from .clustered import ClusteredRegressor
from .cotraining import CoTrainingClassifier
from .dirty import DirtyModelRegressor
from .graph import GraphRegularizedRegressor
from .kcca import KCCAClassifier
from .multilabel_graph import SMSE2, ConstrainedNMF
from .sklearn_linear import GroupLassoRegressor, LassoRegressor, LeastSquaresRegressor
from .trace_norm import TraceNormRegressor
from .transducer import SpectralGraphTransducer
from .tsvc import TSVC

__all__ = [
    "SMSE2",
    "TSVC",
    "ClusteredRegressor",
    "CoTrainingClassifier",
    "ConstrainedNMF",
    "DirtyModelRegressor",
    "GraphRegularizedRegressor",
    "GroupLassoRegressor",
    "KCCAClassifier",
    "LassoRegressor",
    "LeastSquaresRegressor",
    "SpectralGraphTransducer",
    "TraceNormRegressor",
]
