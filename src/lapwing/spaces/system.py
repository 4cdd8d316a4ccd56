"""(γ P + Φ*GΦ) c = r: the linear systems of a space, by the ways there are to solve them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from ..linalg.form import Form
from ..linalg.pencil import Pencil
from .element import Element
from .krylov import conjugate_gradient

if TYPE_CHECKING:
    from .base import Space

KRYLOV_TOL, KRYLOV_STEPS = 1e-11, 5000


class System(ABC):
    """γ P + Φ*GΦ of a space, ready to be solved for many right-hand sides.

    Attributes
    ----------
    factored : bool
        Whether a solution costs little beside the factor: False for iterations.
    """

    factored = True

    @abstractmethod
    def solve(self, R: np.ndarray) -> Element:
        """The function with coefficients c, (m, t)."""

    def sections(self, rows: np.ndarray) -> Element | None:
        """The solutions for r = Φ*e_i, i among the rows, by a shorter way; else None."""
        return None

    def kernel(self, rows: np.ndarray) -> np.ndarray | None:
        """Φ (γ P + Φ*GΦ)⁻¹ Φ* among the rows, (l, l), where it is at hand; else None."""
        return None


class PencilSystem(System):
    """One member γ I + σ Φ*GΦ of a pencil."""

    def __init__(self, space: Space, pencil: Pencil, gamma: float, sigma: float = 1.0):
        self.space = space
        self.pencil = pencil
        self.gamma = float(gamma)
        self.sigma = float(sigma)

    def solve(self, R):
        one = np.ones(R.shape[1])
        a, f = self.pencil.solve(self.gamma * one, self.sigma * one, R)
        return Element(self.space, a, f)

    def sections(self, rows):
        found = self.pencil.sections(self.gamma, self.sigma, rows)
        return None if found is None else self.space.element(found)

    def kernel(self, rows):
        return self.pencil.kernel(self.gamma, self.sigma, rows)


class Division(System):
    """γ I: no penalty but the norm."""

    def __init__(self, space: Space, gamma: float):
        self.space = space
        self.gamma = gamma

    def solve(self, R):
        return self.space.element(R / self.gamma)


class KrylovSystem(System):
    """Any space and any G, by conjugate gradients in the space's metric.

    Parameters
    ----------
    space : Space
    gamma : float
    form : Form
        G; its weights act on the readout.
    nearby : System, optional
        A system like this one that can be solved: the preconditioner.
    """

    factored = False

    def __init__(self, space: Space, gamma: float, form: Form, nearby: System | None = None):
        self.space = space
        self.gamma = gamma
        self.form = form
        self.nearby = nearby

    def solve(self, R):
        space, rhs = self.space, self.space.element(R)
        nearby = self.nearby
        return conjugate_gradient(
            space,
            self._apply,
            rhs,
            tol=KRYLOV_TOL * space.norm(rhs),
            max_iter=KRYLOV_STEPS,
            precondition=None if nearby is None else lambda r: nearby.solve(r.coef),
        ).x.forget()

    def _apply(self, v: Element) -> Element:
        pulled = self.space.represent(self.form.apply(v.values), 0.0)
        return self.space.element(self.gamma * self.space.penalized(v.coef) + pulled)
