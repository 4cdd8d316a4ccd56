"""(γ_A/n + G) g = r on the points of a graph, by conjugate gradients with a coarse level."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..linalg.conjugate_gradients import same, solve_columns
from ..linalg.panels import add_multiple
from ..linalg.quadratic_form import QuadraticForm
from ..linalg.smooth_modes import EXACT, FEW_DIGITS
from ..linalg.two_level import TwoLevel
from ..operators import Operator
from .deformation import PlainDeformation
from .galerkin import GLANCE, ROUGH, Galerkin
from .modal import EVERY_DIGIT, FEW_POINTS
from .sections import Sections, SectionSystem
from .systems import CallableSystem, System

if TYPE_CHECKING:
    from .graph_values import GraphValuesSpace

EARLY_STOPPED = 1e-3
"""The certificate at which the answers of a graph no longer change: decision 0109."""

FEW_LABELS = 128
"""The most labels for which one section per label is computed. It then costs no more than conjugate
gradients for ten columns: both take 3.5 s with 100 labels of 70,000 images, and sections have three
more digits."""

CLOSED_LABELS, CLOSED_ENTRIES = 400, 2**25
"""The same where sections are in closed form, with the most entries of all of them (n × labels; 270
megabytes). 200 labels of 30,000 points on a surface: 2.4 s, conjugate gradients 1.3 s with values
that are 5 % of the largest one off, and 4.2 s with 0.06 %."""


class PointSolver:
    """A = γ_A/n + G, solved by conjugate gradients: an :class:`~.galerkin.Engine`.

    The iterations take the points in the order in which products with M are fast. The
    preconditioner is built when it is first needed.

    Parameters
    ----------
    space : GraphValuesSpace
    gamma_A : float
        The weight of ‖g‖².
    form : QuadraticForm
        G.
    tols : (float, float)
        As for any engine.
    dtype : numpy type
        The type of the iterations. With float32, a caller that needs a residual below ``ROUGH``
        refines.
    """

    gram: Any = ()

    def __init__(
        self,
        space: GraphValuesSpace,
        gamma_A: float,
        form: QuadraticForm,
        tols: tuple[float, float] = (0.01 * EVERY_DIGIT, 0.01 * EVERY_DIGIT),
        dtype: Any = np.float64,
    ):
        self.space, self.form, self.tols, self.dtype = space, form, tols, dtype
        self.order, self.near = form.near()
        self.ridge = gamma_A / space.n_points
        lent = float(form.w.max(initial=0.0))
        self.least = self.ridge / (self.ridge + lent) if lent else 1.0

    def apply(self, C, F):
        """A F."""
        return self._plus_ridge(self.form, F)

    def step(self, R: np.ndarray) -> np.ndarray:
        """About A⁻¹ R by one step of the preconditioner; R itself where there is none."""
        return self._placed(self._precondition(R[self.order]))

    def rough(self, R, tol):
        """About A⁻¹R, each column to its tolerance. Coefficients and values are the same array."""
        scale = np.where(R.any(axis=0), np.abs(R).max(axis=0), 1.0)
        right = (R / scale).astype(self.dtype)[self.order]
        tol = tol if self.dtype == np.float64 else np.maximum(tol, ROUGH)
        apply = partial(self._plus_ridge, self.near)
        C = solve_columns(apply, right, tol, precondition=self._precondition)
        C = self._placed(C).astype(np.float64) * scale
        return C, C

    @cached_property
    def _precondition(self) -> Callable[[np.ndarray], np.ndarray]:
        smooth = self.form.lam and self.ridge
        coarse = self.space.coarse(self.near.operator) if smooth else None
        return TwoLevel(coarse, self.near, self.ridge) if coarse else same

    def _plus_ridge(self, form: QuadraticForm, V: np.ndarray) -> np.ndarray:
        out = form.apply(V)
        add_multiple(out, self.ridge, V)
        return out

    def _placed(self, V: np.ndarray) -> np.ndarray:
        out = np.empty_like(V)
        out[self.order] = V
        return out


def point_system(space: GraphValuesSpace, gamma_A: float, form: QuadraticForm) -> System:
    """(γ_A/n + G) g = r/n, solved in float32. A caller that needs more digits refines.

    Its ``nearby`` is one step of the preconditioner, for callers that iterate.
    """
    solver, n = PointSolver(space, gamma_A, form, dtype=np.float32), space.n_points

    def solve(R):
        return space.element(*solver.rough(R / n, 0.3 * EARLY_STOPPED))

    cheaper = CallableSystem(space, lambda R: space.element(solver.step(R / n)), factored=False)
    return CallableSystem(space, solve, factored=False, cheaper=cheaper)


class PointDeformation(PlainDeformation):
    """K̃ = (γ_A/n + λM)⁻¹ at few rows, from one function per row.

    The functions come from :class:`~.modal.ModalSections` where M is a polynomial of the Laplacian
    of a graph, else from :class:`~.galerkin.Galerkin`. Along functions that neither penalty sees,
    K̃ itself has few correct digits. The matrix that a loss sees, S = (K̃⁻¹ + v)⁻¹, has many.

    Parameters
    ----------
    space : GraphValuesSpace
    operator : Operator
        M.
    gamma_A, lam : float
        γ_A and λ, the weights of ‖g‖² and of M.
    tols : (float, float)
        Residuals of the sections, and of the function that is returned. The error of the sections
        enters S squared.
    """

    COMPARED = (GLANCE, GLANCE)
    """Tolerances for comparing settings only, on many points. The leave-one-out losses then differ
    by less than 1 % from those at 3e-3 (20,000 images, 100 labels, L and L²), in two thirds of the
    time. On few points they can be wrong by half and cost nothing: there it is a tenth of that."""
    components: Any = ()

    def __init__(
        self,
        space: GraphValuesSpace,
        operator: Operator,
        gamma_A: float,
        lam: float,
        tols: tuple[float, float] = (3.0 * EARLY_STOPPED, 0.3 * EARLY_STOPPED),
    ):
        few = space.n_points <= FEW_POINTS
        compared = tols[0] >= GLANCE
        rough = {"tols": (0.1 * GLANCE,) * 2 if few else tols, "dtype": np.float32}
        how: dict[str, Any] = {} if few and not compared else rough  # every digit of few points

        def make(lent):
            return PointSolver(space, gamma_A, QuadraticForm(operator, lam, lent), **how)

        known = space.modal(operator, gamma_A, lam, FEW_DIGITS if compared else EXACT)
        self.kept: Sections = known or Galerkin(make, space.n_points)

        def by_iteration(R):
            if known:
                return known.solve(R)
            solver = PointSolver(space, gamma_A, QuadraticForm(operator, lam))
            return solver.rough(R, solver.tols[1])

        system = SectionSystem(space, self.kept, by_iteration, float(space.n_points), False)
        super().__init__(space, operator, gamma_A, lam, system)

    def _coupled(self):
        return TypeError(
            "With space='graph' functions live at the training points alone: variances, novelty "
            "and abstention need another space, such as 'exact' or 'landmarks'."
        )

    def beside(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """K̃ between the rows ``others`` and ``rows``, (m, l), to the few digits of the sections."""
        self.kept.gram(np.asarray(rows))
        return self.kept.columns(others, np.asarray(rows))
