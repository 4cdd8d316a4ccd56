"""The command ``lapwing``."""

from .command import main

__all__ = ["main"]
