"""A space over more points than there are rows: the penalty sees all, the loss the first n."""

from dataclasses import replace

import numpy as np

from .base import Element, Space


class WithExtraPoints(Space):
    """f over N ≥ n points, with the first n as the rows of the problem.

    M sees all N values, such as those at transformed rows; the readout is that of the n rows. By
    the representer theorem f is spanned by the sections of all N points.

    Parameters
    ----------
    space : Space
        Over N points, each of which is a row of its readout.
    n : int
    """

    def __init__(self, space: Space, n: int):
        self.space = space
        self.n = n
        self.n_points = space.n_points
        self.n_coef = space.n_coef

    @property
    def n_rows(self):
        return self.n

    def base(self, coef):
        return self.space.base(coef)

    def mix(self, base):
        return self.space.mix(base)

    def evaluate(self, coef):
        return self.space.evaluate(coef)

    def readout(self, e):
        return e.values[: self.n]

    def evaluate_at(self, X, coef):
        return self.space.evaluate_at(X, coef)

    def represent(self, r_M, r_loss):
        r_loss = r_loss if np.isscalar(r_loss) else self._padded(r_loss)
        return self.space.represent(r_M, r_loss)

    def _padded(self, rows: np.ndarray | None) -> np.ndarray | None:
        """Zeros below what belongs to the n rows."""
        if rows is None:
            return None
        return np.concatenate([rows, np.zeros((self.n_points - self.n, *rows.shape[1:]))])

    def inner(self, a: Element, b: Element):
        return self.space.inner(a, b)

    def penalized(self, coef):
        return self.space.penalized(coef)

    def pencil(self, form, n_shifts):
        own = replace(form, w=self._padded(form.w), taken=self._padded(form.taken))
        return self.space.pencil(own, n_shifts)

    def prior(self, X, Z=None):
        return self.space.prior(X, Z)

    def prior_diagonal(self, X):
        return self.space.prior_diagonal(X)

    def sections(self, X):
        return self.space.sections(X)

    def dual(self, coef):
        return self.space.dual(coef)
