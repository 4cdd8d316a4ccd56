"""The reduction B = H T Hᵀ to tridiagonal form, for (γ I + σ B)⁻¹ with many γ and σ."""

import numpy as np
from scipy.linalg import lapack, solve_banded


class Tridiagonal:
    """The orthogonal reduction B = H T Hᵀ of a symmetric PSD matrix to tridiagonal form.

    After the reduction, a shifted system costs O(r). This is the first half of a symmetric
    eigendecomposition. Shifts do not need the second half, which finds the eigenvectors.

    Parameters
    ----------
    B : array of shape (r, r)
        Symmetric PSD. Only its lower triangle is read. It is overwritten where it is F-ordered.
    """

    def __init__(self, B: np.ndarray):
        self.order = B.shape[0]
        if self.order < 2:
            self.diagonal, self.off_diagonal = np.diagonal(B).copy(), np.zeros(0)
            return
        lwork = int(lapack.dsytrd_lwork(self.order, lower=1)[0])
        reduced, self.diagonal, self.off_diagonal, self._tau, info = lapack.dsytrd(
            B, lower=1, lwork=lwork, overwrite_a=True
        )
        if info != 0:
            raise ValueError(f"dsytrd rejected its argument {-info}.")
        # The reflectors do not change the first coordinate; on the others they act as a QR factor.
        self._reflectors = np.asfortranarray(reduced[1:, :-1])

    def rotate(self, X: np.ndarray) -> np.ndarray:
        """Hᵀ X for X of shape (r, t)."""
        return self._reflect(X, "T")

    def unrotate(self, X: np.ndarray) -> np.ndarray:
        """H X for X of shape (r, t)."""
        return self._reflect(X, "N")

    def _reflect(self, X: np.ndarray, trans: str) -> np.ndarray:
        out = np.array(X, dtype=np.float64, order="F")
        if self.order < 2 or X.shape[1] == 0:
            return out
        rest = np.asfortranarray(out[1:])
        lwork = max(1, int(lapack.dormqr("L", trans, self._reflectors, self._tau, rest, -1)[1][0]))
        out[1:] = lapack.dormqr(
            "L", trans, self._reflectors, self._tau, rest, lwork, overwrite_c=True
        )[0]
        return out

    def solve(self, gamma: np.ndarray, sigma: np.ndarray, R: np.ndarray) -> np.ndarray:
        """Column j of (γ_j I + σ_j T)⁻¹ R, in the rotated coordinates.

        Parameters
        ----------
        gamma, sigma : arrays of shape (t,)
            γ_j > 0, σ_j ≥ 0.
        R : array of shape (r, t)
            Rotated right-hand sides, see :meth:`rotate`.
        """
        out = np.empty_like(R)
        for g, s, at in by_shift(gamma, sigma):
            out[:, at] = self._solve_one(g, s, R[:, at])
        return out

    def _solve_one(self, gamma: float, sigma: float, R: np.ndarray) -> np.ndarray:
        d, e = gamma + sigma * self.diagonal, sigma * self.off_diagonal
        if self.order < 2:
            return R / d[:, None]
        *_, X, info = lapack.dptsv(d, e, R)
        if info == 0:
            return X
        # With γ below the rounding of σB, L D Lᵀ fails; elimination with pivots does not.
        bands = np.zeros((3, self.order))
        bands[0, 1:], bands[1], bands[2, :-1] = e, d, e
        return solve_banded((1, 1), bands, R, check_finite=False)


def by_shift(gamma: np.ndarray, sigma: np.ndarray) -> list[tuple[float, float, np.ndarray]]:
    """(γ, σ, columns) for each different pair (γ, σ)."""
    shifts, column = np.unique(np.column_stack([gamma, sigma]), axis=0, return_inverse=True)
    ends = np.cumsum(np.bincount(column.ravel(), minlength=len(shifts)))
    parts = np.split(np.argsort(column.ravel(), kind="stable"), ends[:-1])
    return [(float(g), float(s), at) for (g, s), at in zip(shifts, parts, strict=True)]
