"""Pictures of what was learned: compute once with ``from_…``, draw with ``plot(ax=…)``.

They need matplotlib (``pip install "lapwing[plot]"``), and only when something is drawn.
"""

from .bound import BoundDisplay
from .comparison import ComparisonDisplay
from .convergence import ConvergenceDisplay
from .critical_difference import CriticalDifferenceDisplay
from .decision import DecisionSurfaceDisplay
from .embedding import EmbeddingDisplay
from .graph import GraphDisplay
from .path import PathDisplay
from .relative_gain import RelativeGainDisplay
from .selection import SelectionDisplay
from .significance import PairwiseSignificanceDisplay
from .structure import OutputStructureDisplay
from .surface import SurfaceDisplay

__all__ = [
    "BoundDisplay",
    "ComparisonDisplay",
    "ConvergenceDisplay",
    "CriticalDifferenceDisplay",
    "DecisionSurfaceDisplay",
    "EmbeddingDisplay",
    "GraphDisplay",
    "OutputStructureDisplay",
    "PairwiseSignificanceDisplay",
    "PathDisplay",
    "RelativeGainDisplay",
    "SelectionDisplay",
    "SurfaceDisplay",
]
