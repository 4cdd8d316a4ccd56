"""Minh, Sindhwani 2011, *Vector-valued Manifold Regularization*, ICML."""
