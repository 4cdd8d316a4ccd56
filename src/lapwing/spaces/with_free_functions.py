"""A space and functions that nothing penalizes: the intercept, or one constant per group."""

import numpy as np

from ..linalg.quadratic_form import QuadraticForm
from .base import Element, Space
from .deformation import CallableSystem, Deformation, System
from .deformations import FreeDeformation


class WithFreeFunctions(Space):
    """(f, b): M sees f, the loss sees f + E b, ‖f‖² does not count b (MR §4.4).

    Coefficients are those of the wrapped space with b as g more rows, (m + g, t). One group of all
    rows, E = 1, is the intercept.

    Parameters
    ----------
    space : Space
    E : array of shape (n, g), optional
        E_ig = 1 where row i is of group g; None is the intercept, which new points have too.
    """

    def __init__(self, space: Space, E: np.ndarray | None = None):
        self.space = space
        self.E = np.ones((space.n_rows, 1)) if E is None else E
        self.intercept = E is None
        self.g = self.E.shape[1]
        self.n_points = space.n_points
        self.n_coef = space.n_coef + self.g
        self.tolerance = space.tolerance

    @property
    def n_rows(self):
        return self.space.n_rows

    def base(self, coef):
        return self.space.base(coef[: -self.g])

    def mix(self, base):
        return self.space.mix(base)

    def evaluate(self, coef):
        return self.space.evaluate(coef[: -self.g])

    def readout(self, e):
        return self.space.readout(self._function(e)) + self.E @ e.coef[-self.g :]

    def evaluate_at(self, X, coef):
        if not self.intercept:
            raise TypeError("New points belong to no group: lift the coefficients first.")
        return self.space.evaluate_at(X, coef[:-1]) + coef[-1]

    def extension(self, answers, known):
        return self.space.extension(answers, known)

    def represent(self, r_M, r_loss):
        pulled = self.space.represent(r_M, r_loss)
        sums = np.zeros((self.g, pulled.shape[1])) if np.isscalar(r_loss) else self.E.T @ r_loss
        return np.vstack([pulled, sums])

    def inner(self, a: Element, b: Element):
        functions = self.space.inner(self._function(a), self._function(b))
        constants = (a.coef[-self.g :] * b.coef[-self.g :]).sum(axis=0)
        return functions + (constants if len(functions) == len(constants) else constants.sum())

    def penalized(self, coef):
        kept = self.space.penalized(coef[: -self.g])
        return np.vstack([kept, np.zeros((self.g, coef.shape[1]))])

    def unpenalized(self, coef):
        return coef[-self.g :]

    def _function(self, e: Element) -> Element:
        return Element(self.space, e.coef[: -self.g], source=e)

    @property
    def gram(self):
        return self.space.gram

    def resolved(self, X):
        return self.space.resolved(X)

    @property
    def free(self):
        return self.E

    @property
    def mixing(self):
        return self.space.mixing

    @property
    def scalar(self):
        return WithFreeFunctions(self.space.scalar, None if self.intercept else self.E)

    def user_coef(self, coef):
        return self.space.user_coef(coef[: -self.g])

    def deformed(self, operator, gamma_A, lam):
        return self.beside(self.space.deformed(operator, gamma_A, lam))

    def kept(self, operator, gamma_A, lam, rows, precise):
        found = self.space.kept(operator, gamma_A, lam, rows, precise)
        return None if found is None else (self.beside(found[0]), found[1])

    def beside(self, inner: Deformation) -> FreeDeformation:
        """K̃ of the wrapped space, however it was made, with the free functions beside it."""
        return FreeDeformation(inner, self.E, lambda *parts: np.vstack(parts), self._at_new)

    def _at_new(self, X) -> np.ndarray:
        if not self.intercept:
            raise TypeError("New points belong to no group.")
        return np.ones((X.shape[0], 1))

    def system(self, gamma_A, form):
        return self._eliminated(form, self.space.system, gamma_A)

    def nearby(self, gamma_A, form):
        return self._eliminated(form, self.space.nearby, gamma_A)

    def _eliminated(self, form: QuadraticForm, ask, gamma_A: float) -> System | None:
        if form.w is None:  # nothing holds b
            return None
        inner = ask(gamma_A, form.without(self.E))
        if inner is None:
            return None
        WE, g = form.w[:, None] * self.E, self.g
        inverse = np.linalg.pinv(self.E.T @ WE, hermitian=True)

        def solve(R):
            """f first, with the loss centered; then b fits what f leaves."""
            first = inverse @ R[-g:]
            f = inner.solve(R[:-g] - self.space.represent(0.0, WE @ first))
            b = first - inverse @ (WE.T @ self.space.readout(f))
            return Element(self, np.vstack([f.coef, b]), source=f)

        return CallableSystem(solve)
