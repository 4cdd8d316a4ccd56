"""The deformed joint kernel where the labels are: all that a structured machine trains on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..linalg.memory import require_bytes
from ..objective import Objective
from ..regularizers import PSDOperator, ZeroOperator
from ..regularizers.joint import ColumnOperator, PairOperator
from ..spaces import Deformed, Exact
from ..spaces.pairs import Joint, Pairs
from .krylov import conjugate_gradient
from .reduce import reduce

FORM_LIMIT = 5000  # pairs (x, y) up to which their matrices are formed
BATCH = 64


class LabelledGram(ABC):
    """K̃ over the pairs (labelled row, feature), with F = Σ G_ij k̃_ij for G of shape (l, q)."""

    @abstractmethod
    def apply(self, G: np.ndarray) -> np.ndarray:
        """The values of Σ G_ij k̃_ij at the labelled rows, (l, q)."""

    @abstractmethod
    def cross(self, i, D, j, E) -> np.ndarray:
        """⟨e_i ⊗ d, K̃ (e_j ⊗ e)⟩ of all rows d of D (at i) with all rows e of E (at j)."""

    @abstractmethod
    def lift(self, G: np.ndarray) -> np.ndarray:
        """The coefficients in the objective's space, (m, q)."""


@dataclass(frozen=True)
class ColumnGram(LabelledGram):
    """K̃_j for each feature j; features with one operator share it.

    Attributes
    ----------
    parts : list of (columns, gram (l, l), sections (m, l))
    """

    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]]

    def apply(self, G):
        out = np.empty_like(G)
        for columns, gram, _ in self.parts:
            out[:, columns] = gram @ G[:, columns]
        return out

    def cross(self, i, D, j, E):
        total = np.zeros((len(i), len(j)))
        for columns, gram, _ in self.parts:
            product = D[:, columns] @ E[:, columns].T
            if product.any():  # the features of singular directions are zero
                total += gram[np.ix_(i, j)] * product
        return total

    def lift(self, G):
        coef = np.empty((len(self.parts[0][2]), G.shape[1]))
        for columns, _, sections in self.parts:
            coef[:, columns] = sections @ G[:, columns]
        return coef


@dataclass(frozen=True)
class PairGram(LabelledGram):
    """K̃ over pairs as one matrix, where an operator or a kernel couples the features.

    Attributes
    ----------
    gram : array of shape (l, q, l, q)
    lifted : callable
        (l, q) ↦ (n, q), the coefficients.
    """

    gram: np.ndarray
    lifted: Callable[[np.ndarray], np.ndarray]

    def apply(self, G):
        return np.tensordot(self.gram, G, axes=2)

    def cross(self, i, D, j, E):
        l, q = self.gram.shape[:2]
        left = np.zeros((len(i), l, q))
        left[np.arange(len(i)), i] = D
        pulled = np.tensordot(left, self.gram, axes=2)
        return np.einsum("mkq,kq->mk", pulled[:, j], E)

    def lift(self, G):
        return self.lifted(G)


def labelled_gram(objective: Objective) -> LabelledGram:
    """K̃ = K(I + ratio M K)⁻¹ on the labelled rows of the objective (SO (9), (16)).

    ==========================  =========================================================
    operator, space             how
    ==========================  =========================================================
    the same for all columns,   one n × n factor (or one batch of conjugate gradients)
    or column by column         per distinct operator: n|Y| × n|Y| is never formed
    coupling, n q ≤ 5,000       one factor of order n q
    coupling, n q above         conjugate gradients, K^X ⊗ I and M applied factor by factor
    any joint kernel            one factor of order n|Y|; the Gram matrix is held anyway
    ==========================  =========================================================
    """
    operator, space = objective.operator, objective.space
    if isinstance(space, Joint):
        return _formed(objective, space.flat())
    if isinstance(operator, PairOperator):
        if space.n_points * objective.n_columns <= FORM_LIMIT and isinstance(space, Exact):
            return _formed(objective, _kronecker(space, objective.n_columns))
        return _iterated(objective, Pairs(space, objective.n_columns))
    parts = (
        operator.parts
        if isinstance(operator, ColumnOperator)
        else [(np.arange(objective.n_columns), operator)]
    )
    grams = []
    for columns, part in parts:
        reduced = reduce(_with_operator(objective, part))
        grams.append((columns, reduced.gram, reduced.sections))
    return ColumnGram(grams)


def _with_operator(objective: Objective, operator: PSDOperator) -> Objective:
    gamma_I = 0.0 if isinstance(operator, ZeroOperator) else objective.lam * objective.n_rows**2
    weights = np.zeros((objective.n_rows, objective.w.shape[1]))
    weights[objective.rows] = objective.w
    Y = np.zeros((objective.n_rows, objective.n_columns))
    return Objective(
        objective.loss, Y, weights, objective.space, operator, objective.gamma_A, gamma_I
    )


def _kronecker(space: Exact, q: int) -> Exact:
    return Exact(np.kron(space.gram, np.eye(q)), space.kernel, None)


class _Flat(PSDOperator):
    """An operator on (n, q) as one on columns of length n q."""

    def __init__(self, operator: PSDOperator, q: int):
        self.operator = operator
        self.q = q
        self.n = operator.n * q

    def apply(self, F):
        columns = [self.operator.apply(f.reshape(-1, self.q)).reshape(-1) for f in F.T]
        return np.stack(columns, axis=1)


def _formed(objective: Objective, pairs: Exact) -> PairGram:
    n, q = objective.n_rows, objective.n_columns
    require_bytes(
        8 * (3 * (n * q) ** 2 + n * q * len(objective.rows) * q),
        f"A joint problem of {n} rows and {q} outputs",
        "Use an output affinity that commutes with the output kernel (None is the identity), a "
        "product kernel, or fewer rows.",
    )
    operator = _Flat(objective.operator, q)
    deformed = Deformed(pairs, operator, objective.lam / objective.gamma_A)
    at = (objective.rows[:, None] * q + np.arange(q)).ravel()
    sections = deformed.sections(at)
    gram = (pairs.gram @ sections)[at]
    return PairGram(_four(0.5 * (gram + gram.T), q), lambda G: (sections @ G.ravel()).reshape(n, q))


def _iterated(objective: Objective, pairs: Pairs) -> PairGram:
    n, q = objective.n_rows, objective.n_columns
    ratio = objective.lam / objective.gamma_A
    operator = _Flat(objective.operator, q)
    at = (objective.rows[:, None] * q + np.arange(q)).ravel()

    def represent(unit: np.ndarray) -> np.ndarray:
        nothing = np.zeros_like(unit)
        rhs = pairs.element(pairs.represent(nothing, unit))

        def apply(v):
            pulled = pairs.represent(ratio * operator.apply(v.values), nothing)
            return pairs.element(v.coef + pulled)

        tol = 1e-10 * pairs.norm(rhs)
        return conjugate_gradient(pairs, apply, rhs, tol=tol, max_iter=5000).x.coef

    gram = np.empty((len(at), len(at)))
    for start in range(0, len(at), BATCH):
        batch = at[start : start + BATCH]
        unit = np.zeros((n * q, len(batch)))
        unit[batch, np.arange(len(batch))] = 1.0
        gram[:, start : start + BATCH] = pairs.evaluate(represent(unit))[at]

    def lifted(G: np.ndarray) -> np.ndarray:
        unit = np.zeros((n * q, 1))
        unit[at, 0] = G.ravel()
        return represent(unit).reshape(-1, q)

    return PairGram(_four(0.5 * (gram + gram.T), q), lifted)


def _four(gram: np.ndarray, q: int) -> np.ndarray:
    l = len(gram) // q
    return gram.reshape(l, q, l, q)
