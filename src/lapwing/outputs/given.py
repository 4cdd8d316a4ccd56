"""Any output structure, given by its matrices."""

from __future__ import annotations

import numpy as np

from ..linalg.psd import check_psd
from .base import Layout, Structure, circle
from .enumerated import Enumerated


class OutputStructure(Structure):
    """K^Y, Δ and A^Y as matrices over the outputs 0 … q−1.

    Parameters
    ----------
    kernel : array of shape (q, q)
        K^Y, symmetric PSD; singular is fine.
    loss : array of shape (q, q)
        Δ(y, ȳ) ≥ 0 for true y (row) and predicted ȳ (column), zero on the diagonal. It need not be
        symmetric.
    affinity : array of shape (q, q), optional
        A^Y ≥ 0, symmetric, the output factor of the joint graph D^X⊗D^Y − A^X⊗A^Y. None is the
        identity, L = L^X ⊗ I, which keeps the outputs apart: A^Y = K^Y mixes them and does harm.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.outputs import OutputStructure
    >>> cost = np.array([[0.0, 5.0], [1.0, 0.0]])  # to miss a 0 is five times as bad
    >>> OutputStructure(np.eye(2), cost).build().classes
    array([0, 1])
    """

    def __init__(self, kernel, loss, affinity=None):
        self.kernel = kernel
        self.loss = loss
        self.affinity = affinity

    def build(self, observed=None) -> Enumerated:
        kernel = np.asarray(check_psd(self.kernel, "The output kernel"), dtype=float)
        loss = _loss_matrix(self.loss, len(kernel))
        affinity = None if self.affinity is None else _affinity(self.affinity, len(kernel))
        return Enumerated(kernel, loss, affinity, np.arange(len(kernel)))

    def layout(self) -> Layout:
        kernel = np.asarray(self.kernel if self.affinity is None else self.affinity, dtype=float)
        strength = np.triu(np.abs(kernel), 1)
        edges = np.argwhere(strength > 0)
        weights = strength[strength > 0] / max(strength.max(initial=0.0), 1e-300)
        return Layout(circle(len(kernel)), range(len(kernel)), edges, weights)


def _loss_matrix(loss, q: int) -> np.ndarray:
    loss = _square(loss, "The output loss", q)
    if np.any(loss < 0) or np.any(np.diagonal(loss) != 0):
        raise ValueError(
            "The output loss must be non-negative with a zero diagonal: Δ(y, y) = 0 and no "
            "confusion is rewarded."
        )
    return loss


def _affinity(affinity, q: int) -> np.ndarray:
    affinity = _square(affinity, "The output affinity", q)
    if np.any(affinity < 0) or not np.allclose(affinity, affinity.T, rtol=1e-10, atol=0):
        raise ValueError("The output affinity must be symmetric and non-negative.")
    return affinity


def _square(matrix, name: str, q: int) -> np.ndarray:
    matrix = np.asarray(matrix, dtype=float)
    if matrix.shape != (q, q):
        raise ValueError(f"{name} has shape {matrix.shape}; the output kernel asks for {(q, q)}.")
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} contains NaN or infinite entries; it must be finite.")
    return matrix
