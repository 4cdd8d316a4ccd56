"""Metrics: how far predictions are from the truth."""
