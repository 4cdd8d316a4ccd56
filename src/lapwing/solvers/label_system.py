"""The normal equations of MT: one small symmetric system per direction between the labels."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dpocon, dpotrf, dpotrs

from ..objective import Objective
from ..spaces import Eigen, LabelCoupled, Space, core_of

EPS = float(np.finfo(float).eps)

SAFE = 1e-10
"""Reciprocal condition number above which a Cholesky factor of the normal equations is trusted."""

RANK = 1e-9
"""Singular values of the labelled eigenvectors below this share of their size count as zero."""


class LabelSystem:
    """(A + γ_M L_m) W = R in the features X = U D, with the rows weighted alike in all columns.

    In the coordinates C = D W of the eigenvectors, A_U = Σ_i w_i u_i u_iᵀ + (γ_I/n²) UᵀMU does
    not see the eigenvalues of K at all, and along the k-th eigenvector of L_m the equation is

        (A_U + γ_M μ_k D⁻²) c_k = D⁻¹ r_k.

    The diagonal may span twenty decades; a Cholesky factor of the matrix scaled to unit diagonal
    does not mind, whereas the eigenvectors of A = D A_U D would be lost. Where μ_k = 0 and A_U is
    singular, the solution of least ‖W‖ is taken.

    Parameters
    ----------
    objective : Objective
        Over an :class:`~lapwing.spaces.Eigen` space, with or without label coupling and
        intercept.
    weights : array of shape (l, 1), optional
        Row weights in place of the objective's; None counts entries that are missing one by one
        as observed with their row's weight.

    References
    ----------
    MT eqs. 2, 3, 6.
    """

    def __init__(self, objective: Objective, weights: np.ndarray | None = None, ridge: float = 0.0):
        self.space, self.laplacian, self.intercept = layers(objective.space)
        self.gamma_M = objective.gamma_A if self.laplacian is not None else 0.0
        self.w = objective.w.max(axis=1, keepdims=True) if weights is None else weights
        self.U = self.space.vectors[objective.rows]
        self.mean = (self.w * self.U).sum(axis=0, keepdims=True) / self.w.sum()
        self.smooth = self._smoothness(objective)
        self._factors: dict[float, tuple[np.ndarray, np.ndarray] | None] = {}

    def _smoothness(self, objective: Objective) -> np.ndarray | None:
        """(γ_I/n²) UᵀMU, or None for 0."""
        if not objective.lam:
            return None
        S = objective.lam * (self.space.vectors.T @ objective.operator.apply(self.space.vectors))
        return 0.5 * (S + S.T)

    @cached_property
    def rows(self) -> np.ndarray:
        """√w_i u_i, centred where an unpenalised intercept absorbs the mean, (l, s)."""
        return np.sqrt(self.w) * (self.U - self.mean if self.intercept else self.U)

    @cached_property
    def size(self) -> float:
        """√tr A_U before centring: what rounding in the centred rows is measured against."""
        squared = float(np.sum(self.w * self.U**2))
        return np.sqrt(squared if self.smooth is None else squared + np.trace(self.smooth))

    @cached_property
    def A_U(self) -> np.ndarray:
        """Σ_i w_i u_i u_iᵀ + (γ_I/n²) UᵀMU, (s, s)."""
        A = self.rows.T @ self.rows
        return A if self.smooth is None else A + self.smooth

    @cached_property
    def label_directions(self) -> tuple[np.ndarray, np.ndarray] | None:
        """γ_M μ and Q with L_m = Q diag(μ) Qᵀ; None where the columns are independent."""
        if self.laplacian is None or not self.gamma_M:
            return None
        mu, Q = scipy.linalg.eigh(self.laplacian)
        mu = np.where(mu > 1e-12 * max(mu[-1], 0.0), mu, 0.0)
        return self.gamma_M * mu, Q

    def solve(self, R: np.ndarray) -> np.ndarray:
        """The coefficients (W, and b as a last row) whose half gradient is R."""
        mean = self.mean.T * self.space.scale[:, None]
        rhs = R[:-1] - mean * R[-1:] if self.intercept else R
        W = self._solve_functions(rhs / self.space.scale[:, None])
        if not self.intercept:
            return W
        return np.vstack([W, R[-1:] / self.w.sum() - mean.T @ W])

    def _solve_functions(self, rhs: np.ndarray) -> np.ndarray:
        if self.label_directions is None:
            return self._shifted(0.0, rhs)
        shifts, Q = self.label_directions
        rotated = rhs @ Q
        W = np.empty_like(rotated)
        for shift in np.unique(shifts):  # equal eigenvalues share a factor
            columns = shifts == shift
            W[:, columns] = self._shifted(float(shift), rotated[:, columns])
        return W @ Q.T

    def _shifted(self, shift: float, rhs: np.ndarray) -> np.ndarray:
        """W = D⁻¹ (A_U + shift D⁻²)⁻¹ rhs, or the solution of least ‖W‖."""
        if not len(rhs):  # K = 0 has no eigenvector to offer
            return rhs
        if shift not in self._factors:
            self._factors[shift] = self._factor(shift)
        factor = self._factors[shift]
        if factor is None:
            return self._least_norm(rhs)
        cholesky, root = factor
        scaled, _ = dpotrs(cholesky, rhs / root[:, None])
        return scaled / (root * self.space.scale)[:, None]

    def _factor(self, shift: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Cholesky of the matrix scaled to unit diagonal, and √diagonal; None where singular.

        LAPACK itself: for the small systems here scipy's wrappers cost more than the work.
        """
        diagonal = self.A_U.diagonal() + shift / self.space.scale**2
        root = np.sqrt(np.maximum(diagonal, 0.0))
        if root.min() <= (0.0 if shift else RANK * self.size):
            return None
        H = np.divide(self.A_U, root, order="F")
        H /= root[:, None]
        # Unique where shifted, however ill-conditioned: rounding must not make it indefinite.
        H.ravel(order="K")[:: len(H) + 1] = 1.0 + (len(H) * EPS if shift else 0.0)
        anorm = 0.0 if shift else np.abs(H).sum(axis=0).max()
        cholesky, failed = dpotrf(H, overwrite_a=True)
        if failed:
            return None
        return (cholesky, root) if shift or dpocon(cholesky, anorm)[0] > SAFE else None

    def _least_norm(self, rhs: np.ndarray) -> np.ndarray:
        """A_U c = rhs on the range of A_U = V diag(τ²) Vᵀ, then min ‖W‖ with Vᵀ D W = Vᵀ c."""
        V, tau, (Q, R) = self._range
        if not len(tau):
            return np.zeros_like(rhs)
        y = (V.T @ rhs) / tau[:, None] ** 2
        return Q @ scipy.linalg.solve_triangular(R, y, trans="T", check_finite=False)

    @cached_property
    def _range(self):
        F = self.rows
        if self.smooth is not None:
            mu, Q = scipy.linalg.eigh(self.smooth)
            F = np.vstack([F, np.sqrt(np.maximum(mu, 0.0))[:, None] * Q.T])
        _, tau, Vt = scipy.linalg.svd(F, full_matrices=False)
        kept = tau > RANK * self.size
        V = Vt[kept].T
        return V, tau[kept], scipy.linalg.qr(self.space.scale[:, None] * V, mode="economic")


def layers(space: Space) -> tuple[Eigen, np.ndarray | None, bool]:
    """The Eigen space beneath label coupling and intercept, L_m or None, and the intercept."""
    core, intercept = core_of(space)
    laplacian = core.laplacian if isinstance(core, LabelCoupled) else None
    core = core.space if isinstance(core, LabelCoupled) else core
    if not isinstance(core, Eigen):
        raise TypeError(
            f"This solver works in the leading eigenvectors of the kernel (the Eigen space), not "
            f"in {type(core).__name__}. Use the solvers 'auto' or 'cg' there."
        )
    return core, laplacian, intercept
