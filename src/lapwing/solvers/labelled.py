"""The deformed joint kernel where the labels are: all that a structured machine trains on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..linalg.memory import require_bytes
from ..linalg.pencil import FEW, ReducedPencil
from ..regularizers import PSDOperator, ZeroOperator
from ..regularizers.joint import ColumnOperator, PairOperator
from ..regularizers.operators import ScaledOperator
from ..spaces import Deformed, Element, Exact, Space
from ..spaces.pairs import Joint, Pairs
from .krylov import conjugate_gradient

FORM_LIMIT = 5000  # pairs (x, y) up to which their matrices are formed
BATCH = 64
CG_TOL, CG_ITERATIONS = 1e-10, 5000


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


class JointGeometry:
    """The deformed joint space over all rows: kept, it serves any labels and any loss.

    K̃ = K(I + ratio M K)⁻¹ with ratio = γ_I/(γ_A n²) (SO (9), (16)), restricted by :meth:`on`:

    ==========================  =========================================================
    operator, space             how
    ==========================  =========================================================
    the same for all columns,   one n × n factor (or one batch of conjugate gradients)
    or column by column         per distinct operator: n|Y| × n|Y| is never formed
    σ_j M^X, more than 4 σ_j    one tridiagonal reduction of order n for all of them
    coupling, n q ≤ 5,000       one factor of order n q
    coupling, n q above         conjugate gradients, K^X ⊗ I and M applied factor by factor
    any joint kernel            one factor of order n|Y|; the Gram matrix is held anyway
    ==========================  =========================================================

    Parameters
    ----------
    space : Space
    operator : PSDOperator
        Over (n, q) values.
    ratio : float
    q : int
    keep : bool, default=False
        Whether to hold the factors for further labels: n² numbers per distinct operator.
    """

    def __init__(self, space: Space, operator: PSDOperator, ratio: float, q: int, keep=False):
        self.space = space
        self.operator = operator
        self.ratio = ratio
        self.q = q
        self.keep = keep
        self._factors: dict[int, Deformed] = {}

    def on(self, rows: np.ndarray) -> LabelledGram:
        """K̃ over the given rows."""
        if isinstance(self.space, Joint):
            return self._formed(rows, self.space.flat())
        if not isinstance(self.operator, PairOperator):
            n, l = self.space.n_coef, len(rows)
            require_bytes(
                8.0 * len(self._parts) * l * (n + l),
                f"The deformed kernel at {l} labelled of {n} rows, for {len(self._parts)} "
                "different operators,",
                "Label fewer rows, or use an output structure with fewer distinct eigenvalues.",
            )
            return ColumnGram([self._column(j, rows) for j in range(len(self._parts))])
        if isinstance(self.space, Exact) and self.space.n_points * self.q <= FORM_LIMIT:
            gram = np.kron(self.space.gram, np.eye(self.q))
            return self._formed(rows, Exact(gram, self.space.kernel, None))
        return _iterated(Pairs(self.space, self.q), _Flat(self.operator, self.q), self.ratio, rows)

    @property
    def _parts(self) -> Sequence[tuple[np.ndarray, PSDOperator]]:
        if isinstance(self.operator, ColumnOperator):
            return self.operator.parts
        return [(np.arange(self.q), self.operator)]

    @cached_property
    def _pencil(self) -> ReducedPencil | None:
        """One reduction for all σ_j M^X, where they are many; None where factors are cheaper."""
        scaled = [part for _, part in self._parts if not isinstance(part, ZeroOperator)]
        shared = {id(part.operator) for part in scaled if isinstance(part, ScaledOperator)}
        all_scaled = all(isinstance(part, ScaledOperator) for part in scaled)
        if len(scaled) <= FEW or len(shared) != 1 or not all_scaled:
            return None
        assert isinstance(self.space, Exact)
        return ReducedPencil(self.space.gram, scaled[0].operator.apply)  # type: ignore[attr-defined]

    def _column(self, j: int, rows: np.ndarray):
        columns, operator = self._parts[j]
        ratio = 0.0 if isinstance(operator, ZeroOperator) else self.ratio
        if isinstance(self.space, Exact) and self._pencil is not None and ratio:
            assert isinstance(operator, ScaledOperator)
            shift = np.full(len(rows), ratio * operator.weight)
            unit = _units(rows, self.space.n_points)
            sections = self._pencil.solve(np.ones(len(rows)), shift, unit)[0]
        elif isinstance(self.space, Exact):
            sections = self._deformed(j, self.space, operator, ratio).sections(rows)
        else:
            sections = _sections(self.space, operator, ratio, _units(rows, self.space.n_points))
        gram = self.space.evaluate(sections)[rows]
        return columns, 0.5 * (gram + gram.T), sections

    def _formed(self, rows: np.ndarray, pairs: Exact) -> PairGram:
        n, q = self.space.n_points, self.q
        require_bytes(
            8 * (3 * (n * q) ** 2 + n * q * len(rows) * q),
            f"A joint problem of {n} rows and {q} outputs",
            "Use an output affinity that commutes with the output kernel (None is the identity), "
            "a product kernel, or fewer rows.",
        )
        deformed = self._deformed(0, pairs, _Flat(self.operator, q), self.ratio)
        at = _pair_rows(rows, q)
        sections = deformed.sections(at)
        gram = pairs.evaluate(sections)[at]
        return PairGram(_four(gram, q), lambda G: (sections @ G.ravel()).reshape(n, q))

    def _deformed(self, j: int, space: Exact, operator: PSDOperator, ratio: float) -> Deformed:
        deformed = self._factors.get(j, Deformed(space, operator, ratio))
        if self.keep:
            self._factors[j] = deformed
        return deformed


class _Flat(PSDOperator):
    """An operator on (n, q) as one on columns of length n q."""

    def __init__(self, operator: PSDOperator, q: int):
        self.operator = operator
        self.q = q
        self.n = operator.n * q

    def apply(self, F):
        columns = [self.operator.apply(f.reshape(-1, self.q)).reshape(-1) for f in F.T]
        return np.stack(columns, axis=1)


def _iterated(pairs: Pairs, operator: PSDOperator, ratio: float, rows: np.ndarray) -> PairGram:
    q, n_pairs = pairs.q, pairs.n_points
    at = _pair_rows(rows, q)
    gram = np.empty((len(at), len(at)))
    for start in range(0, len(at), BATCH):
        batch = slice(start, start + BATCH)
        sections = _sections(pairs, operator, ratio, _units(at[batch], n_pairs))
        gram[:, batch] = pairs.evaluate(sections)[at]

    def lifted(G: np.ndarray) -> np.ndarray:
        unit = np.zeros((n_pairs, 1))
        unit[at, 0] = G.ravel()
        return _sections(pairs, operator, ratio, unit).reshape(-1, q)

    return PairGram(_four(gram, q), lifted)


def _sections(space: Space, operator: PSDOperator, ratio: float, unit: np.ndarray) -> np.ndarray:
    """(I + Φ* ratio M Φ)⁻¹ represent(unit) by conjugate gradients in the space's metric."""
    nothing = np.zeros_like(unit)
    rhs = space.element(space.represent(nothing, unit))
    if not ratio:
        return rhs.coef

    def apply(v: Element) -> Element:
        pulled = space.represent(ratio * operator.apply(v.values), nothing)
        return space.element(v.coef + pulled)

    tol = CG_TOL * space.norm(rhs)
    return conjugate_gradient(space, apply, rhs, tol=tol, max_iter=CG_ITERATIONS).x.coef


def _units(at: np.ndarray, n: int) -> np.ndarray:
    unit = np.zeros((n, len(at)))
    unit[at, np.arange(len(at))] = 1.0
    return unit


def _pair_rows(rows: np.ndarray, q: int) -> np.ndarray:
    """The indices of all pairs (row, feature), row-major."""
    return (rows[:, None] * q + np.arange(q)).ravel()


def _four(gram: np.ndarray, q: int) -> np.ndarray:
    l = len(gram) // q
    return (0.5 * (gram + gram.T)).reshape(l, q, l, q)
