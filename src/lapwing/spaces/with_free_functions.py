"""A space with functions that have no penalty: the intercept, or one constant per group."""

import numpy as np

from ..linalg.quadratic_form import QuadraticForm
from .base import Element, Space, scalar
from .labeled_kernel import FreeFunctions
from .mixing import OutputMixing
from .systems import CallableSystem, KrylovSystem, System
from .wrapped import Wrapped


class WithFreeFunctions(Wrapped):
    """(f, b): M sees f, the loss sees f + E b, and ‖f‖² does not contain b (MR §4.4).

    The coefficients are those of the wrapped space, with b as g more rows: (m + g, t). The
    intercept is the case of one group with all rows, E = 1.

    Parameters
    ----------
    space : Space
    E : array of shape (n, g), optional
        E_ig = 1 where row i belongs to group g. None is the intercept, which new points have too.
    """

    def __init__(self, space: Space, E: np.ndarray | None = None):
        super().__init__(space)
        self.E = np.ones((space.n_rows, 1)) if E is None else E
        self.intercept = E is None
        self.g = self.E.shape[1]

    @property
    def n_coef(self):
        return self.space.n_coef + self.g

    @property
    def penalty(self):
        counted = np.ones((self.space.n_coef, 1)) * self.space.penalty
        return np.vstack([counted, np.zeros((self.g, counted.shape[1]))])

    @property
    def mixing(self):
        inner = self.space.mixing
        if not inner.related:
            return inner
        columns = WithFreeFunctions(scalar(self.space), None if self.intercept else self.E)
        return OutputMixing(inner.matrix, inner.inverse, columns)

    @property
    def free(self):
        return np.hstack([self.space.free, self.E])

    def down(self, coef):
        return coef[: self.space.n_coef]

    def readout(self, e):
        return super().readout(e) + self.E @ e.coef[self.space.n_coef :]

    def evaluate_at(self, X, coef):
        return super().evaluate_at(X, coef) + self._at(X) @ coef[self.space.n_coef :]

    def _at(self, X) -> np.ndarray:
        if not self.intercept:
            raise TypeError("New points belong to no group: lift the coefficients first.")
        return np.ones((X.shape[0], 1))

    def represent(self, r_M, r_loss):
        pulled = self.space.represent(r_M, r_loss)
        sums = np.zeros((self.g, pulled.shape[1])) if np.isscalar(r_loss) else self.E.T @ r_loss
        return np.vstack([pulled, sums])

    def inner(self, a: Element, b: Element):
        functions = super().inner(a, b)
        constants = (a.coef[self.space.n_coef :] * b.coef[self.space.n_coef :]).sum(axis=0)
        return functions + (constants if len(functions) == len(constants) else constants.sum())

    @property
    def functions(self) -> FreeFunctions:
        """The free functions E, to be added beside K̃ of the wrapped space."""
        return FreeFunctions(self.E, self._at, lambda *parts: np.vstack(parts))

    def deformed(self, operator, gamma_A, lam):
        return self.space.deformed(operator, gamma_A, lam).with_free(self.functions)

    def system(self, gamma_A, form, n_shifts=1) -> System:
        if not len(form.rows):  # no term of the system contains b
            return KrylovSystem(self, gamma_A, form)
        inner = self.space.system(gamma_A, form.without(self.E), n_shifts)
        nearby = inner.nearby
        cheaper = None if nearby in (None, inner) else self._eliminated(form, nearby)
        if not inner.direct:
            return KrylovSystem(self, gamma_A, form, cheaper)
        return self._eliminated(form, inner, cheaper)

    def _eliminated(self, form: QuadraticForm, inner: System, cheaper=None) -> System:
        WE, g = form.w[:, None] * self.E, self.g
        inverse = np.linalg.pinv(self.E.T @ WE, hermitian=True)

        def solve(R):
            """f first, with the loss centered; then b fits the residuals of f."""
            first = inverse @ R[-g:]
            f = inner.solve(R[:-g] - self.space.represent(0.0, WE @ first))
            b = first - inverse @ (WE.T @ self.space.readout(f))
            return Element(self, np.vstack([f.coef, b]), source=f)

        return CallableSystem(self, solve, inner.factored, cheaper)
