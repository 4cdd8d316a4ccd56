"""(ridge + λ p(L))⁻¹ on a graph: eigenvectors for smooth functions, a polynomial for the rest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.polynomial import chebyshev, polynomial
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigsh

from .blocks import batches
from .chebyshev import chebyshev_sum
from .sparse import RowBlocks, norm_bound

N_MODES = 32
"""Eigenvectors beside the null space. Twice as many took three times as long on 10,000 and 70,000
images, and saved a fifth of the polynomial, which has degree 70 and 100 there."""

MOST_COMPONENTS = 1_000
"""The most components of a graph for which the null vectors are kept."""

EXACT = 1e-6
"""Largest residual |1 − p(x)/f(x)| of the polynomial p for f = 1/A, and of an eigenvector."""

FEW_DIGITS, GLANCE = 1e-4, 3e-3
"""Largest error |f − p|, relative to the largest f, where settings are compared (twice as fast as
every digit), and where a few per cent are enough."""

NULL = 1e-10
"""L v counts as zero up to this share of ‖L‖."""

MOST_TERMS = 600
GRID = np.cos(np.linspace(0.0, np.pi, 4 * MOST_TERMS))


@dataclass(frozen=True)
class SmoothModes:
    """The smoothest eigenvectors of L, beginning with a basis of its null space.

    Attributes
    ----------
    L : csr_array of shape (n, n)
        Symmetric and PSD.
    null : csr_array of shape (n, c)
        One normalized vector on each component: L null = 0.
    Q : array of shape (n, m)
        Orthonormal eigenvectors, L Q = Q diag(theta), orthogonal to ``null``.
    theta : array of shape (m,)
        Their eigenvalues, ascending.
    low, top : float
        Bounds of all other eigenvalues. ``low`` is 0 where no eigenvectors were computed.
    """

    L: sp.csr_array
    null: sp.csr_array
    Q: np.ndarray
    theta: np.ndarray
    low: float
    top: float

    @classmethod
    def of(cls, L: sp.csr_array, degrees: np.ndarray, n_modes: int = N_MODES) -> SmoothModes | None:
        """The modes of L, or None.

        None where the null space of L is neither 1 nor √degree on each component, where it is too
        large, or where Lanczos fails. With ``n_modes=0`` the null space only.
        """
        n = L.shape[0]
        null = None if n < 4 * n_modes else _null_vectors(L, degrees)
        if null is None:
            return None
        top = norm_bound(L, degrees)
        if not n_modes:
            return cls(L, null, np.empty((n, 0)), np.empty(0), 0.0, top)
        rough = _lanczos(L, null, top, n_modes)
        if rough is None:
            return None
        theta, Q = _polished(L, null, rough, top)
        # Separate clusters have well separated eigenvalues, whose vectors converge. The others
        # lie close together and are left to the polynomial, which begins a little below them.
        far = np.linalg.norm(L @ Q - Q * theta, axis=0) > EXACT * top
        m = int(far.argmax()) if far.any() else len(theta)
        low = 0.9 * theta[m] if far.any() else theta[-1]
        return cls(L, null, np.ascontiguousarray(Q[:, :m]), theta[:m], float(low), top)

    def along(self, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The coefficients of R along the null space, (c, t), and along Q, (m, t)."""
        return self.null.T @ R, self.Q.T @ R

    def combined(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """null a + Q b, (n, t)."""
        return self.null @ a + self.Q @ b


class Inverse(ABC):
    """A⁻¹ for A = ridge + λ p(L): 1/A along the modes, and :meth:`rest` elsewhere.

    Parameters
    ----------
    modes : SmoothModes
    coefficients : sequence of float
        The coefficients of A as a polynomial in L, the constant first: ridge + λ c_0, λ c_1, …
    """

    def __init__(self, modes: SmoothModes, coefficients: Sequence[float] | np.ndarray):
        self.modes = modes
        self.coefficients = np.asarray(coefficients, dtype=float)
        self.n = modes.L.shape[0]
        self.at_null = 1.0 / self.coefficients[0]
        self.at_modes = 1.0 / polynomial.polyval(modes.theta, self.coefficients)

    @abstractmethod
    def rest(self, R: np.ndarray, tol: float = EXACT) -> np.ndarray:
        """A⁻¹ on the complement of the modes, times R, (n, t), to a tolerance."""

    def solve(self, R: np.ndarray, tol: float = EXACT) -> np.ndarray:
        """A⁻¹R, (n, t)."""
        return self.smooth(R) + self.rest(R, tol)

    def _without_modes(self, R: np.ndarray) -> np.ndarray:
        return R - self.modes.combined(*self.modes.along(R))

    def smooth(self, R: np.ndarray) -> np.ndarray:
        """A⁻¹ along the modes, times R."""
        a, b = self.modes.along(R)
        return self.modes.combined(self.at_null * a, self.at_modes[:, None] * b)

    def apply(self, F: np.ndarray) -> np.ndarray:
        """A F."""
        out = self.coefficients[-1] * F
        for c in self.coefficients[-2::-1]:
            out = self.modes.L @ out
            out += c * F
        return out

    def holds(self) -> bool:
        """Whether a random right-hand side is solved, so that no eigenvector was missed."""
        r = np.random.default_rng(1).standard_normal((self.n, 1))
        r -= self.modes.null @ (self.modes.null.T @ r)
        left = r - self.apply(self.solve(r))
        return bool(np.linalg.norm(left) <= 100 * EXACT * np.linalg.norm(r))


class ModalInverse(Inverse):
    """The inverse by a Chebyshev polynomial in L, on the eigenvalues that belong to no mode."""

    def __init__(self, modes: SmoothModes, coefficients: Sequence[float] | np.ndarray):
        super().__init__(modes, coefficients)
        self.low, self.high = modes.low, modes.top
        wide, middle = 2.0 / (self.high - self.low), 0.5 * (self.high + self.low)
        self._scaled = RowBlocks(sp.csr_array(wide * (modes.L - middle * sp.eye_array(self.n))))
        self._full = chebyshev.chebinterpolate(self._inverse, MOST_TERMS)
        self._made: dict[float, np.ndarray] = {}

    def series(self, tol: float) -> np.ndarray:
        """The fewest Chebyshev coefficients of a polynomial p on [low, high] near f = 1/A.

        With the tolerance ``EXACT``, |1 − p/f| ≤ tol. Otherwise |f − p| ≤ tol · max f.
        """
        if tol not in self._made:
            self._made[tol] = self._shortest(tol)
        return self._made[tol]

    def _shortest(self, tol: float) -> np.ndarray:
        full, exact = self._full, self._inverse(GRID)
        weight = 1.0 / (exact if tol == EXACT else exact.max())
        low, high = 1, MOST_TERMS
        while low < high:
            middle = (low + high) // 2
            far = (weight * np.abs(exact - chebyshev.chebval(GRID, full[:middle]))).max()
            low, high = (low, middle) if far <= tol else (middle + 1, high)
        return full[:low]

    def _inverse(self, t: Any) -> Any:
        """1/A at t."""
        return 1.0 / self._symbol(t)

    def _symbol(self, t: np.ndarray) -> np.ndarray:
        """A(x) at x = low + (high − low)(1 + t)/2."""
        return polynomial.polyval(
            self.low + 0.5 * (self.high - self.low) * (1.0 + t), self.coefficients
        )

    def rest(self, R, tol=EXACT):
        """A⁻¹ on the complement, times R, for as many columns at a time as the cache holds."""
        out, series = np.empty(R.shape), self.series(tol)
        for some in batches(R.shape[1], max(1, 2**25 // (32 * self.n))):
            out[:, some] = self._polynomial(R[:, some], series)
        return out

    def _polynomial(self, R: np.ndarray, series: np.ndarray) -> np.ndarray:
        """Σ_k a_k T_k R. Rounding errors along the modes grow with k, and are removed."""
        found = chebyshev_sum(self._scaled.__matmul__, series, self._without_modes(R))
        return self._without_modes(found)


def _null_vectors(L: sp.csr_array, degrees: np.ndarray) -> sp.csr_array | None:
    """1 or √degree on each component, normalized, (n, c); None where L maps neither to 0."""
    n = L.shape[0]
    count, component = connected_components(L, directed=False)
    if count > MOST_COMPONENTS:
        return None
    for z in (np.ones(n), np.sqrt(np.where(degrees > 0, degrees, 1.0))):
        size = np.sqrt(np.bincount(component, z**2, minlength=count))
        z = z / size[component]
        if np.abs(L @ z).max() <= NULL * z.max() * float(abs(L).max()):
            return sp.csr_array((z, (np.arange(n), component)), shape=(n, count))
    return None


def _lanczos(L: sp.csr_array, null: sp.csr_array, top: float, n_modes: int) -> np.ndarray | None:
    """Approximate smoothest eigenvectors, in float32; None where Lanczos fails."""
    n, product = L.shape[0], RowBlocks(L, np.float32)
    null = null.astype(np.float32)
    across = sp.csr_array(null.T)

    def turned(v: np.ndarray) -> np.ndarray:
        """(top − L) on the complement of the null space, 0 on it."""
        v = v.ravel()
        v = v - null @ (across @ v)
        return np.float32(top) * v - product @ v

    start = np.random.default_rng(0).standard_normal(n).astype(np.float32)
    operator = LinearOperator((n, n), matvec=turned, dtype=np.float32)
    most = n_modes + n_modes // 2 + 8
    try:
        # twenty to thirty restarts find all vectors on images; polishing adds the digits
        how = {"tol": 1e-4, "ncv": most, "v0": start, "maxiter": 30}
        return eigsh(operator, n_modes, which="LA", **how)[1]
    except ArpackNoConvergence as found:  # the vectors that have converged are enough
        return found.eigenvectors if found.eigenvectors.shape[1] else None
    except ArpackError:
        return None


def _polished(L: sp.csr_array, null: sp.csr_array, rough: np.ndarray, top: float, products=40):
    """Eigenvalues and eigenvectors in float64, by a Chebyshev filter and Rayleigh–Ritz.

    T_k grows below ``low`` and stays within 1 above. With k = 40 products, a hundred thousandth of
    the other eigenvectors in ``rough`` remains. On 70,000 images the rough eigenvectors took 0.8 s
    and polishing 0.5 s; float64 from the start took 3.2 s.
    """
    product, Q = RowBlocks(L), rough.astype(np.float64)
    low = 1.2 * float(np.einsum("ij,ij->j", Q, product @ Q).max())
    middle, half = 0.5 * (top + low), 0.5 * (top - low)
    filtered = np.append(np.zeros(products), 1.0)
    now = chebyshev_sum(lambda V: (product @ V - middle * V) / half, filtered, Q)
    now -= null @ (null.T @ now)
    Q = np.linalg.qr(now / np.abs(now).max())[0]
    theta, V = np.linalg.eigh(Q.T @ (product @ Q))
    return theta, Q @ V
