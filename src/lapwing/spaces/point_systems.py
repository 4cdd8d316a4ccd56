"""(γ_A/n + G) g = r on the points of a graph: conjugate gradients, with cells of points to help."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..linalg.conjugate_gradients import same, solve_columns
from ..linalg.panels import add_multiple
from ..linalg.quadratic_form import QuadraticForm
from ..linalg.two_level import TwoLevel
from ..operators import Operator
from .deformation import PlainDeformation
from .galerkin import GLANCE, ROUGH, Galerkin
from .modal import FEW_POINTS
from .sections import Sections, SectionSystem
from .systems import CallableSystem, System

if TYPE_CHECKING:
    from .graph_values import GraphValuesSpace

EARLY_STOPPED = 1e-3
"""Certificate at which a graph's answers no longer change: decision 0109."""

EVERY_DIGIT = 1e-8
"""The certificate up to ``FEW_POINTS`` points, where every digit is computed."""

FEW_LABELS = 128
"""Labels up to which one section each costs no more than conjugate gradients for ten columns: both
take 3.5 s with 100 labels of 70,000 images, and sections have three more digits."""

SECTION_TOL = 3e-3
"""Residual of one function for each label: its error enters what a loss sees squared."""


class PointSolver:
    """A = γ_A/n + G and its preconditioner, made when first needed.

    Iterations run over the points in the order in which products with M are fast.
    """

    def __init__(self, space: GraphValuesSpace, gamma_A: float, form: QuadraticForm):
        self.space = space
        self.form = form
        self.order, self.near = form.near()
        self.ridge = gamma_A / space.n_points

    def apply(self, V: np.ndarray) -> np.ndarray:
        """A V."""
        return self._plus_ridge(self.form, V)

    def step(self, R: np.ndarray) -> np.ndarray:
        """One step of the preconditioner, about A⁻¹ R; R itself where there is none."""
        return self._placed(self._precondition(R[self.order]))

    def solve(self, B: np.ndarray, tol) -> np.ndarray:
        """A⁻¹ B, each column to its tolerance."""
        return self._placed(
            solve_columns(self._apply_near, B[self.order], tol, precondition=self._precondition)
        )

    @cached_property
    def _precondition(self) -> Callable[[np.ndarray], np.ndarray]:
        smooth = self.form.lam and self.ridge
        coarse = self.space.coarse(self.near.operator) if smooth else None
        return same if coarse is None else TwoLevel(coarse, self.near, self.ridge)

    def _apply_near(self, V: np.ndarray) -> np.ndarray:
        return self._plus_ridge(self.near, V)

    def _plus_ridge(self, form: QuadraticForm, V: np.ndarray) -> np.ndarray:
        out = form.apply(V)
        add_multiple(out, self.ridge, V)
        return out

    def _placed(self, V: np.ndarray) -> np.ndarray:
        out = np.empty_like(V)
        out[self.order] = V
        return out


def point_system(space: GraphValuesSpace, gamma_A: float, form: QuadraticForm) -> System:
    """(γ_A/n + G) g = r/n in float32; who needs more digits refines.

    ``nearby`` is one step of its preconditioner, for callers that iterate.
    """
    solved = PointSolver(space, gamma_A, form)

    def solve(R):
        scale = np.abs(R).max() or 1.0
        found = solved.solve((R / scale).astype(np.float32), 0.3 * EARLY_STOPPED)
        return space.element(found.astype(np.float64) * (scale / space.n_points))

    def one_step(R):
        return space.element(solved.step(R / space.n_points))

    cheaper = CallableSystem(space, one_step, factored=False)
    return CallableSystem(space, solve, factored=False, cheaper=cheaper)


class PointEngine:
    """A = γ_A/n + V + λM of values on the points, by conjugate gradients in float32.

    Where points are few every digit is computed, in float64, unless settings are only compared.
    """

    values_apart = False

    def __init__(
        self,
        space: GraphValuesSpace,
        operator: Operator,
        gamma_A: float,
        lam: float,
        tols: tuple[float, float],
        lent: np.ndarray,
    ):
        few = space.n_points <= FEW_POINTS and tols[0] < GLANCE
        self.solver = PointSolver(space, gamma_A, QuadraticForm(operator, lam, lent))
        self.dtype: Any = np.float64 if few else np.float32
        self.tols = (1e-10, 1e-10) if few else tols
        self.floor = 0.0 if few else ROUGH
        ridge = gamma_A / space.n_points
        self.least = ridge / (ridge + float(lent.max(initial=0.0)))

    def rough(self, R, tol):
        scale = np.abs(R).max(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        right = (R / scale).astype(self.dtype)
        C = self.solver.solve(right, np.maximum(tol, self.floor)).astype(np.float64) * scale
        return C, C

    def apply(self, C, F):
        return self.solver.apply(F)


class PointDeformation(PlainDeformation):
    """K̃ = (γ_A/n + λM)⁻¹ at few rows, by one function for each (:class:`~.galerkin.Galerkin`,
    :class:`~.modal.ModalSections` where M is a polynomial of a graph's L).

    What neither penalty sees K̃ itself knows to few digits; (K̃⁻¹ + v)⁻¹ = S, what a loss sees, to
    many.

    Parameters
    ----------
    space : GraphValuesSpace
    operator : Operator
    gamma_A, lam : float
    tols : (float, float)
        Residuals of the sections, and of the function that is answered.
    """

    COMPARED = (GLANCE, GLANCE)
    """Where settings are only compared: leave-one-out losses then differ by less than 1 % from
    those of 3e-3 (20,000 images, 100 labels, L and L²), in two thirds of the time."""

    def __init__(
        self,
        space: GraphValuesSpace,
        operator: Operator,
        gamma_A: float,
        lam: float,
        tols: tuple[float, float] = (SECTION_TOL, 0.3 * EARLY_STOPPED),
    ):
        make = partial(PointEngine, space, operator, gamma_A, lam, tols)
        known = space.modal(operator, gamma_A, lam)
        self.kept: Sections = Galerkin(make, space.n_points) if known is None else known

        def by_iteration(R):
            if known is not None:
                return known.solve(R)
            plain = PointSolver(space, gamma_A, QuadraticForm(operator, lam))
            return (plain.solve(R.astype(np.float64), 1e-10),)

        system = SectionSystem(space, self.kept, by_iteration, float(space.n_points), False)
        super().__init__(space, operator, gamma_A, lam, system)

    @property
    def components(self):
        return ()

    def _coupled(self):
        return TypeError(
            "With space='graph' functions live at the training points alone: variances, novelty "
            "and abstention need another space, such as 'exact' or 'landmarks'."
        )

    def beside(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """K̃ between other rows and these, (m, l), to the few digits of the sections."""
        self.kept.gram(np.asarray(rows))
        return self.kept.columns(others, np.asarray(rows))
