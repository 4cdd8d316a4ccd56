"""Written by tools/constructors.py. It is for type checkers and editors."""

from typing import Any

from . import (
    comr,
    corls,
    laplogistic,
    laprls,
    lapsvc,
    lsmr,
    manifold,
    spectral,
    structured,
    vector_valued,
)

class CoMRClassifier(comr.CoMRClassifier):
    def __init__(
        self,
        views: Any = None,
        *,
        loss: Any = "squared",
        view_weights: Any = None,
        gammas: Any = None,
        gamma_A: Any = "auto",
        gamma_C: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        output_kernel: Any = None,
        output_regularizer: Any = None,
        space: Any = "auto",
        a_I: Any = 0.0,
        ridge: Any = 0.0,
        coupling: Any = None,
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        class_weight: Any = None,
        class_prior: Any = None,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class CoMRRegressor(comr.CoMRRegressor):
    def __init__(
        self,
        views: Any = None,
        *,
        loss: Any = "squared",
        view_weights: Any = None,
        gammas: Any = None,
        gamma_A: Any = "auto",
        gamma_C: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        output_kernel: Any = None,
        output_regularizer: Any = None,
        space: Any = "auto",
        a_I: Any = 0.0,
        ridge: Any = 0.0,
        coupling: Any = None,
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class CoRLSClassifier(corls.CoRLSClassifier):
    def __init__(
        self,
        views: Any = None,
        *,
        loss: Any = "squared",
        view_weights: Any = None,
        gammas: Any = None,
        gamma_A: Any = "auto",
        gamma_C: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        output_kernel: Any = None,
        output_regularizer: Any = None,
        space: Any = "auto",
        coupling: Any = None,
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        class_weight: Any = None,
        class_prior: Any = None,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class CoRLSRegressor(corls.CoRLSRegressor):
    def __init__(
        self,
        views: Any = None,
        *,
        loss: Any = "squared",
        view_weights: Any = None,
        gammas: Any = None,
        gamma_A: Any = "auto",
        gamma_C: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        output_kernel: Any = None,
        output_regularizer: Any = None,
        space: Any = "auto",
        coupling: Any = None,
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class LSMRRegressor(lsmr.LSMRRegressor):
    def __init__(
        self,
        *,
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        kernel: Any = "auto",
        n_components: Any = "auto",
        feature_map: Any = "KU",
        fit_intercept: Any = True,
        rank_tol: Any = 1e-11,
        regularizer: Any = "auto",
        gamma_I: Any = "auto",
        gamma_M: Any = "auto",
        label_graph: Any = "correlation",
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class LapLogisticClassifier(laplogistic.LapLogisticClassifier):
    def __init__(
        self,
        *,
        kernel: Any = "auto",
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        space: Any = "auto",
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        warm_start: Any = False,
        class_weight: Any = None,
        class_prior: Any = None,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class LapRLSClassifier(laprls.LapRLSClassifier):
    def __init__(
        self,
        *,
        kernel: Any = "auto",
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        space: Any = "auto",
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        warm_start: Any = False,
        class_weight: Any = None,
        class_prior: Any = None,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class LapRLSRegressor(laprls.LapRLSRegressor):
    def __init__(
        self,
        *,
        kernel: Any = "auto",
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        space: Any = "auto",
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        warm_start: Any = False,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class LapS3LRegressor(lsmr.LapS3LRegressor):
    def __init__(
        self,
        *,
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        kernel: Any = "auto",
        n_components: Any = "auto",
        feature_map: Any = "KU",
        fit_intercept: Any = True,
        rank_tol: Any = 1e-11,
        regularizer: Any = "auto",
        gamma_I: Any = "auto",
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class LapSVC(lapsvc.LapSVC):
    def __init__(
        self,
        *,
        kernel: Any = "auto",
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        space: Any = "auto",
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        warm_start: Any = False,
        class_weight: Any = None,
        class_prior: Any = None,
        loss: Any = "hinge",
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class ManifoldClassifier(manifold.ManifoldClassifier):
    def __init__(
        self,
        *,
        kernel: Any = "auto",
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        space: Any = "auto",
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        warm_start: Any = False,
        class_weight: Any = None,
        class_prior: Any = None,
        loss: Any = "squared_hinge",
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class ManifoldRegressor(manifold.ManifoldRegressor):
    def __init__(
        self,
        *,
        kernel: Any = "auto",
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        space: Any = "auto",
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        warm_start: Any = False,
        loss: Any = "huber",
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class RegularizedLaplacianEigenmaps(spectral.RegularizedLaplacianEigenmaps):
    def __init__(
        self,
        n_components: Any = 2,
        *,
        kernel: Any = None,
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        tol: Any = 1e-06,
        space: Any = "auto",
        random_state: Any = None,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class RegularizedSpectralClustering(spectral.RegularizedSpectralClustering):
    def __init__(
        self,
        n_clusters: Any = 2,
        *,
        kernel: Any = None,
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        tol: Any = 1e-06,
        space: Any = "auto",
        random_state: Any = None,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class SSSLRegressor(lsmr.SSSLRegressor):
    def __init__(
        self,
        *,
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        kernel: Any = "auto",
        n_components: Any = "auto",
        feature_map: Any = "KU",
        fit_intercept: Any = True,
        rank_tol: Any = 1e-11,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class StructuredLapSVC(structured.StructuredLapSVC):
    def __init__(
        self,
        *,
        solver: Any = "auto",
        tol: Any = 1e-06,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        kernel: Any = "auto",
        output: Any = None,
        rescaling: Any = "slack",
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        space: Any = "auto",
        warm_start: Any = False,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class VectorValuedClassifier(vector_valued.VectorValuedClassifier):
    def __init__(
        self,
        *,
        kernel: Any = "auto",
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        space: Any = "auto",
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        loss: Any = "squared",
        output_kernel: Any = "auto",
        output_regularizer: Any = None,
        class_weight: Any = None,
        class_prior: Any = None,
        probability: Any = True,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores

class VectorValuedRegressor(vector_valued.VectorValuedRegressor):
    def __init__(
        self,
        *,
        kernel: Any = "auto",
        regularizer: Any = "auto",
        gamma_A: Any = "auto",
        gamma_I: Any = "auto",
        fit_intercept: Any = "auto",
        space: Any = "auto",
        solver: Any = "auto",
        tol: Any = None,
        max_iter: Any = None,
        random_state: Any = None,
        verbose: Any = 0,
        unlabeled: Any = "auto",
        loss: Any = "squared",
        output_kernel: Any = "auto",
        output_regularizer: Any = None,
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # what fit stores
