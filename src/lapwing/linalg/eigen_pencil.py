"""γ I + σ D VᵀGV D with D over many decades: normal equations in the kernel's eigenvectors."""

from functools import cached_property

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dpocon, dpotrf, dpotrs

from .pencil import Pencil
from .quadratic_form import QuadraticForm

SAFE = 1e-10
"""A Cholesky factor of the normal equations is trusted above this reciprocal condition number."""

RANK = 1e-9
"""Singular values of the weighted eigenvectors below this share of their size count as zero."""


class EigenPencil(Pencil):
    """(γ I + σ D A D) a = r with A = VᵀGV, V orthonormal and D diagonal.

    In the coordinates c = D a the matrix A does not depend on D, and the equation is

        (σ A + γ D⁻²) c = D⁻¹ r.

    The diagonal may span twenty decades. A Cholesky factor of the matrix scaled to unit diagonal is
    not affected by this; eigenvectors of D A D would lose all digits. Where γ = 0 and A is
    singular, the solution of least ‖a‖ is returned.

    Parameters
    ----------
    vectors : array of shape (n, s)
        V.
    scale : array of shape (s,)
        D > 0.
    form : QuadraticForm
        G.
    rounding : float
        The error of V. Smaller differences between rows of V count as zero.
    """

    def __init__(
        self, vectors: np.ndarray, scale: np.ndarray, form: QuadraticForm, rounding: float = 0.0
    ):
        self.vectors = vectors
        self.scale = scale
        self.form = form
        self.rank = max(RANK, rounding)
        self._factors: dict[float, tuple[np.ndarray, np.ndarray] | None] = {}

    @cached_property
    def smooth(self) -> np.ndarray:
        """λ VᵀMV, (s, s)."""
        if not self.form.lam:
            return np.zeros((len(self.scale),) * 2)
        S = self.form.lam * (self.vectors.T @ self.form.operator.apply(self.vectors))
        return 0.5 * (S + S.T)

    @cached_property
    def rows(self) -> np.ndarray:
        """√w_i v_i, minus the part that free functions fit, (l, s)."""
        root, U = np.sqrt(self.form.weights)[:, None], self.form.off
        V = self.vectors[self.form.rows]
        return root * V - (U / root) @ (U.T @ V)

    @cached_property
    def size(self) -> float:
        """√tr A before free functions are taken off: the scale of rounding errors in ``rows``.

        Vectors of norm 1 may be nearly zero at all rows with weights. They count with norm 1.
        """
        squared = float(np.trace(self.smooth))
        w = self.form.weights
        own = float(np.sum(w[:, None] * self.vectors[self.form.rows] ** 2))
        squared += max(own, float(w.max(initial=0.0)))
        return float(np.sqrt(squared))

    @cached_property
    def A(self) -> np.ndarray:
        """VᵀGV, (s, s)."""
        return self.rows.T @ self.rows + self.smooth

    def shifted(self, gamma, sigma, R):
        if sigma:
            return self._shifted(gamma / sigma, R / self.scale[:, None]) / sigma, None
        return R / gamma if gamma else np.zeros_like(R), None

    def _shifted(self, shift: float, rhs: np.ndarray) -> np.ndarray:
        """a = D⁻¹ (A + shift D⁻²)⁻¹ rhs, or the solution of least ‖a‖."""
        if not len(rhs):  # K = 0 has no eigenvectors here
            return rhs
        if shift not in self._factors:
            self._factors[shift] = self._factor(shift)
        factor = self._factors[shift]
        if factor is None:
            return self._least_norm(rhs)
        cholesky, root = factor
        scaled, _ = dpotrs(cholesky, rhs / root[:, None])
        return scaled / (root * self.scale)[:, None]

    def _factor(self, shift: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Cholesky factor of the matrix scaled to unit diagonal, and √diagonal; None if singular.

        LAPACK is called directly: for small systems scipy's wrappers cost more than the work.
        """
        diagonal = self.A.diagonal() + shift / self.scale**2
        root = np.sqrt(np.maximum(diagonal, 0.0))
        if root.min() <= (0.0 if shift else self.rank * self.size):
            return None
        H = np.divide(self.A, root, order="F")
        H /= root[:, None]
        # With a shift the solution is unique, and rounding must not make H indefinite.
        H.ravel(order="K")[:: len(H) + 1] = 1.0 + (len(H) * np.finfo(float).eps if shift else 0.0)
        anorm = 0.0 if shift else np.abs(H).sum(axis=0).max()
        cholesky, failed = dpotrf(H, overwrite_a=True)
        if failed:
            return None
        return (cholesky, root) if shift or dpocon(cholesky, anorm)[0] > SAFE else None

    def _least_norm(self, rhs: np.ndarray) -> np.ndarray:
        """Solve A c = rhs on the range of A = Q diag(τ²) Qᵀ, then min ‖a‖ with Qᵀ D a = Qᵀ c."""
        V, tau, (Q, R) = self.range
        if not len(tau):
            return np.zeros_like(rhs)
        y = (V.T @ rhs) / tau[:, None] ** 2
        return Q @ scipy.linalg.solve_triangular(R, y, trans="T", check_finite=False)

    @cached_property
    def range(self):
        """Q and τ with A = Q diag(τ²) Qᵀ on its range, and a QR factor of D Q."""
        tau, Vt = _above(self.rows, self.rank * self.size)
        if self.form.lam:
            mu, Q = scipy.linalg.eigh(self.smooth)
            smooth = np.sqrt(np.maximum(mu, 0.0))[:, None] * Q.T
            tau, Vt = _above(np.vstack([tau[:, None] * Vt, smooth]), RANK * self.size)
        V = Vt.T
        return V, tau, scipy.linalg.qr(self.scale[:, None] * V, mode="economic")


def _above(F: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """The singular values of F above ``least``, and their right vectors."""
    _, tau, Vt = scipy.linalg.svd(F, full_matrices=False)
    return tau[tau > least], Vt[tau > least]
