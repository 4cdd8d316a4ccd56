"""Laplacian regularised least squares (MR §4.2)."""

from __future__ import annotations

from ..losses import Squared
from .base import Classifier, Regressor


class LapRLSClassifier(Classifier):
    """LapRLS."""

    def _loss(self):
        return Squared()


class LapRLSRegressor(Regressor):
    """LapRLS."""

    def _loss(self):
        return Squared()
