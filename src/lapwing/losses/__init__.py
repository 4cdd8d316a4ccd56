"""Losses V(y, f): the first term of the equation. Each loss has its own file.

``base`` holds the base classes. ``get_loss`` returns the loss with a given name.
"""

from .base import DualLoss, Loss, QuadraticLoss, SmoothLoss
from .epsilon_insensitive import EpsilonInsensitive
from .hinge import Hinge
from .huber import Huber
from .logistic import Logistic
from .resolve import get_loss, loss_for
from .squared import Squared
from .squared_hinge import SquaredHinge
from .structured_hinge import StructuredHinge

__all__ = [
    "DualLoss",
    "EpsilonInsensitive",
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "QuadraticLoss",
    "SmoothLoss",
    "Squared",
    "SquaredHinge",
    "StructuredHinge",
    "get_loss",
    "loss_for",
]
