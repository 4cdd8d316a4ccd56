"""Outputs that can be listed: a kernel matrix, a loss matrix and an optional affinity."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..linalg.simultaneous import commute, simultaneous_eigenbasis
from ..types import MatrixLike, TargetLike
from .base import Outputs, Rescaling


class Enumerated(Outputs):
    """K^Y = V diag(σ) Vᵀ, Δ and A^Y as matrices. K^Y may be singular.

    The affinity A^Y enters the Laplacian of the joint graph, D^X⊗D^Y − A^X⊗A^Y, where D holds
    degrees. If A^Y and D^Y commute with K^Y (the identity, circulant matrices), V diagonalizes all
    three. The problem then splits into one problem for each column of V.

    Parameters
    ----------
    kernel : array of shape (q, q)
        K^Y, symmetric PSD.
    loss_matrix : array of shape (q, q)
        Δ(y, ȳ) ≥ 0 for true y and predicted ȳ, zero on the diagonal.
    affinity : array of shape (q, q) or None
        A^Y ≥ 0, symmetric. None is the identity.
    classes : array of shape (q,)
    """

    listed = True
    kernel: np.ndarray
    directions: tuple[np.ndarray, np.ndarray]

    def __init__(
        self, kernel: Any, loss_matrix: MatrixLike, affinity: MatrixLike, classes: TargetLike
    ) -> None:
        self.kernel = kernel
        self.loss_matrix = loss_matrix
        self.affinity = affinity
        self.classes = classes
        self.n_features = len(classes)
        self.commuting = commute(*self._matrices())
        together = self._matrices() if self.commuting else [kernel]
        sigma, V = simultaneous_eigenbasis(*together)
        sigma = np.where(sigma > 1e-12 * max(np.max(np.abs(sigma)), 1e-300), sigma, 0.0)
        self.directions = V, sigma
        self.mean_square = float(np.mean(np.diagonal(kernel)))

    @property
    def feature_map(self) -> np.ndarray:
        """Λ = V√σ, shape (q, q), with K^Y = ΛΛᵀ."""
        V, sigma = self.directions
        return V * np.sqrt(sigma)

    def _matrices(self) -> list[np.ndarray]:
        if self.affinity is None:
            return [self.kernel]
        return [self.kernel, self.affinity, np.diag(self.affinity.sum(axis=1))]

    def without_kernel(self) -> Enumerated:
        """The same outputs with λ(y) = e_y, for a joint kernel on pairs (x, y)."""
        return Enumerated(np.eye(self.n_features), self.loss_matrix, self.affinity, self.classes)

    def features(self, Y: MatrixLike) -> MatrixLike:
        return Y

    def loss(self, Y: MatrixLike, Z: MatrixLike) -> np.ndarray:
        return self.loss_matrix[Y.argmax(axis=1), Z.argmax(axis=1)]

    def separate(self, F: MatrixLike, Y: MatrixLike, rescaling: Rescaling):
        true = Y.argmax(axis=1)
        rows = np.arange(len(true))
        rise = F - F[rows, true][:, None]
        delta = self.loss_matrix[true]
        violation = delta * (1.0 + rise) if rescaling == "slack" else delta + rise
        violation[rows, true] = 0.0
        worst = violation.argmax(axis=1)
        return self.indicator(worst), violation[rows, worst]

    def worst_loss(self, Y: MatrixLike) -> np.ndarray:
        return self.loss_matrix[Y.argmax(axis=1)].max(axis=1)

    def decode(self, F: MatrixLike) -> np.ndarray:
        return self.indicator(F.argmax(axis=1))

    def rank(self, F: MatrixLike, n_best):
        # A stable sort of −f: the first of equal outputs comes first, as in decode.
        order = np.argsort(-F, axis=1, kind="stable")
        return self.classes[order[:, :n_best]]

    def positions(self, labels: np.ndarray, name: str = "y") -> np.ndarray:
        """The index of each label among the outputs, (m,). An unknown label is an error."""
        place = {label: position for position, label in enumerate(self.classes.tolist())}
        unknown = [label for label in dict.fromkeys(labels.tolist()) if label not in place]
        if unknown:
            shown = ", ".join(map(repr, self.classes[:6].tolist()))
            more = ", …" if len(self.classes) > 6 else ""
            raise ValueError(
                f"{name} holds {unknown[:5]}, which is no output of the structure. Its outputs "
                f"are {shown}{more}; unlabeled rows are -1 among integers, None or NaN elsewhere."
            )
        return np.array([place[label] for label in labels.tolist()], dtype=int)

    def indicator(self, codes: np.ndarray) -> np.ndarray:
        """One-hot rows, (m, q), for indices of shape (m,)."""
        Y = np.zeros((len(codes), self.n_features))
        Y[np.arange(len(codes)), codes] = 1.0
        return Y
