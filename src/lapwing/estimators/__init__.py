"""What people fit: each estimator is a loss, a space, a regularizer and a solver, put together."""

from .laplogistic import LapLogisticClassifier
from .laprls import LapRLSClassifier, LapRLSRegressor
from .lapsvc import LapSVC
from .manifold import ManifoldClassifier, ManifoldRegressor
from .spectral import RegularizedLaplacianEigenmaps, RegularizedSpectralClustering

__all__ = [
    "LapLogisticClassifier",
    "LapRLSClassifier",
    "LapRLSRegressor",
    "LapSVC",
    "ManifoldClassifier",
    "ManifoldRegressor",
    "RegularizedLaplacianEigenmaps",
    "RegularizedSpectralClustering",
]
