"""Coupled outputs as one column: n q values, row-major, with plain matrices acting on them."""

from abc import abstractmethod
from typing import Protocol

import numpy as np

from ..kernels import Precomputed
from ..linalg.exact import system_bytes
from ..linalg.memory import require_bytes
from ..linalg.quadratic_form import QuadraticForm
from ..operators import Operator, PSDOperator
from .base import Element, Space
from .deformation import Deformation, PlainDeformation
from .exact import Exact
from .labeled_kernel import CoupledKernel, FreeFunctions
from .systems import CallableSystem, KrylovSystem, System

FORM_LIMIT = 12_000
"""Pairs (row, output) up to which their matrices are formed and factored; conjugate gradients,
one run for each labeled pair, take longer at the default γ"""


class Vectorized(Space):
    """q functions of a space as single columns: f = (F_j(x_i)), row-major, kernel K ⊗ I_q.

    An operator that couples the columns of F acts on such a column as a plain matrix, so that
    all that is written for columns applies; K ⊗ I_q is applied factor by factor.

    Parameters
    ----------
    space : Space
        Over the n inputs.
    q : int
    """

    def __init__(self, space: Space, q: int):
        self.space = space
        self.q = q
        self.n_points = space.n_points * q
        self.n_coef = space.n_coef * q

    def evaluate(self, coef):
        return self._flat(self.space.evaluate(self._wide(coef)))

    def evaluate_at(self, X, coef):
        return self._flat(self.space.evaluate_at(X, self._wide(coef)))

    def represent(self, r_M, r_loss):
        r_M, r_loss = (r if np.isscalar(r) else self._wide(r) for r in (r_M, r_loss))
        return self._flat(self.space.represent(r_M, r_loss))

    def inner(self, a: Element, b: Element):
        wide_a = Element(self.space, self._wide(a.coef), self._wide(a.base))
        per_column = self.space.inner(wide_a, self.space.element(self._wide(b.coef)))
        return per_column.reshape(self.q, -1).sum(axis=0)

    def pair_values(self, X, coef):
        return self.evaluate_at(X, coef)

    def pair_prior(self, X, mix):
        return self.space.covariance.diagonal(X) * (mix @ mix)

    def pair_sections(self, X, mix):
        return np.kron(self.space.covariance.sections(X), mix[:, None])

    @property
    def is_formed(self) -> bool:
        """Whether K is held, and K ⊗ I_q is small enough to be formed."""
        return 0 < len(self.space.gram) * self.q <= FORM_LIMIT

    def system(self, gamma_A, form, n_shifts=1):
        return KrylovSystem(self, gamma_A, form)

    def deformed(self, operator, gamma_A, lam, nearby: System | None = None):
        if self.is_formed:
            require_bytes(
                8 * self.n_points**2 + system_bytes(self.n_points),
                f"The joint kernel over {self.space.n_points} rows and {self.q} outputs",
                "Use fewer rows, or an output affinity that commutes with the output kernel (None "
                "is the identity), which needs no joint matrix.",
            )
            gram = np.kron(self.space.gram, np.eye(self.q))
            return Exact(gram, Precomputed(), None).deformed(operator, gamma_A, lam)
        precondition = nearby and self._in_columns(nearby)
        system = KrylovSystem(self, gamma_A, QuadraticForm(operator, lam), precondition)
        return PlainDeformation(self, operator, gamma_A, lam, system)

    def _in_columns(self, system: System) -> System:
        """A system over (m, q) coefficients, for t flat columns at once: (m, q t)."""
        return CallableSystem(
            self, lambda R: self.element(self._flat(system.solve(self._wide(R)).coef))
        )

    def _wide(self, column: np.ndarray) -> np.ndarray:
        """(n q, t) as (n, q t)."""
        return column.reshape(len(column) // self.q, -1)

    def _flat(self, wide: np.ndarray) -> np.ndarray:
        return wide.reshape(wide.shape[0] * self.q, -1)


class FlatOperator(PSDOperator):
    """ΛᵀMΛ on columns of length n q, for M over (n, |Y|) values.

    Parameters
    ----------
    operator : Operator
        M.
    mixing : array of shape (|Y|, q)
        Λ.
    """

    def __init__(self, operator: Operator, mixing: np.ndarray):
        self.operator = operator
        self.mixing = mixing
        self.n = operator.n * mixing.shape[1]

    def apply(self, F):
        mixing = self.mixing.astype(F.dtype, copy=False)
        mixed = mixing @ F.reshape(self.operator.n, mixing.shape[1], -1)  # (n, |Y|, t)
        return (mixing.T @ self.operator.apply_each(mixed)).reshape(F.shape)


class PairPoints(Protocol):
    """A kernel on pairs (row, output), at new rows X; λ is an output's row of the mixing, (q,)."""

    @abstractmethod
    def pair_values(self, X, coef: np.ndarray) -> np.ndarray:
        """F at X from flat coefficients, (len(X) q, t)."""

    @abstractmethod
    def pair_prior(self, X, mix: np.ndarray) -> np.ndarray:
        """k((x, λ), (x, λ)), (len(X),)."""

    @abstractmethod
    def pair_sections(self, X, mix: np.ndarray) -> np.ndarray:
        """k((x_i, ·), (x, λ)) at the training pairs, (n q, len(X))."""


class VectorizedDeformation(Deformation):
    """K̃ of coupled outputs from that of their one column.

    Parameters
    ----------
    flat : PlainDeformation
        Over n q values.
    mixing : array of shape (|Y|, q)
        Λ: the readout is F Λᵀ.
    n_rows : int
    points : PairPoints
        The kernel on pairs, at new points.
    """

    def __init__(self, flat: PlainDeformation, mixing: np.ndarray, n_rows: int, points: PairPoints):
        self.flat = flat
        self.mixing = mixing
        self.n_rows = n_rows
        self.points = points
        self.factored = flat.factored
        self.free = FreeFunctions.none(n_rows)

    def solve(self, R):
        q = self.mixing.shape[1]
        return self.flat.lift((R @ self.mixing).reshape(-1, 1)).reshape(-1, q)

    def reader(self, rows, output, q):
        width = self.mixing.shape[1]
        unit = np.zeros((self.n_rows, width, len(rows)))
        unit[rows, :, np.arange(len(rows))] = self.mixing[output]
        coef = self.flat.lift(unit.reshape(self.n_rows * width, -1))

        def read(X):
            F = self.points.pair_values(X, coef).reshape(X.shape[0], width, -1)
            return (np.tensordot(F, mix, axes=([1], [0])) for mix in self.mixing)

        return read

    def variances(self, X, q):
        left = [self._left(X, mix) for mix in self.mixing]
        return np.maximum(np.column_stack(left), 0.0)

    def _left(self, X, mix: np.ndarray) -> np.ndarray:
        """(k((x, λ), (x, λ)) − ⟨k_x, λM (γ_A + λΦΦ*M)⁻¹ k_x⟩)/γ_A for one output λ."""
        prior = self.points.pair_prior(X, mix)
        if not self.flat.lam:
            return prior / self.flat.gamma_A
        b = self.points.pair_sections(X, mix)
        return (prior - np.einsum("px,px->x", b, self.flat.pulled(b))) / self.flat.gamma_A

    def ambient(self, X, q):
        prior = [self.points.pair_prior(X, mix) for mix in self.mixing]
        return np.column_stack(prior) / self.flat.gamma_A

    def gram(self, rows):
        l, (outputs, q) = len(rows), self.mixing.shape
        at = (rows[:, None] * q + np.arange(q)).ravel()
        gram = self.flat.gram(at).shared
        mixed = gram.reshape(l, q, l, q)
        if not np.array_equal(self.mixing, np.eye(q)):
            mixed = np.einsum("ya,iajb,zb->iyjz", self.mixing, mixed, self.mixing, optimize=True)
        return CoupledKernel(self, rows, gram=mixed.reshape(l, outputs, l, outputs))
