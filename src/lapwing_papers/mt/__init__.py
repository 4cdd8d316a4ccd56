"""Kraus, Benabdeslem, Canitia, *Laplacian-based Semi-supervised Multi-Label Regression*."""
