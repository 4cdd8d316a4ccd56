"""Pictures of what was learned: compute once with ``from_…``, draw with ``plot(ax=…)``.

They need matplotlib (``pip install "lapwing[plot]"``), and only when something is drawn.
"""

from .convergence import ConvergenceDisplay
from .decision import DecisionSurfaceDisplay
from .embedding import EmbeddingDisplay
from .graph import GraphDisplay

__all__ = [
    "ConvergenceDisplay",
    "DecisionSurfaceDisplay",
    "EmbeddingDisplay",
    "GraphDisplay",
]
