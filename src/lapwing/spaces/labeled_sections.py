"""Functions of a fit without a graph: one kernel section at each labeled row, and nothing n × l."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..kernels import Kernel
from .exact import expand
from .features import Features
from .landmarks import LandmarkMap


class LabeledSections(Features):
    """f = Σ_{i labeled} c_i k(x_i, ·): all of H where M is nothing and the loss sees these rows.

    The features φ(x) = C⁻¹ k(labeled rows, x) are held at the labeled rows alone, (l, r). Values at
    all n rows are computed in blocks when they are asked for.

    Parameters
    ----------
    rows : integer array of shape (l,)
        The labeled rows.
    kernel : Kernel
    X : array or CSR matrix of shape (n, d)
    """

    def __init__(self, rows: np.ndarray, kernel: Kernel, X):
        self.rows, self.X = rows, X
        self.feature_map: LandmarkMap = LandmarkMap(kernel, X[rows])
        self.n_points, self.n_coef = X.shape[0], self.feature_map.rank

    @cached_property
    def Z(self):
        """φ at the labeled rows, (l, r)."""
        return self.feature_map.at(self.X[self.rows])

    def evaluate(self, coef):
        return self.evaluate_at(self.X, coef)

    def evaluate_at(self, X, coef):
        phi = self.feature_map
        return expand(phi.kernel, X, phi.landmarks, phi.sections(coef))

    def represent(self, r_M, r_loss):
        r = r_M + r_loss
        some = np.flatnonzero(np.any(r != 0, axis=1))
        return self._at(some).T @ r[some]

    def _at(self, rows: np.ndarray) -> np.ndarray:
        """φ at some of the rows; held where all of them are labeled."""
        place = np.searchsorted(self.rows, rows)
        place[place == len(self.rows)] = 0
        held = len(self.rows) > 0 and np.array_equal(self.rows[place], rows)
        return self.Z[place] if held else self.feature_map.at(self.X[rows])

    def _normal_matrix(self, form):
        """ZᵀGZ, from the rows that the loss sees; M is nothing here."""
        Z = self._at(form.rows)
        U = Z.T @ form.off
        return (Z * form.weights[:, None]).T @ Z - U @ U.T
