"""A space over more points than rows: the penalty sees all points, the loss the first n."""

import numpy as np

from .base import NOT_HELD, SameAs, Space
from .systems import KrylovSystem, System, WrappedSystem
from .wrapped import Wrapped


class WithExtraPoints(Wrapped):
    """f over N ≥ n points. The first n points are the rows of the problem.

    M sees all N values, such as those at transformed rows. The readout has the n rows. By the
    representer theorem, the minimizer is spanned by the sections of all N points.

    Parameters
    ----------
    space : Space
        The space over N points. Each point is a row of its readout.
    n : int
        The number of rows.
    """

    gram = NOT_HELD  # the wrapped space may store one, over all N points
    n_rows = SameAs("n")

    def __init__(self, space: Space, n: int):
        super().__init__(space)
        self.n = n

    @property
    def free(self):
        return self.space.free[: self.n]

    def readout(self, e):
        return super().readout(e)[: self.n]

    def represent(self, r_M, r_loss):
        if not np.isscalar(r_loss):  # zeros at the points that are no rows
            below = np.zeros((self.n_points - self.n, r_loss.shape[1]))
            r_loss = np.concatenate([r_loss, below])
        return self.space.represent(r_M, r_loss)

    def system(self, gamma_A, form, n_shifts=1) -> System:
        # the weights of the form belong to the first n points
        found = self.space.system(gamma_A, form, n_shifts)
        return WrappedSystem(self, found) if found.direct else KrylovSystem(self, gamma_A, form)
