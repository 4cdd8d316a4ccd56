"""Pictures of the papers: critical differences, significance, relative gains, bounds."""

from .bound import BoundDisplay
from .critical_difference import CriticalDifferenceDisplay
from .relative_gain import RelativeGainDisplay
from .significance import PairwiseSignificanceDisplay

__all__ = [
    "BoundDisplay",
    "CriticalDifferenceDisplay",
    "PairwiseSignificanceDisplay",
    "RelativeGainDisplay",
]
