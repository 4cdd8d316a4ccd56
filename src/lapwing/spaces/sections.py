"""What is known of K̃: a function for each row that was ever asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .base import Space
from .systems import System

FEW_ROWS = 1_000
"""Rows for which a function each pays."""


class Sections(ABC):
    """K̃ at any rows, from sections that are kept; a new row costs one more.

    Attributes
    ----------
    n : int
        Rows of the readout.
    rows : integer array of shape (l,)
        The rows whose sections are kept.
    values : array of shape (n, t)
        The last function that was lifted.
    in_closed_form : bool
        Whether a new row takes no iterations.
    """

    in_closed_form = False

    def __init__(self, n: int):
        self.n = n
        self.rows = np.empty(0, dtype=int)
        self.values = np.empty((n, 0))

    @abstractmethod
    def gram(self, rows: np.ndarray) -> np.ndarray:
        """K̃ among the rows, (l, l)."""

    @abstractmethod
    def columns(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """K̃ between points and rows, (m, l): to a few per cent at rows never asked for before."""

    @abstractmethod
    def lift(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and values of K̃R, (n, t) each, for an R that is zero at other rows."""

    @abstractmethod
    def solve(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same for any R."""

    def holds(self, R: np.ndarray) -> bool:
        """Whether R is zero but at rows that have been asked for."""
        return bool(np.isin(np.flatnonzero(R.any(axis=1)), self.rows).all())

    def _at(self, rows: np.ndarray) -> np.ndarray:
        order = np.argsort(self.rows)
        return order[np.searchsorted(self.rows, rows, sorter=order)]


@dataclass(frozen=True)
class SectionSystem(System):
    """γ P + λΦ*MΦ of a space with represent(r) = scale · r, through its sections.

    Attributes
    ----------
    space : Space
    known : Sections
    others : callable
        r ↦ coefficients and values of the solution, for r at more than ``FEW_ROWS`` rows.
    scale : float
    """

    space: Space = field(repr=False)
    known: Sections = field(repr=False)
    others: Callable[[np.ndarray], tuple] = field(repr=False)
    scale: float = 1.0
    factored: bool = True

    def solve(self, R):
        R = R / self.scale
        few = 0 < np.count_nonzero(R.any(axis=1)) <= FEW_ROWS or self.known.holds(R)
        return self.space.element(*(self.known.lift if few else self.others)(R))

    def kernel(self, rows):
        return self.known.gram(rows)
