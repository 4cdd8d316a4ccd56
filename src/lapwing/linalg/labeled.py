"""The l × l system of the labeled rows: fit, leave-one-out, variance and evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dpotrf, dpotrs


class Labeled:
    """y_i = f(x_i) + (Eb)_i + noise of variance 1/w_i, with f ~ GP(0, K̃) and b without a prior.

    The minimizer of Σ w_i (y_i − f_i − (Eb)_i)² + ⟨f, f⟩_K̃ is f = K̃β. The weights w have sum one
    over the rows. Let N be an orthonormal basis of the complement of W^½E, and NᵀW^½K̃W^½N = UΛUᵀ.
    All quantities follow from Z = W^½NU and Λ:

    ==================  ========================================================================
    G                   Z(Λ + 1)⁻¹Zᵀ, the upper left block of [K̃ + W⁻¹, E; Eᵀ, 0]⁻¹
    dual                β = Gy
    leave-one-out       y_i − β_i(s)/G_ii(s) with s = 1 − w_i in place of 1: without row i the
                        weights of the others are renormalized to sum one
    variance            K̃(x, x) − k̃ᵀGk̃ − 2 k̃ᵀHh + hᵀA⁻¹h
    evidence            log p(y), b integrated out
    Newton step         the same matrix B = I + W^½K̃W^½, with the curvatures of the loss as w
    ==================  ========================================================================

    B ≥ I holds exactly. Where rounding violates it, negative eigenvalues of K̃ count as zero. No
    other jitter is added.

    Parameters
    ----------
    K : array of shape (l, l)
        K̃ at the labeled rows.
    w : array of shape (l,)
        Weights w > 0.
    free : array of shape (l, g), optional
        E, the functions without a penalty, at the labeled rows.

    References
    ----------
    Rasmussen, Williams 2006, *Gaussian Processes for Machine Learning*, §2.7, (3.26), §5.4.2.

    Examples
    --------
    >>> import numpy as np
    >>> system = Labeled(np.eye(2), np.full(2, 0.5), np.ones((2, 1)))
    >>> system.leave_one_out(np.array([[1.0], [3.0]]))   # the other label is all there is
    array([[3.],
           [1.]])
    """

    def __init__(self, K: np.ndarray, w: np.ndarray, free: np.ndarray | None = None):
        self.K = K
        self.w = w
        self.free = np.zeros((len(K), 0)) if free is None else free
        root = np.sqrt(w)[:, None]
        values, U = _eigh_beside(root * K * root.T, root * self.free)
        self.Z = root * U
        self.values = np.maximum(values, 0.0)

    # Adding and removing labels.

    def add(self, k: np.ndarray, own: float, w: np.ndarray, h=()) -> Labeled:
        """The system with one more label, which comes last.

        Parameters
        ----------
        k : array of shape (l,)
            K̃ between the new row and the labeled ones.
        own : float
            K̃ of the new row with itself.
        w : array of shape (l + 1,)
            All weights.
        h : array of shape (g,)
            The free functions at the new row.
        """
        K = np.block([[self.K, k[:, None]], [k[None, :], np.array([[own]])]])
        return Labeled(K, w, np.vstack([self.free, np.asarray(h, dtype=float)]))

    def drop(self, i: int, w: np.ndarray) -> Labeled:
        """The system without label i. ``w``, (l − 1,), are the weights of the other labels."""
        rest = np.delete(np.arange(len(self.K)), i)
        return Labeled(self.K[np.ix_(rest, rest)], w, self.free[rest])

    # The fit.

    def dual(self, Y: np.ndarray) -> np.ndarray:
        """β, (l, t), the coefficients of K̃, for targets Y of shape (l, t)."""
        return self.duals(Y, [1.0])[0]

    def duals(self, Y: np.ndarray, gammas: Sequence[float]) -> np.ndarray:
        """β of K̃/γ for each γ, (g, l, t)."""
        return _applied(self.Z, self.Z.T @ Y, self._inverses(gammas, 1.0))

    def offsets(self, Y: np.ndarray, beta: np.ndarray, gamma: float = 1.0) -> np.ndarray:
        """b, (g, t), the coefficients of the free functions beside β; those of least norm."""
        return self._pinv @ (Y - self.K @ beta / gamma - beta / self.w[:, None])

    # Leave-one-out.

    def leave_one_out(self, Y: np.ndarray) -> np.ndarray:
        """(f + Eb)(x_i) of the fit without label i, (l, t); NaN where the others leave it open."""
        return self.leave_one_out_grid(Y, [1.0])[0]

    def leave_one_out_grid(self, Y: np.ndarray, gammas: Sequence[float], *leaving) -> np.ndarray:
        """:meth:`leave_one_out` of K̃/γ for each γ, (g, l, t); ``leaving`` as :meth:`residuals`."""
        return Y - self.residuals(Y, gammas, *leaving)[0]

    def residuals(
        self, Y: np.ndarray, gammas: Sequence[float] = (1.0,), left=(), group=()
    ) -> tuple[np.ndarray, np.ndarray]:
        """Leave-one-out residuals, (g, l, t), and their variances over the noise's, (g, l).

        Rows of one group are left out together: the residuals are [G_gg(s)]⁻¹β_g(s), the variances
        the diagonal of [G_gg(s)]⁻¹. They are NaN where the free functions cannot be determined
        without the rows that are left out.

        Parameters
        ----------
        Y : array of shape (l, t)
        gammas : sequence of float
        left : array of shape (l,), optional
            s, the weight of the rows that stay. The default is 1 − w.
        group : integer array of shape (l,), optional
            Rows with the same number are left out together. Empty: each row alone.
        """
        left = left if len(left) else 1.0 - self.w
        # eigenvalues of G below this are rounding beside the largest
        ZY, least = self.Z.T @ Y, 1e-12 * (self.Z**2).sum(axis=1).max(initial=0.0)
        out, held = np.empty((len(gammas), *Y.shape)), np.empty((len(gammas), len(Y)))
        sizes = blocks(np.asarray(group) if len(group) else np.arange(len(Y)))
        for (g, gamma), at in product(enumerate(gammas), sizes):
            scaled = self.Z[at] / (self.values / gamma + left[at][:, :, None])
            found = solve_blocks(scaled @ self.Z[at].swapaxes(1, 2), scaled @ ZY, least)
            out[g, at], held[g, at] = found
        return out, held

    # The posterior.

    def covariance(self, k, other, prior, h=(), h_other=()) -> np.ndarray:
        """cov(f + Eb) between points x and z, (n, m), in units of the noise.

        Parameters
        ----------
        k, other : arrays of shape (n, l) and (m, l)
            K̃ between the points and the labeled rows.
        prior : array of shape (n, m)
            K̃ between the points.
        h, h_other : arrays of shape (n, g) and (m, g)
            The free functions at the points.
        """
        cov = prior - self._reduced(k) @ self._reduced(other).T
        if not self.free.size:
            return cov
        H, A = self._beside
        return cov - (k @ H) @ h_other.T - h @ (other @ H).T + h @ A @ h_other.T

    def variance(self, k: np.ndarray, prior: np.ndarray, h=()) -> np.ndarray:
        """The variance of f + Eb at points, (n,), from k, (n, l), K̃(x, x), (n,), and h, (n, g)."""
        var = prior - (self._reduced(k) ** 2).sum(axis=1)
        if self.free.size:
            H, A = self._beside
            var = var + np.einsum("ng,ng->n", h @ A - 2.0 * (k @ H), h)
        return np.maximum(var, 0.0)

    def explained(self, k: np.ndarray) -> np.ndarray:
        """k̃ᵀ(K̃ + W⁻¹)⁻¹k̃, (n,): the part of the variance of f that the labels explain."""
        H, A = self._beside
        along = k @ H
        beside = np.einsum("ng,ng->n", along @ np.linalg.pinv(A, hermitian=True), along)
        return (self._reduced(k) ** 2).sum(axis=1) + beside

    # The evidence.

    def noise(self, Y: np.ndarray, gamma: float = 1.0) -> np.ndarray:
        """τ², (t,): the noise variance per unit of weight that maximizes the evidence."""
        return self._squares(Y, gamma).mean(axis=0)

    def log_evidence(self, Y: np.ndarray, gamma: float = 1.0, noise=()) -> np.ndarray:
        """log p(y) of each column under f ~ GP(0, τ²K̃/γ), y_i ~ N(f_i, τ²/w_i), (t,).

        Free functions are integrated out (restricted likelihood). τ² is :meth:`noise` unless given.
        """
        tau2 = np.asarray(noise, dtype=float) if len(noise) else self.noise(Y, gamma)
        m, squares = len(self.values), self._squares(Y, gamma).sum(axis=0)
        spread = float(np.log1p(self.values / gamma).sum())
        jacobian = 0.5 * float(np.log(self.w).sum())
        return -0.5 * (m * np.log(2 * np.pi * tau2) + spread + squares / tau2) + jacobian

    def _squares(self, Y: np.ndarray, gamma: float) -> np.ndarray:
        return (self.Z.T @ Y) ** 2 / (self.values / gamma + 1.0)[:, None]

    def _inverses(self, gammas: Sequence[float], shift: float) -> np.ndarray:
        """1/(Λ/γ + s), (m, g)."""
        return 1.0 / (self.values[:, None] / np.asarray(gammas, dtype=float) + shift)

    def _reduced(self, k: np.ndarray) -> np.ndarray:
        """k̃ Z(Λ + 1)^-½, (n, m)."""
        return (k @ self.Z) / np.sqrt(self.values + 1.0)

    @cached_property
    def _pinv(self) -> np.ndarray:
        return np.linalg.pinv(self.free)

    @cached_property
    def _beside(self) -> tuple[np.ndarray, np.ndarray]:
        """H and A⁻¹, the other blocks of the inverse. EᵀH = I, and CH is a combination of E."""
        H = self._pinv.T
        CH = self.K @ H + H / self.w[:, None]
        H = H - self.Z @ ((self.Z.T @ CH) / (self.values + 1.0)[:, None])
        A = H.T @ (self.K @ H + H / self.w[:, None])
        return H, 0.5 * (A + A.T)


def blocks(group: np.ndarray) -> Iterator[np.ndarray]:
    """Positions of the members of each group: an (m, b) array for the m groups of size b.

    The arrays are in ascending order of b.

    Examples
    --------
    >>> [at.tolist() for at in blocks(np.array([5, 7, 5, 3]))]
    [[[3], [1]], [[0, 2]]]
    """
    _, code, count = np.unique(group, return_inverse=True, return_counts=True)
    order = np.argsort(code, kind="stable")
    for b in np.unique(count):
        yield order[count[code[order]] == b].reshape(-1, b)


def solve_blocks(G: np.ndarray, R: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """G⁻¹R and the diagonals of G⁻¹ for symmetric G ≥ 0, (..., b, b); NaN where G is singular.

    Parameters
    ----------
    G : array of shape (..., b, b)
    R : array of shape (..., b, t)
    least : float
        Eigenvalues up to this size are rounding.
    """
    if G.shape[-1] == 1:
        own = _above(G[..., 0], least)
        return R / own[..., None], 1.0 / own
    values, U = np.linalg.eigh(np.where(np.isfinite(G).all(axis=(-2, -1), keepdims=True), G, 0.0))
    inverse = (U / _above(values, least)[..., None, :]) @ np.swapaxes(U, -2, -1)
    return inverse @ R, np.diagonal(inverse, axis1=-2, axis2=-1)


def shifted_solve(K: np.ndarray, h: np.ndarray, shift: float, V: np.ndarray) -> np.ndarray:
    """(s I + diag(h) K)⁻¹ V, the system of a Newton step, over the rows with h > 0.

    Parameters
    ----------
    K : array of shape (l, l)
    h : array of shape (l,)
        Curvatures ≥ 0.
    shift : float
        s > 0, twice the weight of the penalty.
    V : array of shape (l, t)

    Examples
    --------
    >>> import numpy as np
    >>> shifted_solve(np.eye(2), np.array([1.0, 0.0]), 1.0, np.ones((2, 1)))
    array([[0.5],
           [1. ]])
    """
    active = np.flatnonzero(h > 0)
    if not len(active):
        return V / shift
    s = np.sqrt(h[active] / shift)
    every = len(active) == len(h)
    B = (K if every else K[np.ix_(active, active)]) * (s[:, None] * s)
    B.flat[:: len(B) + 1] += 1.0
    correction = solve_above_one(B, s[:, None] * ((K if every else K[active]) @ V))
    X = V.copy()
    X[active] -= s[:, None] * correction
    return X / shift


def solve_above_one(B: np.ndarray, R: np.ndarray) -> np.ndarray:
    """B⁻¹R where B = I + W^½KW^½ ≥ I, also where rounding violates it; B is overwritten.

    Where B has no Cholesky factor, eigenvalues below one count as one.
    """
    if not np.isfinite(B).all():
        raise ValueError(
            "The system at the labeled rows is not finite: gamma_A is too small for float "
            "arithmetic. Increase gamma_A."
        )
    # LAPACK directly: scipy's checks take longer than one of thousands of small systems
    factor, failed = dpotrf(B, lower=1, clean=0)
    if not failed:
        return dpotrs(factor, R, lower=1)[0]
    values, U = scipy.linalg.eigh(B, check_finite=False)
    return (U / np.maximum(values, 1.0)) @ (U.T @ R)


def _eigh_beside(A: np.ndarray, E: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Λ and NU of NᵀAN = UΛUᵀ, N an orthonormal basis of the complement of E."""
    if not E.any():
        return np.linalg.eigh(A)
    if E.shape[1] > 1:
        N = scipy.linalg.null_space(E.T)
        values, U = np.linalg.eigh(N.T @ A @ N)
        return values, N @ U
    # one function: with a reflection I − 2vvᵀ the change of basis costs l² instead of l³
    v = E[:, 0] / np.linalg.norm(E)
    v[0] += 1.0 if v[0] >= 0 else -1.0
    v /= np.linalg.norm(v)
    p = A @ v
    p -= (v @ p) * v
    B = A - 2.0 * (np.outer(v, p) + np.outer(p, v))
    values, U = np.linalg.eigh(B[1:, 1:])
    lifted = -2.0 * np.outer(v, v[1:] @ U)
    lifted[1:] += U
    return values, lifted


def _applied(Z: np.ndarray, ZY: np.ndarray, inverses: np.ndarray) -> np.ndarray:
    """Z diag(inverses) ZᵀY, (g, l, t), for all γ by one product."""
    (m, t), g = ZY.shape, inverses.shape[1]
    every = (inverses[:, :, None] * ZY[:, None, :]).reshape(m, g * t)
    return (Z @ every).reshape(len(Z), g, t).transpose(1, 0, 2)


def _above(values: np.ndarray, least: float) -> np.ndarray:
    """The values, and NaN where they are rounding."""
    return np.where(values > least, values, np.nan)
