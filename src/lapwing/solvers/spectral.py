"""The smoothest functions of a space: the eigenproblem of clustering and embedding."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import ArpackError, LinearOperator

from ..linalg.eigenpairs import LANCZOS_FROM, top_eigenpairs
from ..operators import Operator
from ..problem import require_finite
from ..spaces import Space


@dataclass(frozen=True)
class SpectralSolution:
    """The s smoothest functions, with mean 0 and norm 1 at the points.

    Attributes
    ----------
    coef : array of shape (n, s)
    values : array of shape (n, s)
        f at the points: Σ_i f_i = 0 and Σ_i f_i² = 1 in every column.
    eigenvalues : array of shape (s,)
        ‖f‖²/ratio + ⟨f, M f⟩, ascending.
    optimality : float
        The certificate: the largest ‖B f − θ f‖/θ.
    """

    coef: np.ndarray
    values: np.ndarray
    eigenvalues: np.ndarray
    optimality: float


def smoothest_functions(
    space: Space, operator: Operator, ratio: float, n_functions: int
) -> SpectralSolution:
    """min ‖f‖²_K/ratio + ⟨f, M f⟩ over Σ f_i = 0, Σ f_i² = 1, one orthogonal f after another.

    MR eq. 14 has a projection on both sides and is singular on K1. This method works with the
    values f instead. The quadratic form is then B⁻¹ up to a factor, where B = K (I + ratio M K)⁻¹
    is the deformed Gram matrix. On the complement of 1 the inverse of B⁻¹ is

        B − B1 (B1)ᵀ / 1ᵀB1.

    The eigenvectors of its largest eigenvalues are the solutions. They need no pseudo-inverse and
    no threshold on the rank of K, but one LU factor and a few dozen solves by Lanczos' method.
    """
    deformed = space.deformed(operator, 1.0, ratio)
    n = space.n_rows

    def B(F: np.ndarray) -> np.ndarray:
        return values_at_rows(deformed.lift(F))

    def values_at_rows(coef: np.ndarray) -> np.ndarray:
        """f at the rows; a regularizer may see f at other points, too."""
        return space.element(coef).readout

    ones = np.ones((n, 1))
    B1 = B(ones)
    total = float(B1.sum())

    def project(F: np.ndarray) -> np.ndarray:
        """F − 1·s with s such that each column of B(F − 1·s) has mean 0."""
        return F - (B1.T @ F) / total if total > 0 else F

    theta, F = _largest(lambda F: B(project(F)), n, n_functions)
    if len(theta) < n_functions or theta[-1] <= 1e-14 * total / n:
        raise _too_few(n_functions)
    coef = deformed.lift(project(F)) / theta
    values = values_at_rows(coef)
    optimality = float(np.max(np.linalg.norm(values - F, axis=0)))
    if not optimality < 0.5:  # the eigenvector is rounding, and no function of the space
        raise _too_few(n_functions)
    return SpectralSolution(coef, values, 1.0 / (theta * ratio), optimality)


def _too_few(n_functions: int) -> ValueError:
    return ValueError(
        f"The kernel's space holds fewer than {n_functions} independent mean-free functions "
        "over these points (duplicates or too small a rank): ask for fewer."
    )


def _largest(apply, n: int, s: int) -> tuple[np.ndarray, np.ndarray]:
    """The s largest eigenpairs of a symmetric PSD map, descending, or all where there are fewer."""
    if n < LANCZOS_FROM or s >= n // 2:
        A = require_finite(apply(np.eye(n)))
        return top_eigenpairs(0.5 * (A + A.T), s, 1e-14)
    one = LinearOperator((n, n), matvec=lambda v: apply(v.reshape(-1, 1)).ravel(), dtype=float)
    try:
        return top_eigenpairs(one, s, 1e-14)
    except ArpackError as error:  # no convergence, or a penalty beside which all else vanishes
        raise ValueError(
            f"Only {len(getattr(error, 'eigenvalues', ()))} of {s} eigenvectors converged: ask for "
            "fewer, or increase gamma_A, which separates them."
        ) from error
