"""(ridge + λ p(L))⁻¹ on a graph of low dimension: a sparse factor, and the null space apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from .smooth_modes import Inverse, SmoothModes
from .sparse import in_order, local_order

NARROW = 8.0
"""Bandwidth over √n, in the best order found, up to which a factor stays sparse. Curves and
surfaces in space have 2.5 to 4.4 at 20,000 and 100,000 rows, and are factored in 0.1 to 6 s. Clouds
in three dimensions have 9 and 13, in eight dimensions 25 and 70."""

HIGHEST = 3
"""The highest power of L in a matrix that is factored."""


def is_narrow(L: sp.csr_array) -> bool:
    """Whether neighbors lie near each other in some order, as on curves and surfaces.

    Examples
    --------
    >>> chain = sp.diags_array([[1.0] * 99] * 2, offsets=[-1, 1])
    >>> is_narrow(sp.csr_array(chain)), is_narrow(sp.csr_array(np.ones((100, 100))))
    (True, False)
    """
    i, j = in_order(L, local_order(L)).tocoo().coords
    return bool(np.abs(i - j).max(initial=0) <= NARROW * np.sqrt(L.shape[0]))


class FactorInverse(Inverse):
    """A⁻¹ for A = ridge + λ p(L): 1/ridge along the null space of L, a sparse factor elsewhere.

    Parameters
    ----------
    modes : SmoothModes
        The null space of L only.
    coefficients : sequence of float
        The coefficients of A as a polynomial in L, the constant first.
    """

    def __init__(self, modes: SmoothModes, coefficients: Sequence[float] | np.ndarray):
        super().__init__(modes, coefficients)
        # the null space is known apart: a ridge that rounding would lose only makes A singular
        largest = self.coefficients[1:] @ modes.top ** np.arange(1, len(self.coefficients))
        ridge, power = max(self.coefficients[0], 1e-13 * largest), sp.eye_array(self.n)
        A = ridge * power
        for c in self.coefficients[1:]:
            power = modes.L @ power
            A = A + c * power
        how: dict[str, Any] = {"permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0}
        self._factor = splu(sp.csc_matrix(A), options={"SymmetricMode": True}, **how)

    def rest(self, R, tol=0.0):
        return self._without_modes(self._factor.solve(self._without_modes(R)))
