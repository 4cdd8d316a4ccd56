"""Lapwing: learning from few labels and much data, by manifold regularisation.

    minimise over f:  (1/l) Σ loss(y_i, f(x_i)) + γ_A ‖f‖²_H + (γ_I/n²) ⟨f, M f⟩
                      └──── losses/ ──────────┘  └─ spaces/ ┘  └ regularizers/ ┘

The folders are the terms of the equation, and the way of the data is

    X ─▶ graphs/ ─▶ regularizers/ ─▶ operators/ ─┐
    X ─▶ kernels/ ─▶ spaces/ ────────────────────┼─▶ objective.py ─▶ solvers/ ─▶ estimators/
    y ─▶ targets/ ─▶ losses/ ────────────────────┘

The hinge of the lower half is the deformed kernel K̃ (``spaces/deformation.py``), whose norm holds
both penalties: any convex loss is plain regularisation over it.

=====================  ====================================================================
``linalg/``            numerics beneath all: forms, pencils, factors, memory
``outputs/``           how outputs are related: rings, trees, graphs, label sets
``views/``             several views of one X
``pointcloud/``        K̃ as a kernel for other machines: ``DeformedKernel``, ``MultiViewKernel``
``metrics/``           scores and their scorers; ``statistics/`` compares methods
``baselines/``         comparators, each certified
``model_selection/``   splits and searches over labelled rows; ``path.py`` whole grids
``distributed/``       the same estimators on Dask arrays (imported on its own)
``datasets/``          data to try things on
``inspection/``        pictures
``testing/``           the contracts every part keeps, for parts of your own too
``reproduce/``         the papers' tables
``cli/``               ``lapwing demo`` and the rest of the command line
=====================  ====================================================================
"""

from .estimators import (
    CoMRClassifier,
    CoMRRegressor,
    CoRLSClassifier,
    CoRLSRegressor,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapS3LRegressor,
    LapSVC,
    LSMRRegressor,
    ManifoldClassifier,
    ManifoldRegressor,
    RegularizedLaplacianEigenmaps,
    RegularizedSpectralClustering,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from .pointcloud import DeformedKernel, KernelFeatures, MultiViewKernel

__version__ = "0.1.0"

__all__ = [
    "CoMRClassifier",
    "CoMRRegressor",
    "CoRLSClassifier",
    "CoRLSRegressor",
    "DeformedKernel",
    "KernelFeatures",
    "LSMRRegressor",
    "LapLogisticClassifier",
    "LapRLSClassifier",
    "LapRLSRegressor",
    "LapS3LRegressor",
    "LapSVC",
    "ManifoldClassifier",
    "ManifoldRegressor",
    "MultiViewKernel",
    "RegularizedLaplacianEigenmaps",
    "RegularizedSpectralClustering",
    "SSSLRegressor",
    "StructuredLapSVC",
    "VectorValuedClassifier",
    "VectorValuedRegressor",
]
