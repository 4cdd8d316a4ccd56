"""Coupled outputs as one column of n q values, row-major, on which plain matrices act."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

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
from .systems import CallableSystem, KrylovSystem, System, by_pencil

FORM_LIMIT = 12_000
"""The order of a system whose factor takes a minute on two cores. An exact fit of more points
warns. The Gram matrix of pairs (row, output) is formed up to this order: conjugate gradients, one
run for each labeled pair, take longer at the default γ."""


class Vectorized(Space):
    """K(x, z) = Σ_r k_r(x, z) Q_r over single columns f = (F_j(x_i)), row-major.

    An operator that couples the columns of F, (n, q), acts on f, (n q, 1), as a plain matrix. The
    code for independent columns therefore applies. K_r ⊗ Q_r is applied factor by factor.

    Parameters
    ----------
    terms : sequence of (Space, array of shape (q, q))
        Spaces over the same n inputs, and the matrices Q_r. The spaces are spanned by their kernel
        sections (``Exact`` or ``Blockwise``); a single space beside Q = I may be any.
    """

    def __init__(self, terms: Sequence[tuple[Space, np.ndarray]]):
        self.terms = tuple(terms)
        self.space, Q = self.terms[0]
        self.q = len(Q)
        self.n_points = self.space.n_points * self.q
        self.n_coef = self.space.n_coef * self.q

    def evaluate(self, coef):
        return self._sum(coef, lambda space, part: space.evaluate(part))

    def evaluate_at(self, X, coef):
        return self._sum(coef, lambda space, part: space.evaluate_at(X, part))

    def _sum(self, coef: np.ndarray, evaluate: Callable) -> np.ndarray:
        """Σ_r evaluate(S_r, c Q_r) of t flat columns c, (n q, t), as flat columns."""
        wide = coef.reshape(len(coef) // self.q, self.q, -1)
        mixed = [(space, (Q.T @ wide).reshape(len(wide), -1)) for space, Q in self.terms]
        return self._flat(sum(evaluate(space, part) for space, part in mixed))

    def represent(self, r_M, r_loss):
        r_M, r_loss = (r if np.isscalar(r) else self._wide(r) for r in (r_M, r_loss))
        return self._flat(self.space.represent(r_M, r_loss))

    def inner(self, a: Element, b: Element):
        wide_a = Element(self.space, self._wide(a.coef), self._wide(a.base))
        per_column = self.space.inner(wide_a, self.space.element(self._wide(b.coef)))
        return per_column.reshape(self.q, -1).sum(axis=0)

    def pair_prior(self, X, mix: np.ndarray) -> np.ndarray:
        """k((x, λ), (x, λ)) at the rows of X, (len(X),), λ, (q,), being an output's row of Λ."""
        return sum(space.covariance.diagonal(X) * (mix @ Q @ mix) for space, Q in self.terms)

    def pair_sections(self, X, mix: np.ndarray) -> np.ndarray:
        """k((x_i, ·), (x, λ)) at the training pairs, (n q, len(X))."""
        parts = [(space.covariance.sections(X), (Q @ mix)[:, None]) for space, Q in self.terms]
        return reduce(np.add, (np.kron(*part) for part in parts))

    @property
    def is_formed(self) -> bool:
        """Whether each K_r is stored, and K_r ⊗ Q_r is small enough to be formed."""
        return all(0 < len(space.gram) * self.q <= FORM_LIMIT for space, _ in self.terms)

    def system(self, gamma_A, form, n_shifts=1):
        return by_pencil(self, gamma_A, form)

    def deformed(self, operator, gamma_A, lam, nearby: System | None = None):
        if self.is_formed:
            require_bytes(
                8 * self.n_points**2 + system_bytes(self.n_points),
                f"The joint kernel over {self.space.n_points} rows and {self.q} outputs",
                "Use fewer rows, or an output affinity that commutes with the output kernel (None "
                "is the identity), which needs no joint matrix.",
            )
            gram = reduce(np.add, (np.kron(space.gram, Q) for space, Q in self.terms))
            return Exact(gram, Precomputed(), None).deformed(operator, gamma_A, lam)
        precondition = nearby and self._in_columns(nearby)
        system = KrylovSystem(self, gamma_A, QuadraticForm(operator, lam), precondition)
        return PlainDeformation(self, operator, gamma_A, lam, system)

    def _in_columns(self, system: System) -> System:
        """A system over coefficients of shape (m, q), for t flat columns at once: (m, q t)."""
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


class VectorizedDeformation(Deformation):
    """K̃ of coupled outputs, from the K̃ of their one column.

    Parameters
    ----------
    flat : PlainDeformation
        K̃ over the n q values.
    mixing : array of shape (|Y|, q)
        Λ: the readout is F Λᵀ.
    n_rows : int
    points : Vectorized or JointColumn
        The kernel on pairs, for new points.
    """

    def __init__(self, flat: PlainDeformation, mixing: np.ndarray, n_rows: int, points: Any):
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
            F = self.points.evaluate_at(X, coef).reshape(X.shape[0], width, -1)
            return (np.tensordot(F, mix, axes=([1], [0])) for mix in self.mixing)

        return read

    def variances(self, X, q):
        return np.maximum(np.column_stack([self._left(X, mix) for mix in self.mixing]), 0.0)

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
