"""Numerics beneath everything else: no learning here."""
