"""Rosenberg, Sindhwani, Bartlett, Niyogi 2009, multi-view point cloud regularization."""
