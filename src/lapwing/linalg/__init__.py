"""Numerics without learning: factorisations, blocks, memory. Nothing here knows a loss."""
