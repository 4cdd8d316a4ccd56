"""Manifold regularisation for few labels and much data."""
