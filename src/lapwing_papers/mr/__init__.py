"""Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7."""
