"""The space of a kernel with its Gram matrix: f = Σ_j c_j k(x_j, ·) over all training points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..kernels import Kernel
from ..linalg.blas import symm, symm_few
from ..linalg.blocks import row_blocks
from ..linalg.exact import MANY, MIXED_FROM, GramSystem, ShiftedSystem
from ..linalg.pencil import FEW, choose_pencil
from ..linalg.quadratic_form import QuadraticForm
from .base import Element, Space
from .covariance import KernelCovariance
from .galerkin import ROUGH, Galerkin
from .systems import PencilSystem, by_pencil

DIRECT_LIMIT = 25_000
"""The most points for an LU factor; conjugate gradients are slower at the default γ."""


DIGITS = (3e-5, 1e-11)
"""Relative residuals of a section of K̃, and of the function that is returned. The residual of a
section enters K̃ squared. Functions that only a tiny γ_A penalizes magnify it."""


class KernelSections(Space):
    """f = Σ_j c_j k(x_j, ·): represent(r) = r, inner(a, b) = aᵀK b; abstract.

    Parameters
    ----------
    kernel : Kernel
        The built kernel.
    X : array or CSR matrix of shape (n, d)
        The training points.
    """

    def __init__(self, kernel: Kernel, X, n: int):
        self.kernel = kernel
        self.X = X
        self.n_points = self.n_coef = n

    def evaluate_at(self, X, coef):
        few = np.flatnonzero(coef.any(axis=1))  # the other coefficients are zero
        if self.kernel.precomputed or not 0 < 2 * len(few) <= len(coef):
            return expand(self.kernel, X, self.X, coef)
        return expand(self.kernel, X, self.X[few], coef[few])

    def represent(self, r_M, r_loss):
        return r_M + r_loss

    def inner(self, a: Element, b: Element):
        return np.einsum("it,it->t", a.values, b.coef)

    @property
    def covariance(self):
        return KernelCovariance(self, self.kernel, self.X)

    def system(self, gamma_A, form, n_shifts=1):
        return by_pencil(self, gamma_A, form)


class DenseEngine:
    """A = γ I + (V + λM)K, solved by the factor of :class:`.GramSystem`.

    Parameters
    ----------
    K : array of shape (n, n)
        The Gram matrix.
    form : QuadraticForm
        λM.
    gamma : float
    tols : (float, float)
        Relative residuals of a section, and of the function that is returned.
    lent : array of shape (n,)
        The diagonal of V, weights that are added for better conditioning.
    make : callable
        As for :class:`.GramSystem`.
    """

    dtype: Any = np.float64

    def __init__(self, K, form: QuadraticForm, gamma: float, tols, lent, make=ShiftedSystem):
        self.gram = K
        self.system = GramSystem(K, replace(form, w=lent), gamma, make)
        self.tols = tols
        most = float(K.diagonal()[lent > 0].sum()) / gamma
        self.least = 1.0 / (1.0 + float(lent.max(initial=0.0)) * most)

    def rough(self, R, tol):
        # a third: the true residual may exceed the one that the system stops at
        C, F = self.system.solve(R, float(np.min(tol)) / 3.0)
        return C, symm(self.system.K, C) if F is None else F

    def apply(self, C, F):
        return self.system.gamma * C + self.system.form.apply(F)


@dataclass(frozen=True)
class ExactSystem(PencilSystem):
    """One member γ I + σGK of a pencil, for a space that stores K.

    Attributes
    ----------
    form : QuadraticForm
        G.
    """

    form: QuadraticForm = field(kw_only=True, repr=False)
    told_by_factor = True

    @cached_property
    def known(self) -> Galerkin:
        """The sections of K̃ at the rows that were asked for so far."""
        G = self.form.times(self.sigma)
        space: Any = self.space
        make = partial(DenseEngine, space.gram, G, self.gamma, DIGITS, make=space.factored)
        return Galerkin(make, space.n_points)

    def kernel(self, rows):
        # the factor of the fit serves more sections than a new one in float32 would pay for: 2,000
        # points and 120 sections take 0.6 of the time of a new factor in float64, 1,000 and 250 1.4
        if MIXED_FROM <= self.space.n_points >= MANY // 4 * len(rows) > 0 and self.form.lam:
            kernel = self.known.gram(rows)
            if self.known.worst <= ROUGH:
                return kernel
        return super().kernel(rows)

    def solve(self, R):
        if "known" in vars(self) and self.known.holds(R):
            return self.space.element(*self.known.lift(R))
        return super().solve(R)

    def energies(self, R):
        if "known" in vars(self) and MANY // 4 * R.shape[1] <= len(R):
            return self.known.energies(R)
        C = self.pencil.at(self.gamma, self.sigma).solve(R, 1e-8)[0]
        return np.einsum("it,it->t", symm(self.space.gram, R), C)


class Exact(KernelSections):
    """f = Σ_j c_j k(x_j, ·); evaluate(c) = K c, represent(r) = r, inner(a, b) = aᵀK b.

    This is the whole space of the kernel, without approximation. It stores the Gram matrix K.

    Parameters
    ----------
    gram : array of shape (n, n)
        K, symmetric and positive semi-definite.
    kernel : Kernel
        The built kernel k, for new points.
    X : array or CSR matrix of shape (n, d)
        The training points.
    """

    _factor: ShiftedSystem | None = None

    def __init__(self, gram: np.ndarray, kernel: Kernel, X):
        super().__init__(kernel, X, gram.shape[0])
        self.gram = gram

    @cached_property
    def gram(self) -> np.ndarray:  # type: ignore[override]
        """K, (n, n). A saved space does not store K and computes it again."""
        return self.kernel(self.X).astype(np.float64, copy=False)

    def __getstate__(self) -> dict:
        """The state without the factor, and without K unless the kernel is precomputed."""
        left = ("_factor",) if self.kernel.precomputed else ("_factor", "gram")
        return {name: part for name, part in vars(self).items() if name not in left}

    def factored(self, K, form, gamma: float, columns: int) -> ShiftedSystem:
        """A factor of γ I + G K.

        The factor of a fit is kept. It also serves K̃ at the rows to which it gives weights.
        """
        if not (self._factor and self._factor.serves(form, gamma)):
            self._factor = None  # frees its memory first
            self._factor = ShiftedSystem(K, form, gamma, columns)
        return self._factor

    def evaluate(self, coef):
        return symm_few(self.gram, coef, np.flatnonzero(coef.any(axis=1)))

    def system(self, gamma_A, form, n_shifts=1):
        if self.n_points > DIRECT_LIMIT or not (form.lam or len(form.rows)):
            return super().system(gamma_A, form, n_shifts)
        pencil = choose_pencil(self.gram, form, n_shifts, self.factored)
        if n_shifts > FEW:
            return PencilSystem(self, pencil, float(gamma_A))
        return ExactSystem(self, pencil, float(gamma_A), form=form)


def expand(kernel: Callable, X, centers, coef: np.ndarray) -> np.ndarray:
    """Σ_j k(x, x_j) c_j at the rows x of X, (len(X), t).

    It is computed in blocks of rows, so that k(X, centers) is never stored as a whole.
    """
    out = np.empty((X.shape[0], coef.shape[1]))
    for rows in row_blocks(X.shape[0], coef.shape[0]):
        out[rows] = kernel(X[rows], centers) @ coef
    return out
