"""The deformed joint kernel where the labels are: all that a structured machine trains on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


class LabelledGram(ABC):
    """K̃ over the pairs (labelled row, feature), with F = Σ G_ij k̃_ij for G of shape (l, q)."""

    @abstractmethod
    def apply(self, G: np.ndarray) -> np.ndarray:
        """The values of Σ G_ij k̃_ij at the labelled rows, (l, q)."""

    @abstractmethod
    def cross(self, i, D, j, E) -> np.ndarray:
        """⟨e_i ⊗ d, K̃ (e_j ⊗ e)⟩ of all rows d of D (at i) with all rows e of E (at j)."""

    @abstractmethod
    def lift(self, G: np.ndarray) -> np.ndarray:
        """The coefficients in the objective's space, (m, q)."""


@dataclass(frozen=True)
class ColumnGram(LabelledGram):
    """K̃_j for each feature j; features with one operator share it.

    Attributes
    ----------
    parts : list of (columns, gram (l, l), sections (m, l))
    """

    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]]

    def apply(self, G):
        out = np.empty_like(G)
        for columns, gram, _ in self.parts:
            out[:, columns] = gram @ G[:, columns]
        return out

    def cross(self, i, D, j, E):
        total = np.zeros((len(i), len(j)))
        for columns, gram, _ in self.parts:
            product = D[:, columns] @ E[:, columns].T
            if product.any():  # the features of singular directions are zero
                total += gram[np.ix_(i, j)] * product
        return total

    def lift(self, G):
        coef = np.empty((len(self.parts[0][2]), G.shape[1]))
        for columns, _, sections in self.parts:
            coef[:, columns] = sections @ G[:, columns]
        return coef


@dataclass(frozen=True)
class PairGram(LabelledGram):
    """K̃ over pairs as one matrix, where an operator or a kernel couples the features.

    Attributes
    ----------
    gram : array of shape (l, q, l, q)
    lifted : callable
        (l, q) ↦ (n, q), the coefficients.
    """

    gram: np.ndarray
    lifted: Callable[[np.ndarray], np.ndarray]

    def apply(self, G):
        return np.tensordot(self.gram, G, axes=2)

    def cross(self, i, D, j, E):
        l, q = self.gram.shape[:2]
        left = np.zeros((len(i), l, q))
        left[np.arange(len(i)), i] = D
        pulled = np.tensordot(left, self.gram, axes=2)
        return np.einsum("mkq,kq->mk", pulled[:, j], E)

    def lift(self, G):
        return self.lifted(G)
