"""γ I + λMK of an exact space: K̃ at few rows through sections, everything else by the pencil."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..linalg.blas import symm
from ..linalg.exact import GramSystem
from ..linalg.quadratic_form import QuadraticForm
from .galerkin import Galerkin
from .systems import PencilSystem

MIXED_FROM = 1000
"""Points from which the factor is made in float32 and its solutions are refined."""

FEW = 48
"""Times as many points as rows, and a section for each in float32 pays."""

DIGITS = (1e-7, 1e-11)
"""Residuals of a section, and of the function that is answered."""

SOUND = 1e-4
"""Residual of sections below which float32 has held."""


class DenseEngine:
    """A = γ I + (V + λM)K, by the factor of :class:`.GramSystem`.

    Parameters
    ----------
    K : array of shape (n, n)
    form : QuadraticForm
        λM.
    gamma : float
    tols : (float, float)
    lent : array of shape (n,)
        V.
    """

    values_apart = True
    dtype: Any = np.float64

    def __init__(self, K: np.ndarray, form: QuadraticForm, gamma: float, tols, lent: np.ndarray):
        self.system = GramSystem(K, replace(form, w=lent), gamma)
        self.tols = tols
        most = float(K.diagonal()[lent > 0].sum()) / gamma
        self.least = 1.0 / (1.0 + float(lent.max(initial=0.0)) * most)

    def rough(self, R, tol):
        C, F = self.system.solve(R, float(np.min(tol)) / 3.0)  # which a true residual may exceed
        return C, symm(self.system.K, C) if F is None else F

    def apply(self, C, F):
        return self.system.gamma * C + self.system.form.apply(F)


@dataclass(frozen=True)
class ExactSystem(PencilSystem):
    """One member γ I + σGK of a pencil, where G and K are at hand.

    Attributes
    ----------
    form : QuadraticForm
        G.
    """

    form: QuadraticForm = field(kw_only=True, repr=False)

    @cached_property
    def known(self) -> Galerkin:
        """Sections at the rows that were asked for."""
        G = self.form.times(self.sigma)
        make = partial(DenseEngine, self.space.gram, G, self.gamma, DIGITS)
        return Galerkin(make, self.space.n_points)

    def kernel(self, rows):
        found = self.pencil.kernel(self.gamma, self.sigma, rows)
        if found is not None:
            return 0.5 * (found + found.T)
        if MIXED_FROM <= self.space.n_points >= FEW * len(rows) > 0 and self.form.lam:
            kernel = self.known.gram(rows)
            if self.known.worst <= SOUND:
                return kernel
        return super().kernel(rows)

    def solve(self, R):
        if "known" in vars(self) and self.known.holds(R):
            return self.space.element(*self.known.lift(R))
        return super().solve(R)
