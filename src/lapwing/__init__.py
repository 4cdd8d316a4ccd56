"""Lapwing: learning from few labels and much data, by manifold regularization.

    minimize over f:  (1/l) Σ loss(y_i, f(x_i)) + γ_A ‖f‖²_H + (γ_I/n²) ⟨f, M f⟩
                      └──── losses/ ──────────┘  └─ spaces/ ┘  └ regularizers/ ┘

l is the number of labeled rows, n the number of all rows. The function f makes the predictions. The
second term makes f smooth in the input space. The third term makes f smooth along the data: M comes
from a graph of all rows, labeled and unlabeled.

The folders are the terms of the equation. The data goes this way:

    X ─▶ graphs/ ─▶ regularizers/ ─▶ operators/ ─┐
    X ─▶ kernels/ ─▶ spaces/ ────────────────────┼─▶ problem/ ─▶ solvers/ ─▶ estimators/
    y ─▶ targets/ ─▶ losses/ ────────────────────┘

The deformed kernel K̃ (``spaces/deformation.py``) joins both penalties in one norm. With K̃, every
convex loss becomes an ordinary regularized problem on the labeled rows.

=====================  ====================================================================
``linalg/``            numerical linear algebra: forms, pencils, factors, memory
``outputs/``           relations between outputs: rings, trees, graphs, label sets
``views/``             several views of one X
``pointcloud/``        K̃ as a kernel: ``DeformedKernel``, ``MultiViewKernel``, ``CoMRKernel``
``metrics/``           scores and their scorers
``parameters/``        declaration and checks of parameters
``selection/``         leave-one-out over K̃, and the choice of settings by it
``confidence/``        probabilities, variances, bounds and the next row to label, from K̃
``model_selection/``   splits and searches over labeled rows; ``paths/`` whole grids,
                       ``comparison/`` whether the unlabeled rows helped
``distributed/``       the same estimators on Dask arrays (imported on its own)
``datasets/``          example data
``inspection/``        plots
``testing/``           the tests that every part passes, also for your own parts
``tables/``            raw columns: files, labels, encoder, pipeline, report
``integrations/``      AnnData and similar formats
``io/``                models as files: ``save`` and ``load``
``label/``             a web page for labeling: every label updates the map of all rows
``cli/``               ``lapwing demo`` and the other commands
=====================  ====================================================================

The names below are imported on first use, so ``import lapwing`` and the command line start fast.
The papers' tables and comparators are in a second package, ``lapwing_papers``.

Docstrings cite five papers by two letters:

======  ==============================================================================
MR      Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*
VV      Minh, Sindhwani 2011, *Vector-valued Manifold Regularization*
SO      Hu, Kwok, *Manifold Regularization for Structured Outputs via the Joint Kernel*
MV      Rosenberg, Sindhwani, Bartlett, Niyogi 2009, *A Kernel for Semi-Supervised
        Learning with Multi-View Point Cloud Regularization*
MT      Kraus, Benabdeslem, Canitia, *Laplacian-based Semi-supervised Multi-Label
        Regression*
======  ==============================================================================
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from .version import __version__ as __version__

if TYPE_CHECKING:
    from .comparison import compare, learning_curve
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
    from .io import load, save
    from .paths import (
        path,
    )
    from .pointcloud import (
        CoMRKernel,
        DeformedKernel,
        KernelFeatures,
        MultiViewKernel,
    )

__all__ = [
    "CoMRClassifier",
    "CoMRKernel",
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
    "learning_curve",
    "load",
    "path",
    "save",
]

_HOME = {
    **dict.fromkeys(__all__, "estimators"),
    **dict.fromkeys(
        ("CoMRKernel", "DeformedKernel", "KernelFeatures", "MultiViewKernel"), "pointcloud"
    ),
    "compare": "comparison",
    "learning_curve": "comparison",
    "load": "io",
    "path": "paths",
    "save": "io",
}

_ROOMS = (
    "comparison",
    "datasets",
    "distributed",
    "graphs",
    "inspection",
    "integrations",
    "io",
    "kernels",
    "label",
    "losses",
    "metrics",
    "model_selection",
    "outputs",
    "paths",
    "regularizers",
    "spaces",
    "tables",
    "testing",
)

_MOVED = {"baselines": "baselines", "statistics": "statistics", "reproduce": ""}


def __getattr__(name: str):
    """Import a public name, or a folder such as ``lapwing.inspection``, on first use."""
    if name in _HOME:
        found = getattr(_import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = found
        return found
    if name in _ROOMS:
        return _import_module(f".{name}", __name__)
    if name in _MOVED:
        room = f"lapwing_papers.{_MOVED[name]}".rstrip(".")
        raise AttributeError(f"lapwing.{name} is now {room}: write import {room}.")
    raise AttributeError(f"module 'lapwing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
