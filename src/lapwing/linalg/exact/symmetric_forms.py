"""γ I + G K as a symmetric system, G = diag(v) + λM, in two ways with c = (sparse matrix) · z."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..quadratic_form import QuadraticForm
from ..sparse import RowBlocks
from .congruence import left_product, right_product


class SymmetricForm(ABC):
    """(γ I + G K) c = r as S z = s(r) with S symmetric and positive, and c = spread(z).

    Parameters
    ----------
    form : QuadraticForm
        G, with weights v > 0 at few rows and no free functions taken off.

    Attributes
    ----------
    reach : float
        About ‖spread(z)‖/‖z‖ of a rough z, as residuals are.
    """

    def __init__(self, form: QuadraticForm):
        self.form = form
        self.rows = form.rows
        self.v = form.weights[:, None]
        self.reach = 1.0

    @abstractmethod
    def right(self, R: np.ndarray) -> np.ndarray:
        """s of the right-hand sides R, (n, t); empty where R is not of the form spread(s)."""

    @abstractmethod
    def spread(self, Z: np.ndarray) -> np.ndarray:
        """c, (n, t)."""

    def gather(self, F: np.ndarray) -> np.ndarray:
        """The adjoint of :meth:`spread`."""
        return self.spread(F)

    @abstractmethod
    def apply(self, gamma: float, Z: np.ndarray, C: np.ndarray, F: np.ndarray) -> np.ndarray:
        """S Z, with C = spread(Z) and F = K C."""

    @abstractmethod
    def assemble(self, K: np.ndarray, gamma: float, dtype: Any) -> np.ndarray:
        """S in the given precision, C-ordered, on and below its diagonal.

        It is scaled by a factor that keeps it within the range of float32.
        """

    @abstractmethod
    def stretch(self, K: np.ndarray, gamma: float) -> float:
        """The largest ratio of S to the part that γ adds, at some rows: the range of rounding."""


class RootForm(SymmetricForm):
    """M = R², R symmetric: G = BᵀB with B = [√λ R; √v E], S = γ I + B K Bᵀ and c = Bᵀz.

    Each label adds a row. These rows are scaled apart from those of the points, as the errors of
    Cholesky are. Large values of K at the labels thus do not spoil the small values of R K R.
    """

    def __init__(self, form: QuadraticForm, root: sp.csr_array):
        super().__init__(form)
        self.n = root.shape[0]
        self.root, self.size = root, np.sqrt(form.lam)
        self._root = RowBlocks(sp.csr_array(self.size * root))
        self.heavy = np.sqrt(self.v)
        mean = self.size * float(np.linalg.norm(root.data)) / np.sqrt(self.n)
        self.reach = float(np.hypot(mean, self.heavy.max(initial=0.0)))

    def right(self, R):
        if np.count_nonzero(R) > np.count_nonzero(R[self.rows]):
            return np.empty(0)
        out = np.zeros((self.n + len(self.rows), R.shape[1]))
        out[self.n :] = R[self.rows] / self.heavy
        return out

    def spread(self, Z):
        C = self._root @ Z[: self.n]
        C[self.rows] += self.heavy * Z[self.n :]
        return C

    def gather(self, F):
        out = np.empty((self.n + len(self.rows), F.shape[1]))
        out[: self.n] = self._root @ F
        out[self.n :] = self.heavy * F[self.rows]
        return out

    def apply(self, gamma, Z, C, F):
        out = self.gather(F)
        out += gamma * Z
        return out

    def assemble(self, K, gamma, dtype):
        n, k = self.n, _scale(K)
        S = np.empty((n + len(self.rows),) * 2, dtype=dtype)
        core = S[:n, :n]
        right_product(K, self.root, k, gamma / k / (self.form.lam or 1.0), core)
        S[n:, :n] = core[self.rows]
        left_product(self.root, core)
        r = float(core.diagonal().max(initial=0.0)) * self.form.lam
        unit = max(r, gamma / k, float(self.v.max()))
        size, heavy = self.size / np.sqrt(unit), self.heavy / np.sqrt(unit)
        with np.errstate(all="ignore"):  # entries above the diagonal are undefined
            core *= dtype(size**2)
        S[n:, :n] *= (size * heavy).astype(dtype)
        S[n:, n:] = heavy * (K[np.ix_(self.rows, self.rows)] / k) * heavy.T
        S.flat[:: len(S) + 1] += dtype(gamma / k / unit)
        return S

    def stretch(self, K, gamma):
        return self.form.lam / gamma * _sandwiched(self.root, K).max(initial=0.0)


class NormalForm(SymmetricForm):
    """Any sparse M: S = γ G + G K G and c = G z, so that r − (γ I + G K) c = r − S z."""

    def __init__(self, form: QuadraticForm, matrix: sp.csr_array):
        super().__init__(form)
        v = np.zeros(matrix.shape[0])
        v[self.rows] = form.weights
        self.G = sp.csr_array(form.lam * matrix + sp.diags_array(v))
        self._G = RowBlocks(self.G)

    def right(self, R):
        return R

    def spread(self, Z):
        return self._G @ Z

    def apply(self, gamma, Z, C, F):
        out = self.gather(F)
        out += gamma * C
        return out

    def assemble(self, K, gamma, dtype):
        n, k = len(K), _scale(K)
        unit = float(self.G.diagonal().max())
        S, ridge = np.empty((n, n), dtype=dtype), gamma / k / unit
        right_product(K, self.G / unit, k, ridge, S)
        S.flat[:: n + 1] += dtype(ridge)
        left_product(self.G / unit, S)
        return S

    def stretch(self, K, gamma):
        return (_sandwiched(self.G, K) / self.G.diagonal()[_some(self.G)]).max(initial=0.0) / gamma


def _some(A: sp.csr_array) -> np.ndarray:
    """32 evenly spaced rows, whose diagonal entries tell the size of S."""
    return np.unique(np.linspace(0, A.shape[0] - 1, 32).astype(int))


def _sandwiched(A: sp.csr_array, K: np.ndarray) -> np.ndarray:
    """The diagonal of A K A at these rows."""
    rows = (A[[i]] for i in _some(A))
    return np.array([a.data @ K[np.ix_(a.indices, a.indices)] @ a.data for a in rows])


def _scale(K: np.ndarray) -> float:
    return float(np.diagonal(K).max(initial=0.0)) or 1.0


def has_symmetric_form(form: QuadraticForm) -> bool:
    """Whether M, or a root of it, is sparse."""
    return bool(form.operator.root.shape[0] or form.operator.sparse_matrix.shape[0])


def choose_symmetric_form(form: QuadraticForm) -> SymmetricForm:
    """:class:`RootForm` if M has a root and labels are few, :class:`NormalForm` if M is sparse."""
    root, matrix = form.operator.root, form.operator.sparse_matrix
    # one more row per label pays with at least twelve points per label
    if root.shape[0] >= (12 * len(form.rows) if matrix.shape[0] else 1):
        return RootForm(form, root)
    return NormalForm(form, matrix)
