"""How columns of functions become outputs: F Λᵀ, or each column is one output."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .base import Space


class Alone:
    """Λ = I: each column is one output, for any number of outputs."""

    related = False

    def mix(self, F: np.ndarray) -> np.ndarray:
        """F Λᵀ, (n, q), for F of shape (n, r)."""
        return F

    def pull(self, R: np.ndarray) -> np.ndarray:
        """R Λ, (n, r): the adjoint of :meth:`mix`."""
        return R

    def products(self, D: np.ndarray, E: np.ndarray) -> np.ndarray:
        """⟨Λᵀd, Λᵀe⟩ of all rows d of D with all rows e of E, (len(D), len(E))."""
        return D @ E.T

    def between(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(ΛΛᵀ)_ab between the outputs a and b, (len(a), len(b))."""
        return (a[:, None] == b).astype(float)

    def squares(self, q: int) -> np.ndarray:
        """The diagonal of ΛΛᵀ, (q,)."""
        return np.ones(q)

    def directions(self, q: int) -> np.ndarray:
        """Λ, (q, r)."""
        return np.eye(q)

    def user_coef(self, coef: np.ndarray) -> np.ndarray:
        """The coefficients as estimators show them, (m, q)."""
        return coef

    def scalar(self, space: Space) -> Space:
        """The space of the columns before mixing, with the same coefficients."""
        return space


@dataclass(frozen=True)
class Mixing(Alone):
    """q outputs from r columns: F Λᵀ.

    Attributes
    ----------
    matrix : array of shape (q, r)
        Λ.
    """

    related = True

    matrix: np.ndarray = field(repr=False)

    def mix(self, F):
        return F @ self.matrix.T

    def pull(self, R):
        return R @ self.matrix

    def products(self, D, E):
        return (D @ self.matrix) @ (E @ self.matrix).T

    def between(self, a, b):
        return self.matrix[a] @ self.matrix[b].T

    def squares(self, q):
        return np.einsum("qr,qr->q", self.matrix, self.matrix)

    def directions(self, q):
        return self.matrix


@dataclass(frozen=True)
class OutputMixing(Mixing):
    """The mixing of a space of related outputs.

    Attributes
    ----------
    matrix : array of shape (q, r)
        Λ.
    inverse : array of shape (r, q)
        Turns columns of functions into the coefficients that estimators show.
    columns : Space
        The space of the columns.
    """

    inverse: np.ndarray = field(repr=False)
    columns: Space = field(repr=False)

    def user_coef(self, coef):
        return coef @ self.inverse

    def scalar(self, space):
        return self.columns


ALONE = Alone()
