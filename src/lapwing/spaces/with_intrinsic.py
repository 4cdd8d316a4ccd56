"""Views, and beside each an intrinsic function on the training points alone (MV's CoMR)."""

from __future__ import annotations

import numpy as np

from .base import Element, Space
from .views import Views, combine


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

    def evaluate(self, coef):
        f, g = self._split(coef)
        return np.vstack([self.views.evaluate(f), g])

    def readout(self, e):
        half = self.views.n_points
        ambient = self._combine(e.values[:half])
        if self.a_I == 0:
            return ambient
        return (1.0 - self.a_I) * ambient + self.a_I * self._combine(e.values[half:])

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
        f = self.views.represent(r_M[:half], (1.0 - self.a_I) * r_loss)
        return np.vstack([f, r_M[half:] + self.a_I * self._spread(r_loss)])

    def inner(self, a: Element, b: Element):
        g = np.einsum("it,it->t", self._split(a.coef)[1], self._split(b.coef)[1])
        return self.views.inner(_Ambient(self.views, a), _Ambient(self.views, b)) + g

    def penalized(self, coef):
        f, g = self._split(coef)
        return np.vstack([self.views.penalized(f), np.zeros_like(g)])

    def _split(self, coef: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return coef[: self.views.n_coef], coef[self.views.n_coef :]

    def _combine(self, stacked: np.ndarray) -> np.ndarray:
        parts = [stacked[at] for at in self.views.value_slices]
        return combine(parts, self.views.points, self.views.weights)

    def _spread(self, r: np.ndarray) -> np.ndarray:
        """The adjoint of ``_combine``."""
        views = self.views
        return np.vstack(
            [views.weights[rows, j, None] * r[rows] for j, rows in enumerate(views.rows)]
        )


class _Ambient(Element):
    """The ambient functions of an element, with its values."""

    __slots__ = ("_whole",)

    def __init__(self, views: Views, whole: Element):
        super().__init__(views, whole.coef[: views.n_coef])
        self._whole = whole

    @property
    def values(self) -> np.ndarray:
        return self._whole.values[: self.space.n_points]
