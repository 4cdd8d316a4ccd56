"""The estimators. Each one combines a loss, a space, a regularizer and a solver."""

from .comr import CoMRClassifier, CoMRRegressor
from .corls import CoRLSClassifier, CoRLSRegressor
from .laplogistic import LapLogisticClassifier
from .laprls import LapRLSClassifier, LapRLSRegressor
from .lapsvc import LapSVC
from .lsmr import LapS3LRegressor, LSMRRegressor, SSSLRegressor
from .manifold import ManifoldClassifier, ManifoldRegressor
from .spectral import RegularizedLaplacianEigenmaps, RegularizedSpectralClustering
from .structured import StructuredLapSVC
from .vector_valued import VectorValuedClassifier, VectorValuedRegressor

__all__ = [
    "CoMRClassifier",
    "CoMRRegressor",
    "CoRLSClassifier",
    "CoRLSRegressor",
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
    "StructuredLapSVC",
    "VectorValuedClassifier",
    "VectorValuedRegressor",
]
