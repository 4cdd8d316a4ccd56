"""Lapwing: learning from few labels and much data, by manifold regularization.

    minimize over f:  (1/l) Σ loss(y_i, f(x_i)) + γ_A ‖f‖²_H + (γ_I/n²) ⟨f, M f⟩
                      └──── losses/ ──────────┘  └─ spaces/ ┘  └ regularizers/ ┘

The folders are the terms of the equation, and the way of the data is

    X ─▶ graphs/ ─▶ regularizers/ ─▶ operators/ ─┐
    X ─▶ kernels/ ─▶ spaces/ ────────────────────┼─▶ objective.py ─▶ solvers/ ─▶ estimators/
    y ─▶ targets/ ─▶ losses/ ────────────────────┘

The hinge of the lower half is the deformed kernel K̃ (``spaces/deformation.py``), whose norm holds
both penalties: any convex loss is plain regularization over it.

=====================  ====================================================================
``linalg/``            numerics beneath all: forms, pencils, factors, memory
``outputs/``           how outputs are related: rings, trees, graphs, label sets
``views/``             several views of one X
``pointcloud/``        K̃ as a kernel for other models: ``DeformedKernel``, ``MultiViewKernel``
``metrics/``           scores and their scorers; ``statistics/`` compares methods
``baselines/``         comparators, each certified
``selection/``         leave-one-out over K̃, and what is chosen by it
``confidence/``        probabilities, variances, bounds and the next label to ask for, from K̃
``model_selection/``   splits and searches over labeled rows; ``path/`` whole grids,
                       ``compare/`` whether the unlabeled points helped
``distributed/``       the same estimators on Dask arrays (imported on its own)
``datasets/``          data to try things on
``inspection/``        pictures
``testing/``           the contracts every part keeps, for parts of your own too
``reproduce/``         the papers' tables
``cli/``               ``lapwing demo`` and the rest of the command line
=====================  ====================================================================
"""

from importlib import import_module as _import_module

from .compare import compare
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
from .path import path
from .pointcloud import DeformedKernel, KernelFeatures, MultiViewKernel
from .version import __version__ as __version__

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
    "compare",
    "path",
]

_ROOMS = (
    "baselines",
    "datasets",
    "inspection",
    "metrics",
    "model_selection",
    "statistics",
    "testing",
)


def __getattr__(name: str):
    """``lapwing.inspection`` and its like, imported when first asked for."""
    if name in _ROOMS:
        return _import_module(f".{name}", __name__)
    raise AttributeError(f"module 'lapwing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_ROOMS})
