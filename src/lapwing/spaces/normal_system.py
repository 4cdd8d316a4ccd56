"""Views of few functions each: the normal equations of all of them, one Cholesky factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..linalg.blocks import batches
from ..linalg.cholesky import Cholesky
from ..linalg.memory import require_bytes
from ..linalg.quadratic_form import QuadraticForm
from .systems import FEW_COEFFICIENTS, CallableSystem, KrylovSystem, System

if TYPE_CHECKING:
    from .views import Views

COLUMNS = 128
"""Functions that the penalty is applied to at once: their values at all rows are held."""


def normal_system(views: Views, gamma_A: float, form: QuadraticForm) -> System:
    """γ_A c + G⁻¹Zᵀ N Z c = r, G = diag(γ_j), Z the features of all views, N = λM.

    Multiplied by G and scaled by (γ_A G)^{−½} on both sides it is I plus a PSD matrix, of the order
    of the coefficients: a Cholesky factor, and values at n rows are only ever held for a few
    functions at once. By iteration where there are too many coefficients, or where a view holds
    its Gram matrix, whose coefficients have another metric.
    """
    m = views.n_coef
    exact = any(len(space.gram) for space in views.spaces)
    if exact or m > min(FEW_COEFFICIENTS, views.n_points):
        return KrylovSystem(views, gamma_A, form)
    require_bytes(
        8.0 * (3 * m * m + 4 * COLUMNS * views.n_points),
        f"The normal equations of {m} landmarks over {views.n_points} values",
        "Use fewer landmarks: space=Landmarks(300).",
    )
    pieces = zip(views.spaces, views.gammas, strict=True)
    root = np.concatenate([np.full(space.n_coef, gamma_A * g) for space, g in pieces]) ** 0.5
    A = _energy(views, form) * (root[:, None] / (gamma_A * root))
    factor = Cholesky(0.5 * (A + A.T), 1.0)

    def solve(R: np.ndarray):
        z = factor.solve((root / gamma_A)[:, None] * R)
        return views.element(z / root[:, None])

    return CallableSystem(views, solve)


def _energy(views: Views, form: QuadraticForm) -> np.ndarray:
    """G⁻¹ZᵀNZ, a few columns at a time."""
    out = np.empty((views.n_coef, views.n_coef))
    for some in batches(views.n_coef, COLUMNS):
        unit = np.zeros((views.n_coef, some.stop - some.start))
        unit[some] = np.eye(unit.shape[1])
        out[:, some] = views.represent(form.apply(views.evaluate(unit)), 0.0)
    return out
