"""Output structures: a kernel between outputs, the cost of a wrong output, and the search."""

from .base import OutputKernel, Outputs, Structure
from .enumerated import Enumerated
from .flat import Flat
from .given import OutputStructure
from .graph import OutputGraph
from .grid import Grid
from .joint_kernel import JointKernel
from .label_sets import LabelSets
from .ordinal import Ordinal
from .ring import Ring
from .tree import Tree

__all__ = [
    "Enumerated",
    "Flat",
    "Grid",
    "JointKernel",
    "LabelSets",
    "Ordinal",
    "OutputGraph",
    "OutputKernel",
    "OutputStructure",
    "Outputs",
    "Ring",
    "Structure",
    "Tree",
]
