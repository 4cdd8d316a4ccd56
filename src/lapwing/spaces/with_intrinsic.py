"""Views, and beside each an intrinsic function on the training points alone (MV's CoMR)."""

from collections.abc import Sequence

import numpy as np

from ..linalg.resolvents.base import BlockApply
from ..operators import RelaxedOperator
from .base import Element, Space
from .deformation import CallableSystem, System
from .views import Views


class WithIntrinsic(Space):
    """(f^1 … f^m, g^1 … g^m): f^j in S_j, g^j any values at the rows that view j has.

    M sees all 2m of them stacked; the loss sees Σ_j a_j ((1 − a_I) f^j + a_I g^j); ‖·‖² counts
    the f^j only. With a_I ≠ 0 the readout exists at the training rows alone.

    Parameters
    ----------
    views : Views
    a_I : float
        Weight of the intrinsic functions in the readout.

    References
    ----------
    MV, "Manifold Co-Regularization".
    """

    def __init__(self, views: Views, a_I: float):
        self.views = views
        self.a_I = a_I
        self.n_points = 2 * views.n_points
        self.n_coef = views.n_coef + views.n_points

    @property
    def n_rows(self):
        return self.views.n_rows

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

    def penalized(self, coef):
        f, g = self._split(coef)
        return np.vstack([self.views.penalized(f), np.zeros_like(g)])

    def _split(self, coef: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return coef[: self.views.n_coef], coef[self.views.n_coef :]

    def _ambient(self, e: Element) -> Element:
        return Element(self.views, self._split(e.coef)[0], source=e, at=slice(self.views.n_points))

    def system(self, gamma_A, form):
        if form.w is not None:
            return None
        B = self.views.kernels
        coupling = form.operator.eliminated()
        if B is None or coupling is None:
            return None
        return self._eliminated(gamma_A, form.lam, *coupling)

    def _eliminated(self, gamma_A, lam, ambient, strength: float, intrinsic: Sequence) -> System:
        """With g^j eliminated, f^j is penalized by Q_j = N_j (I + N_j/c)⁻¹ = R_j N_j, and

            g^j = R_j f^j + R_j r_j/(λ c), r_j being what the loss asks of g^j.

        No inverse of N_j is needed, hence no ridge where N_j is singular.

        Parameters
        ----------
        gamma_A, lam : float
        ambient : callable
            (B, scale, own penalties) ↦ the resolvent of what is left on the f^j.
        strength : float ≥ 0
            c; 0 leaves nothing that asks for g.
        intrinsic : sequence of PSDOperator
            N_j.
        """
        views = self.views
        borne = [RelaxedOperator(N, 1.0 / strength) for N in intrinsic] if strength else []
        own: list = [R.apply for R in borne] or [None] * len(intrinsic)
        on_f = views.coupled(gamma_A, ambient(views.kernels, lam / gamma_A, own))
        smooth = BlockApply([R.smooth for R in borne], views.value_slices)

        def solve(R):
            r_f, r_g = self._split(R)
            if not strength:
                return self.element(np.vstack([on_f.solve(r_f).coef, np.zeros_like(r_g)]))
            smoothed = smooth(r_g)
            f = on_f.solve(r_f + views.represent(smoothed, 0.0))
            return self.element(np.vstack([f.coef, smooth(f.values) + smoothed / (lam * strength)]))

        return CallableSystem(solve)

    def pencil(self, form, n_shifts):
        return None

    # The readout's own kernel: that of the views, as g has no part in it where a_I = 0.

    def prior(self, X, Z=None):
        return self._inductive().prior(X, Z)

    def prior_diagonal(self, X):
        return self._inductive().prior_diagonal(X)

    def sections(self, X):
        f = self._inductive().sections(X)
        return np.vstack([f, np.zeros_like(f)])

    def dual(self, coef):
        f = self.views.dual(self._split(coef)[0])
        return None if f is None else np.vstack([f, np.zeros((self.views.n_points, f.shape[1]))])

    def _inductive(self) -> Views:
        if self.a_I != 0:
            raise ValueError(
                f"With a_I = {self.a_I:g} half of the answer lives at the training rows alone: "
                "variances, novelty and abstention need a_I=0."
            )
        return self.views
