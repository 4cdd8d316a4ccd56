"""What people fit: each estimator is a loss, a space, a regularizer and a solver, put together."""

from .comr import CoMRClassifier, CoMRRegressor
from .corls import CoRLSClassifier, CoRLSRegressor
from .laplogistic import LapLogisticClassifier
from .laprls import LapRLSClassifier, LapRLSRegressor
from .lapsvc import LapSVC
from .manifold import ManifoldClassifier, ManifoldRegressor
from .spectral import RegularizedLaplacianEigenmaps, RegularizedSpectralClustering

__all__ = [
    "CoMRClassifier",
    "CoMRRegressor",
    "CoRLSClassifier",
    "CoRLSRegressor",
    "LapLogisticClassifier",
    "LapRLSClassifier",
    "LapRLSRegressor",
    "LapSVC",
    "ManifoldClassifier",
    "ManifoldRegressor",
    "RegularizedLaplacianEigenmaps",
    "RegularizedSpectralClustering",
]
