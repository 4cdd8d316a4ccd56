"""The deformed joint space, restricted to labelled rows in the cheapest way there is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..linalg.memory import require_bytes
from ..linalg.pencil import FEW, ReducedPencil
from ..regularizers import PSDOperator, ZeroOperator
from ..regularizers.joint import ColumnOperator, PairOperator
from ..regularizers.operators import ScaledOperator
from ..spaces import Deformed, Exact, Space
from ..spaces.pairs import Joint, Pairs
from .labelled import ColumnGram, LabelledGram, PairGram
from .pair_sections import (
    FlatOperator,
    by_batches,
    four_indices,
    pair_rows,
    preconditioned,
    preconditioner,
    sections_by_cg,
    units,
)

FORM_LIMIT = 5000  # pairs (x, y) up to which their matrices are formed


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
        return self._iterated(rows, self.operator)

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
            unit = units(rows, self.space.n_points)
            sections = self._pencil.solve(np.ones(len(rows)), shift, unit)[0]
        elif isinstance(self.space, Exact):
            sections = self._deformed(j, self.space, operator, ratio).sections(rows)
        else:
            sections = sections_by_cg(self.space, operator, ratio, units(rows, self.space.n_points))
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
        deformed = self._deformed(0, pairs, FlatOperator(self.operator, q), self.ratio)
        at = pair_rows(rows, q)
        sections = deformed.sections(at)
        gram = pairs.evaluate(sections)[at]
        return PairGram(four_indices(gram, q), lambda G: (sections @ G.ravel()).reshape(n, q))

    def _iterated(self, rows: np.ndarray, operator: PairOperator) -> PairGram:
        pairs, flat = Pairs(self.space, self.q), FlatOperator(operator, self.q)
        precondition = preconditioner(self.space, operator, self.ratio)

        def sections(unit: np.ndarray) -> np.ndarray:
            if precondition is None or not self.ratio:
                return sections_by_cg(pairs, flat, self.ratio, unit)
            return preconditioned(pairs, flat, self.ratio, unit, precondition)

        return by_batches(pairs, rows, sections)

    def _deformed(self, j: int, space: Exact, operator: PSDOperator, ratio: float) -> Deformed:
        deformed = self._factors.get(j, Deformed(space, operator, ratio))
        if self.keep:
            self._factors[j] = deformed
        return deformed
