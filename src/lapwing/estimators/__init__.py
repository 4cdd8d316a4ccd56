"""What people fit: each estimator is a loss, a space, a regularizer and a solver, put together."""

from .laplogistic import LapLogisticClassifier
from .laprls import LapRLSClassifier, LapRLSRegressor
from .lapsvc import LapSVC
from .lsmr import LapS3LRegressor, LSMRRegressor, SSSLRegressor
from .manifold import ManifoldClassifier, ManifoldRegressor
from .spectral import RegularizedLaplacianEigenmaps, RegularizedSpectralClustering
from .vector_valued import VectorValuedClassifier, VectorValuedRegressor

__all__ = [
    "LSMRRegressor",
    "LapLogisticClassifier",
    "LapRLSClassifier",
    "LapRLSRegressor",
    "LapS3LRegressor",
    "LapSVC",
    "ManifoldClassifier",
    "ManifoldRegressor",
    "RegularizedLaplacianEigenmaps",
    "RegularizedSpectralClustering",
    "SSSLRegressor",
    "VectorValuedClassifier",
    "VectorValuedRegressor",
]
