"""Pictures of fitted models. ``from_…`` computes a picture once, and ``plot(ax=…)`` draws it.

Only ``plot`` needs matplotlib (``pip install "lapwing-learn[plot]"``).
"""

from .comparison import ComparisonDisplay
from .convergence import ConvergenceDisplay
from .decision import DecisionSurfaceDisplay
from .embedding import EmbeddingDisplay
from .graph import GraphDisplay
from .learning_curve import LearningCurveDisplay
from .path import PathDisplay
from .selection import SelectionDisplay
from .structure import OutputStructureDisplay
from .surface import SurfaceDisplay

__all__ = [
    "ComparisonDisplay",
    "ConvergenceDisplay",
    "DecisionSurfaceDisplay",
    "EmbeddingDisplay",
    "GraphDisplay",
    "LearningCurveDisplay",
    "OutputStructureDisplay",
    "PathDisplay",
    "SelectionDisplay",
    "SurfaceDisplay",
]
