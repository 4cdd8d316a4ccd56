"""Hu, Kwok, *Manifold Regularization for Structured Outputs via the Joint Kernel*."""
