"""Views, each with an intrinsic function on the training points (CoMR of MV)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..linalg.memory import require_bytes
from ..linalg.quadratic_form import QuadraticForm
from ..linalg.resolvents.base import stacked
from ..operators import MatrixOperator, Operator, RelaxedOperator
from .base import Element, SameAs, Space
from .systems import CallableSystem, KrylovSystem, System
from .views import Views, ViewsCovariance


class Eliminated(NamedTuple):
    """M = (A, B; Bᵀ, D) without g: A − B D⁺ Bᵀ, and the products with B D⁺, D⁺ Bᵀ and D⁺."""

    left: Operator
    across: Callable[[np.ndarray], np.ndarray]
    back: Callable[[np.ndarray], np.ndarray]
    inverse: Callable[[np.ndarray], np.ndarray]


class WithIntrinsic(Space):
    """(f^1 … f^m, g^1 … g^m): f^j in S_j, g^j any values at the rows that have view j.

    M sees the values of all 2m functions stacked. The loss sees Σ_j a_j ((1 − a_I) f^j + a_I g^j).
    The norm contains the f^j only. With a_I ≠ 0 the readout exists at the training rows only.

    Parameters
    ----------
    views : Views
    a_I : float
        The weight of the intrinsic functions in the readout.

    References
    ----------
    MV, "Manifold Co-Regularization".
    """

    n_rows = SameAs("views.n_rows")

    def __init__(self, views: Views, a_I: float):
        self.views = views
        self.a_I = a_I
        self.n_points = 2 * views.n_points
        self.n_coef = views.n_coef + views.n_points

    def evaluate(self, coef):
        f, g = self._split(coef)
        return np.vstack([self.views.evaluate(f), g])

    def readout(self, e):
        half = self.views.n_points
        ambient = self.views.combine(e.values[:half])
        if self.a_I == 0:
            return ambient
        return (1.0 - self.a_I) * ambient + self.a_I * self.views.combine(e.values[half:])

    def evaluate_at(self, X, coef):
        if self.a_I != 0:
            raise ValueError(
                f"With a_I = {self.a_I:g} the prediction is defined at the training rows only "
                "(the intrinsic functions live there), and X holds other rows. Use a_I=0 to "
                "predict everywhere, or predict_views(X) for the ambient functions."
            )
        return self.views.evaluate_at(X, self._split(coef)[0])

    def represent(self, r_M, r_loss):
        half = self.views.n_points
        f, g = (0.0, 0.0) if np.isscalar(r_M) else (r_M[:half], r_M[half:])
        if not np.isscalar(r_loss):
            spread = self.views.spread(r_loss)
            f, g = f + (1.0 - self.a_I) * spread, g + self.a_I * spread
        return np.vstack([self.views.represent(f, 0.0), g])

    def inner(self, a: Element, b: Element):
        g = np.einsum("it,it->t", self._split(a.coef)[1], self._split(b.coef)[1])
        return self.views.inner(self._ambient(a), self._ambient(b)) + g

    @property
    def penalty(self):
        return np.vstack([self.views.penalty, np.zeros((self.views.n_points, 1))])

    def _split(self, coef: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return coef[: self.views.n_coef], coef[self.views.n_coef :]

    def _ambient(self, e: Element) -> Element:
        return Element(self.views, self._split(e.coef)[0], source=e, at=slice(self.views.n_points))

    def system(self, gamma_A, form, n_shifts=1) -> System:
        """The system without g: M = (A, B; Bᵀ, D) over (f, g) penalizes f by A − B D⁺ Bᵀ.

        The other function follows as g = D⁺ (r_g/λ − Bᵀ f). r_g is the part of the right-hand side
        that belongs to g.
        """
        views, by_iteration = self.views, KrylovSystem(self, gamma_A, form)
        coupling = form.operator.eliminated()
        if len(form.rows) or not form.lam or not (coupling or views.kernels):
            return by_iteration
        of = self._structured(*coupling) if coupling else self._complement(form.operator)
        on_f = views.system(gamma_A, QuadraticForm(of.left, form.lam))

        def solve(R):
            r_f, r_g = self._split(R)
            f = on_f.solve(r_f - views.represent(of.across(r_g), 0.0))
            g = of.inverse(r_g) / form.lam - of.back(f.values)
            return self.element(np.vstack([f.coef, g]))

        return CallableSystem(self, solve) if on_f.direct else by_iteration

    def _complement(self, operator: Operator) -> Eliminated:
        """The elimination for any M, by its matrix."""
        half = self.views.n_points
        require_bytes(
            8.0 * 3 * self.n_points**2,
            f"A penalty on the {self.n_points} values of ambient and intrinsic functions",
            "Use coupling=None, whose structure is eliminated without this matrix, or fewer rows.",
        )
        M = operator.toarray()
        A, B, D = M[:half, :half], M[:half, half:], M[half:, half:]
        inverse = self._inverse(D)
        across = B @ inverse
        left = MatrixOperator(A - across @ B.T)
        return Eliminated(left, across.__matmul__, across.T.__matmul__, inverse.__matmul__)

    def _inverse(self, D: np.ndarray) -> np.ndarray:
        """D⁺; ValueError where the loss sees values of g that have no penalty."""
        values, vectors = np.linalg.eigh(D)
        kept = values > len(D) * np.finfo(float).eps * max(values[-1], 0.0)
        if self.a_I and np.abs(self.views.combine(vectors[:, ~kept])).max(initial=0.0) > 1e-8:
            raise ValueError(
                f"The coupling leaves values of the intrinsic functions without a penalty, and the "
                f"loss sees them (a_I={self.a_I:g}): add to their block of M, raise ridge, or use "
                "a_I=0."
            )
        return (vectors[:, kept] / values[kept]) @ vectors[:, kept].T

    def _structured(self, left: Callable, strength: float, intrinsic: Sequence) -> Eliminated:
        """D_j = c + N_j and B_j = −c leave f^j with the penalty N_j (I + N_j/c)⁻¹ = R_j N_j.

        The other function follows as

            g^j = R_j f^j + R_j r_j/(λ c).

        No inverse of N_j is needed. A singular N_j therefore needs no ridge.

        Parameters
        ----------
        left : callable
            Own penalties of the views ↦ the operator on the f^j.
        strength : float ≥ 0
            c. With c = 0 nothing couples f^j and g^j, and g is 0.
        intrinsic : sequence of PSDOperator
            N_j.
        """
        if not strength:
            return Eliminated(left([None] * len(intrinsic)), *[np.zeros_like] * 3)
        borne = [RelaxedOperator(N, 1.0 / strength) for N in intrinsic]
        smooth = stacked([R.smooth for R in borne], self.views.value_slices)
        return Eliminated(
            left(borne), lambda r: -smooth(r), lambda f: -smooth(f), lambda r: smooth(r) / strength
        )

    @property
    def covariance(self):
        """The covariance of the views. g has no part in the readout where a_I = 0."""
        if self.a_I != 0:
            raise ValueError(
                f"With a_I = {self.a_I:g} half of the answer lives at the training rows alone: "
                "variances, novelty and abstention need a_I=0."
            )
        return IntrinsicCovariance(self.views)


class IntrinsicCovariance(ViewsCovariance):
    """The covariance of the views, over twice as many values."""

    def sections(self, X):
        f = super().sections(X)
        return np.vstack([f, np.zeros_like(f)])

    def read(self, X, coef, sections=None):
        return super().read(X, coef[: self.space.n_coef])
