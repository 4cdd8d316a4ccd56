"""Columns of K̃: one function for each row that was ever asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .base import Space
from .systems import System

FEW_ROWS = 1_000
"""The most rows for which one function per row is computed."""


class Sections(ABC):
    """K̃ at any rows, from sections (columns of K̃) that are kept. A new row adds one section.

    Attributes
    ----------
    n : int
        The number of rows of the readout.
    rows : integer array of shape (l,)
        The rows whose sections are kept.
    values : array of shape (n, t)
        The values of the function that :meth:`lift` returned last.
    mix : array of shape (l, t)
        The weights of the sections in that function, where it is a combination of them alone.
    products : Any
        What the certificate keeps of the sections (:mod:`lapwing.problem.kept_products`).
    in_closed_form : bool
        Whether a new row needs no iterations.
    """

    in_closed_form = False

    def __init__(self, n: int):
        self.n = n
        self.rows = np.empty(0, dtype=int)
        self.values = self.mix = np.empty((n, 0))
        self.products: Any = None

    @abstractmethod
    def gram(self, rows: np.ndarray) -> np.ndarray:
        """K̃ among the rows, (l, l)."""

    @abstractmethod
    def columns(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """K̃ between points and rows, (m, l); to a few per cent at rows that have no section yet."""

    @abstractmethod
    def lift(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and values of K̃R, (n, t) each, for an R that is zero outside a few rows."""

    @abstractmethod
    def solve(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and values of K̃R, (n, t) each, for any R."""

    def holds(self, R: np.ndarray) -> bool:
        """Whether R is zero at all rows that have no section."""
        return bool(np.isin(np.flatnonzero(R.any(axis=1)), self.rows).all())

    def _at(self, rows: np.ndarray) -> np.ndarray:
        order = np.argsort(self.rows)
        return order[np.searchsorted(self.rows, rows, sorter=order)]


@dataclass(frozen=True)
class SectionSystem(System):
    """γ P + λΦ*MΦ of a space with represent(r) = scale · r, solved by its sections.

    Attributes
    ----------
    space : Space
    known : Sections
    others : callable
        r ↦ coefficients and values of the solution, for an r with more than ``FEW_ROWS`` nonzero
        rows.
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
