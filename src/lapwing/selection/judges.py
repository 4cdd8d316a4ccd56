"""The loss of each labeled row under the fit without its labels, for every kind of target."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from .criterion import TEMPERATURES, row_losses


def class_judge(Y: np.ndarray, codes: np.ndarray, n_classes: int):
    """Classes that exclude each other; those with one label tell nothing and are not asked."""
    telling = np.bincount(codes, minlength=n_classes)[codes] > 1

    def losses(H: np.ndarray) -> np.ndarray:
        known = np.isfinite(H).all(axis=1)
        found = row_losses(np.where(known[:, None], H, 0.0), Y, codes, n_classes)
        return np.where(known, found, np.inf)[telling]

    return losses


def real_judge(Y: np.ndarray):
    """Real targets, and labels that do not exclude each other: squares over each column's variance.

    Of labels a count of errors would praise what never finds a rare one. Y is NaN where nothing
    was observed.
    """
    seen = ~np.isnan(Y)
    count = np.maximum(seen.sum(axis=0), 1)
    centered = np.where(seen, Y, 0.0) - np.where(seen, Y, 0.0).sum(axis=0) / count
    spread = (np.where(seen, centered, 0.0) ** 2).sum(axis=0) / count
    scale = np.where(spread > 0, spread, 1.0)

    def losses(H: np.ndarray) -> np.ndarray:
        squares = np.where(seen, (Y - H) ** 2 / scale, 0.0)  # NaN where nothing tells the value
        return squares.sum(axis=1) / seen.sum(axis=1)

    return losses


def output_judge(Y: np.ndarray, outputs, telling: np.ndarray):
    """Structured outputs: Δ(y, decoded), plus how far λ(y) is missed where outputs are sets, or

    Σ_z Δ(y, z) softmax_z(a h) with the best common a where they are listed; Δ in units of its
    largest values.
    """
    scale = float(np.mean(outputs.worst_loss(Y))) or 1.0
    features, eye = outputs.features(Y), np.eye(Y.shape[1])
    spread = float(np.var(features, axis=0).sum()) or 1.0
    listed = outputs.kernel is not None
    far = np.array([outputs.loss(Y, np.tile(z, (len(Y), 1))) for z in eye]).T if listed else None

    def losses(H: np.ndarray) -> np.ndarray:
        known = np.nan_to_num(H)
        wrong = outputs.loss(Y, outputs.decode(known)) / scale
        if far is None:
            return (wrong + ((features - known) ** 2).sum(axis=1) / spread)[telling]
        unit = known / max(1.0, float(np.abs(known).max(initial=0.0)))
        shares = softmax(TEMPERATURES[:, None, None] * unit, axis=2)
        soft = (shares * far).sum(axis=2)[:, telling] / scale
        if not telling.any():
            return soft[0]
        return wrong[telling] + soft[soft.mean(axis=1).argmin()]

    return losses
