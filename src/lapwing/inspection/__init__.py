"""Pictures: compute once, draw later."""

from .surface import SurfaceDisplay

__all__ = ["SurfaceDisplay"]
