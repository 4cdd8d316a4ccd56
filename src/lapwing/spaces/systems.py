"""The linear system γ P + Φ*GΦ of a space, solved by a pencil or by iteration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..linalg.blocks import batches
from ..linalg.memory import require_bytes
from ..linalg.panels import unit_columns
from ..linalg.pencil import DensePencil, Pencil
from ..linalg.quadratic_form import QuadraticForm
from .krylov import conjugate_gradient

if TYPE_CHECKING:
    from .base import Element, Space

FEW_COEFFICIENTS = 4_000
"""The most coefficients of a space for which the normal equations are formed."""

BATCH = 512
"""Functions that are solved for at once; fewer change how a system of 24,000 is solved."""


class NoPenalty(Pencil):
    """γ I, for any γ: the norm is the only penalty."""

    def __init__(self, space: Space):
        self.space = space

    def shifted(self, gamma, sigma, R):
        return R / gamma, None

    def kernel(self, gamma, sigma, rows):
        return self.space.covariance.among(rows) / gamma


class System(ABC):
    """γ P + Φ*GΦ of a space, ready to be solved for many right-hand sides.

    Attributes
    ----------
    space : Space
    direct : bool
        Whether a solver may use it as a closed form. False where it runs conjugate gradients with
        the products of the space.
    factored : bool
        Whether a solution costs little beside the factor. False for iterations.
    told_by_factor : bool
        Whether the factor of the pencil also gives ⟨b, (γ I + GK)⁻¹G b⟩ for many b.
    nearby : System or None
        A similar system with cheap solutions: a preconditioner.
    pencil : Pencil or None
        The systems for all γ and σ from one factor, where there is one.
    """

    space: Space
    direct = True
    factored: Any = True
    told_by_factor = False
    pencil: Any = None

    @property
    def nearby(self) -> System | None:
        return self

    @abstractmethod
    def solve(self, R: np.ndarray) -> Element:
        """The function that solves the system for the right-hand sides R, (m, t)."""

    def shifted(self, gamma: float, sigma: float) -> System | None:
        """γ P + σ Φ*GΦ from the same factors, or None."""
        return None

    def kernel(self, rows: np.ndarray) -> np.ndarray:
        """R (γ P + Φ*GΦ)⁻¹ R* among some rows of the readout, (l, l)."""
        kernel, n = np.empty((len(rows), len(rows))), self.space.n_points
        # conjugate gradients keep 13 vectors per function: at most two gigabytes at once
        most = BATCH if self.factored else min(BATCH, max(64, 2**31 // (104 * n)))
        for some in batches(len(rows), most):  # never the functions of all rows at once
            kernel[:, some] = self._read(self.sections(rows[some]), rows)
        return 0.5 * (kernel + kernel.T)

    def energies(self, R: np.ndarray) -> np.ndarray:
        """⟨r, R(γ P + Φ*GΦ)⁻¹R* r⟩ of each column r, (t,), to a few digits."""
        return np.einsum("it,it->t", R, self.solve(self.space.represent(0.0, R)).readout)

    def _read(self, e: Element, rows: np.ndarray) -> np.ndarray:
        K = self.space.gram
        dense = 0 < len(K) == self.space.n_coef  # an empty space has no Gram matrix either
        return K[rows] @ e.coef if dense else e.readout[rows]

    def sections(self, rows: np.ndarray) -> Element:
        """The solutions for the right-hand sides R*e_i, one function for each row i."""
        space, l = self.space, len(rows)
        if not self.factored:
            # conjugate gradients keep seven blocks of values and six of coefficients
            require_bytes(
                8 * l * (7 * space.n_points + 6 * space.n_coef),
                f"One function for each of {l} labeled points over {space.n_rows} points",
                "Use a smooth loss such as 'squared_hinge', or fewer labeled rows.",
            )
        return self.solve(space.represent(0.0, unit_columns(rows, space.n_rows)))


@dataclass(frozen=True)
class CallableSystem(System):
    """A system that is given by a function of the right-hand side: R ↦ the solution."""

    space: Space = field(repr=False)
    how: Callable[[np.ndarray], Element] = field(repr=False)
    factored: bool = True
    cheaper: System | None = field(default=None, repr=False)

    @property
    def nearby(self):
        return self.cheaper or self

    def solve(self, R):
        return self.how(R)


@dataclass(frozen=True)
class WrappedSystem(System):
    """The system of a wrapped space that has the same coefficients and the same first rows."""

    space: Space = field(repr=False)
    inner: System = field(repr=False)

    @property
    def factored(self):
        return self.inner.factored

    @property
    def pencil(self):
        return self.inner.pencil

    def solve(self, R):
        return self.inner.solve(R).within(self.space)

    def shifted(self, gamma, sigma):
        found = self.inner.shifted(gamma, sigma)
        return found and replace(self, inner=found)

    def kernel(self, rows):
        return self.inner.kernel(rows)


@dataclass(frozen=True)
class PencilSystem(System):
    """One member γ I + σ Φ*GΦ of a pencil."""

    space: Space = field(repr=False)
    pencil: Any = field(repr=False)
    gamma: float
    sigma: float = 1.0

    def solve(self, R):
        one = np.ones(R.shape[1])
        a, f = self.pencil.solve(self.gamma * one, self.sigma * one, R)
        return self.space.element(a, f)

    def kernel(self, rows):
        found = self.pencil.kernel(self.gamma, self.sigma, rows)
        return 0.5 * (found + found.T) if len(found) else super().kernel(rows)

    def shifted(self, gamma, sigma):
        return replace(self, gamma=float(gamma), sigma=float(sigma))


@dataclass(frozen=True)
class KrylovSystem(System):
    """Any space and any G, by conjugate gradients in the inner product of the space.

    Parameters
    ----------
    space : Space
    gamma : float
    form : QuadraticForm
        G. Its weights act on the readout.
    nearby : System, optional
        A similar system with cheap solutions: the preconditioner.
    """

    space: Space = field(repr=False)
    gamma: float
    form: QuadraticForm = field(repr=False)
    nearby: System | None = field(default=None, repr=False)  # type: ignore[misc]
    direct = factored = False

    def solve(self, R):
        rhs, nearby = self.space.element(R), self.nearby
        found, _ = conjugate_gradient(
            self.space,
            self._apply,
            rhs,
            tol=1e-11 * rhs.norm,
            precondition=(lambda r: nearby.solve(r.coef)) if nearby else None,
        )
        return found.forget()

    def _apply(self, v: Element) -> Element:
        loss, smooth = self.form.parts()
        r_loss = loss.apply(v.readout) if len(loss.rows) else 0.0
        pulled = self.space.represent(smooth.apply(v.values), r_loss)
        return self.space.element(self.gamma * self.space.penalty * v.coef + pulled)


def closed_form(space: Space, gamma_A: float, form: QuadraticForm, columns: Any = None) -> System:
    """The system by normal equations where the space has few coefficients, else by iteration.

    ``columns`` maps a slice to these columns of Φ, where the caller has them.
    """
    few = space.n_coef <= min(FEW_COEFFICIENTS, space.n_points)
    make = partial(DensePencil, partial(normal_matrix, space, form, columns)) if few else None
    return by_pencil(space, gamma_A, form, make)


def by_pencil(space: Space, gamma_A: float, form: QuadraticForm, make: Any = None) -> System:
    """The system by the pencil that ``make`` returns, or by iteration without ``make``.

    For G = 0 the system is γ_A I, and neither is needed.
    """
    if not form.lam and not len(form.rows):
        return PencilSystem(space, NoPenalty(space), float(gamma_A))
    if make:
        return PencilSystem(space, make(), float(gamma_A))
    return KrylovSystem(space, gamma_A, form)


def normal_matrix(space: Space, form: QuadraticForm, columns=None, most=128) -> np.ndarray:
    """Φ*GΦ, (m, m), computed for ``most`` columns at a time to limit the memory.

    ``columns`` maps a slice to these columns of Φ, where the caller has them.
    """
    m = space.n_coef
    require_bytes(
        8.0 * (3 * m * m + 4 * most * space.n_points),
        f"The normal equations of {m} functions over {space.n_points} values",
        "Use fewer landmarks: space=Landmarks(300).",
    )
    out = np.empty((m, m))
    for some in batches(m, most):
        unit = columns or (lambda at: space.evaluate(unit_columns(np.arange(m)[at], m)))
        out[:, some] = space.represent(form.apply(unit(some)), 0.0)
    return out
