"""Views with their coupling moved into the norm: the multi-view kernel on the training rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..linalg.resolvents import (
    BlockDiagonal,
    Consensus,
    Nested,
    NoPenalty,
    Resolvent,
    Shared,
    Single,
)
from ..linalg.resolvents.base import Cholesky
from ..regularizers.disagreement import DisagreementOperator, IntrinsicCoupling, ViewCoupling
from ..regularizers.operators import PSDOperator, ZeroOperator
from .exact import Exact
from .views import Views
from .with_intrinsic import WithIntrinsic

Apply = Callable[[np.ndarray], np.ndarray]


class Coregularized:
    """Σ_j γ_j ‖f^j‖² + ratio · ⟨f, M f⟩ in place of Σ_j γ_j ‖f^j‖² (MV eq. 5).

    Parameters
    ----------
    space : Views or WithIntrinsic
        Over exact spaces.
    operator : ViewCoupling or IntrinsicCoupling
    ratio : float

    References
    ----------
    MV Theorem 1, eqs. 5 and 6.
    """

    def __init__(self, space: Views | WithIntrinsic, operator: PSDOperator, ratio: float):
        self.space = space
        self.operator = operator
        self.ratio = ratio

    def sections(self, rows: np.ndarray) -> np.ndarray:
        """Coefficients in the space of k̃(·, x_i) for the given rows i, (n_coef, len(rows))."""
        if isinstance(self.space, WithIntrinsic):
            return self._intrinsic_sections(self.space, rows)
        if not isinstance(self.operator, ViewCoupling):
            raise TypeError(f"Views need a ViewCoupling, got {type(self.operator).__name__}.")
        own = [_apply_of(operator) for operator in self.operator.own]
        return _ambient_sections(
            self.space, self.operator.disagreement, own, self.ratio, unit_readout(self.space, rows)
        )

    def _intrinsic_sections(self, space: WithIntrinsic, rows: np.ndarray) -> np.ndarray:
        """With g^j eliminated, f^j is penalised by Q_j = N_j (I + N_j/c)⁻¹ = R_j N_j, and

            g^j = R_j f^j + a part of its own with kernel R_j/(c · ratio).

        No inverse of N_j is needed, hence no ridge where N_j is singular.
        """
        views, operator = space.views, self.operator
        if not isinstance(operator, IntrinsicCoupling):
            raise TypeError(f"CoMR needs an IntrinsicCoupling, got {type(operator).__name__}.")
        unit = unit_readout(views, rows)
        if operator.strength == 0:  # nothing ties g to f, and nothing else asks for g
            own: list[Apply | None] = [None] * len(views.spaces)
            f = _ambient_sections(views, operator.disagreement, own, self.ratio, unit)
            return np.vstack([f, np.zeros_like(unit)])
        smoothers = [Smoother(N, operator.strength) for N in operator.intrinsic]
        smooth = BlockApply([R.apply for R in smoothers], views.value_slices)
        smoothed = smooth(unit)
        target = (1.0 - space.a_I) * unit + space.a_I * smoothed
        own = [R.penalty for R in smoothers]
        f = _ambient_sections(views, operator.disagreement, own, self.ratio, target)
        g = smooth(views.evaluate(f))
        if space.a_I:
            g += space.a_I / (self.ratio * operator.strength) * smoothed
        return np.vstack([f, g])


class Smoother:
    """R = (I + N/c)⁻¹, and the penalty Q = R N that is left on f when g follows it."""

    def __init__(self, N: PSDOperator, c: float):
        self.N = N
        system = N.toarray() / c
        system.flat[:: len(system) + 1] += 1.0
        self._factor = Cholesky(system)

    def apply(self, F: np.ndarray) -> np.ndarray:
        return self._factor.solve(F)

    def penalty(self, F: np.ndarray) -> np.ndarray:
        return self._factor.solve(self.N.apply(F))


class BlockApply:
    """A block-diagonal operator, each block given by its product."""

    def __init__(self, blocks: Sequence[Apply], slices: Sequence[slice]):
        self.blocks = blocks
        self.slices = slices

    def __call__(self, F: np.ndarray) -> np.ndarray:
        parts = zip(self.blocks, self.slices, strict=True)
        return np.vstack([block(F[at]) for block, at in parts])


def unit_readout(views: Views, rows: np.ndarray) -> np.ndarray:
    """The readout at the given rows as functionals of the stacked values, (n_points, l)."""
    unit = np.zeros((views.n_points, len(rows)))
    for j, present in enumerate(views.rows):
        place = np.searchsorted(present, rows)
        found = np.flatnonzero(present[np.minimum(place, len(present) - 1)] == rows)
        start = views.value_slices[j].start
        unit[start + place[found], found] = views.weights[rows[found], j]
    return unit


def _ambient_sections(
    views: Views,
    disagreement: DisagreementOperator,
    own: Sequence[Apply | None],
    ratio: float,
    unit: np.ndarray,
) -> np.ndarray:
    """Coefficients of the functions that represent the functionals ``unit`` of the values."""
    B = [_gram(space) / gamma for space, gamma in zip(views.spaces, views.gammas, strict=True)]
    T = coupling_resolvent(disagreement, own, B, ratio)
    c = unit - T.apply(BlockApply([block.__matmul__ for block in B], views.value_slices)(unit))
    for at, gamma in zip(views.value_slices, views.gammas, strict=True):
        c[at] /= gamma
    return c


def coupling_resolvent(
    disagreement: DisagreementOperator,
    own: Sequence[Apply | None],
    B: Sequence[np.ndarray],
    scale: float,
) -> Resolvent:
    """T of scale · (disagreement + diag(R_j)) and diag(B_j), by its structure.

    Each view's own penalty first deforms its own kernel; the disagreement then acts on what is
    left. Two views cost one Cholesky factor of order n, m ≥ 3 views m + 1 of them.

    Parameters
    ----------
    disagreement : DisagreementOperator
    own : sequence of callables or None
        F ↦ R_j F.
    B : sequence of arrays of shape (n_j, n_j)
        K^j/γ_j.
    scale : float
    """
    if not any(own) or scale == 0:
        return _disagreement_resolvent(disagreement, B, scale)
    alone = [
        NoPenalty(len(block)) if apply is None else Single(block, apply, scale)
        for block, apply in zip(B, own, strict=True)
    ]
    inner = BlockDiagonal(alone)
    if len(B) == 1 or disagreement.weight == 0:
        return inner
    left = [
        T.remaining() if isinstance(T, Single) else block for T, block in zip(alone, B, strict=True)
    ]
    outer = _disagreement_resolvent(disagreement, left, scale)
    return Nested(inner, outer, BlockApply([block.__matmul__ for block in B], inner.slices))


def _disagreement_resolvent(
    disagreement: DisagreementOperator, B: Sequence[np.ndarray], scale: float
) -> Resolvent:
    if len(B) == 1 or scale * disagreement.weight == 0:
        return NoPenalty(disagreement.n)
    if len(B) == 2:
        first, second = disagreement.rows
        common, *places = np.intersect1d(first, second, assume_unique=True, return_indices=True)
        if not len(common):
            return NoPenalty(disagreement.n)
        return Shared(B, places, (1.0, -1.0), scale * disagreement.pair_weight)
    weights = [scale * w for w in disagreement.row_weights]
    return Consensus(B, disagreement.rows, weights)


def _gram(space) -> np.ndarray:
    if not isinstance(space, Exact):
        raise TypeError(
            f"Factoring the coupling of views needs exact spaces, not {type(space).__name__}. Use "
            "solver='cg'."
        )
    return space.gram


def _apply_of(operator: PSDOperator | None) -> Apply | None:
    return None if operator is None or isinstance(operator, ZeroOperator) else operator.apply
