"""How the outputs of one model depend on each other."""

from .graph import OutputGraph

__all__ = ["OutputGraph"]
