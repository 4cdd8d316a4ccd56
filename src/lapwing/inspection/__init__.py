"""Pictures of what was learned: compute once with ``from_…``, draw with ``plot(ax=…)``.

They need matplotlib (``pip install "lapwing-learn[plot]"``), and only when something is drawn.
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
