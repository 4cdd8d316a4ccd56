"""From n points to the l labelled ones: the representer theorem of the deformed space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels import Precomputed
from ..linalg.memory import require_bytes
from ..objective import Objective
from ..regularizers import ZeroOperator
from ..spaces import (
    Coregularized,
    Deformed,
    Exact,
    Space,
    Views,
    WithIntercept,
    WithIntrinsic,
    core_of,
)
from .krylov import conjugate_gradient


@dataclass(frozen=True)
class Reduced:
    """The same problem over the labelled points, and the way back.

    Attributes
    ----------
    objective : Objective
        Over the l × l Gram matrix of the deformed kernel; its M is zero.
    sections : array of shape (m, l)
        Coefficients in the original space of k̃(·, x_i), i labelled.
    """

    objective: Objective
    sections: np.ndarray

    @property
    def gram(self) -> np.ndarray:
        return core_of(self.objective.space)[0].gram  # type: ignore[attr-defined]

    def lift(self, coef: np.ndarray) -> np.ndarray:
        """Coefficients in the original space, the intercept row carried along."""
        l = self.sections.shape[1]
        return np.vstack([self.sections @ coef[:l], coef[l:]])


def reduce(objective: Objective, tol: float = 1e-10, max_iter: int = 5000) -> Reduced:
    """The minimiser is Σ_{i labelled} β_i k̃(·, x_i), whatever the loss (MR §4.4, eq. 10).

    One factorisation of order n (an exact space) or one batch of conjugate gradients (any
    other) gives the sections; everything else then costs l² and l³.
    """
    core, intercept = core_of(objective.space)
    sections = _sections(objective, core, tol, max_iter)
    gram = core.readout(core.element(sections))[objective.rows]
    gram = 0.5 * (gram + gram.T)
    small: Space = Exact(gram, Precomputed(), None)
    small = WithIntercept(small) if intercept else small
    operator = ZeroOperator(len(gram))
    return Reduced(
        Objective(
            objective.loss, objective.y, objective.w, small, operator, objective.gamma_A, 0.0
        ),
        sections,
    )


def _sections(objective: Objective, core: Space, tol: float, max_iter: int) -> np.ndarray:
    ratio = objective.lam / objective.gamma_A
    if isinstance(core, Exact):
        return Deformed(core, objective.operator, ratio).sections(objective.rows)
    if isinstance(core, Views | WithIntrinsic):
        return Coregularized(core, objective.operator, ratio).sections(objective.rows)
    l = len(objective.rows)
    # Conjugate gradients keep about seven blocks of values and six of coefficients.
    require_bytes(
        8 * l * (7 * core.n_points + 6 * core.n_coef),
        f"One function for each of {l} labelled points over {core.n_points} points",
        "Use a smooth loss such as 'squared_hinge', or fewer labelled rows.",
    )
    unit = np.zeros((objective.n_rows, l))
    unit[objective.rows, np.arange(l)] = 1.0
    rhs = core.element(core.represent(np.zeros_like(unit), unit))
    if not ratio:
        return rhs.coef
    none = np.zeros_like(unit)

    def apply(v):
        pulled = core.represent(ratio * objective.operator.apply(v.values), none)
        return core.element(v.coef + pulled)

    result = conjugate_gradient(core, apply, rhs, tol=tol * core.norm(rhs), max_iter=max_iter)
    return result.x.coef
