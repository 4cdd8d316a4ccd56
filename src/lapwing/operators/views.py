"""The disagreement between views, and the penalties of single views."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import scipy.sparse as sp

from ..linalg.resolvents import block_diagonal, nested, no_penalty, single
from ..linalg.resolvents.base import slices_of, stacked
from .algebra import ScaledOperator, SumOperator, union
from .base import PSDOperator, ZeroOperator
from .factored import FactoredOperator


class DisagreementOperator(FactoredOperator):
    """⟨f, M f⟩ = Σ_{j<k} ‖f^j − f^k‖² over the rows that have both views.

    f are the values of the m views, stacked view by view. For complete rows M = (m I − 11ᵀ) ⊗ I_n:
    (m − 1) I on the diagonal and −I off it. (MV prints I on the diagonal, which is not PSD for m ≥
    3.)

    With ``precisions`` w, the term of a row is min_g Σ_j w_j (f^j − g)², the distance from a
    consensus g. Each pair then has the weight w_j w_k / Σ w. This is the prior of Bayesian
    co-training with w_j = 1/σ_j². Pairwise disagreement is the case w_j = the number of views at
    the row.

    Parameters
    ----------
    rows : sequence of sorted integer arrays of shape (n_j,)
        The rows that have each view.
    n_rows : int
        The number of rows of X.
    precisions : array of shape (m,), optional
        w.
    weight : float ≥ 0
        A factor of the whole operator.

    References
    ----------
    MV, "Supervised Learning, MR, CoMR, and other Special Cases".

    Examples
    --------
    >>> M = DisagreementOperator([np.arange(2), np.arange(2)], 2)
    >>> M.value(np.array([[1.0], [0.0], [3.0], [0.0]]))
    array([4.])
    """

    def __init__(
        self,
        rows: Sequence[np.ndarray],
        n_rows: int,
        precisions: np.ndarray | None = None,
        weight: float = 1.0,
    ):
        self.rows = tuple(rows)
        self.n_rows = n_rows
        self.slices = slices_of([len(r) for r in rows])
        self.precisions = precisions
        self.weight = float(weight)
        if precisions is None:
            w = np.bincount(np.concatenate(self.rows), minlength=n_rows) * np.ones((len(rows), 1))
        else:
            w = np.outer(precisions, np.ones(n_rows))
        super().__init__(self._factor(self.weight * w))

    def _factor(self, weights: np.ndarray) -> sp.csr_array:
        """V, (n, r), from weights (m, n): each view of a row minus the mean of those before it.

        Σ_j w_j (f^j − g)² = Σ_k w_k S_{k−1}/S_k (f^k − g_{k−1})²,  S_k = w_1 + … + w_k.
        """
        shape = self.n_rows, self.slices[-1].stop
        mean, total, found = sp.csr_array(shape), np.zeros(self.n_rows), []
        for at, rows, w in zip(self.slices, self.rows, weights, strict=True):
            places = (rows, np.arange(at.start, at.stop))
            far = sp.csr_array((np.ones(len(rows)), places), shape=shape) - mean
            here = np.zeros(self.n_rows)
            here[rows] = w[rows]
            share = np.divide(here, total + here, out=np.zeros_like(here), where=here > 0)
            size = np.sqrt(share * total)
            found.append((sp.diags_array(size) @ far)[size > 0])
            mean, total = sp.csr_array(mean + sp.diags_array(share) @ far), total + here
        return sp.csr_array(sp.vstack(found).T)

    def times(self, weight: float) -> "DisagreementOperator":
        """weight · M."""
        return DisagreementOperator(
            self.rows, self.n_rows, self.precisions, weight=weight * self.weight
        )

    def over_views(self, weight):
        return ViewCoupling(self.times(weight), [None] * len(self.rows))


class ViewCoupling(PSDOperator):
    """The disagreement of the views, plus a penalty ⟨f^j, R_j f^j⟩ of each view that has one.

    Parameters
    ----------
    disagreement : DisagreementOperator
        It also has the rows of each view. ``times(0)`` of it is no disagreement.
    own : sequence of PSDOperator or None
        R_j, over the rows that have view j.

    Attributes
    ----------
    graph : WeightedGraph or None
        The union of the views' graphs, over the n rows. A label that reaches a row in one view
        reaches it in all.
    """

    def __init__(self, disagreement: DisagreementOperator, own: Sequence[PSDOperator | None]):
        self.disagreement = disagreement
        self.own = _penalties(disagreement, own)
        self.n = disagreement.n
        self.graph = union(disagreement.n_rows, list(zip(disagreement.rows, self.own, strict=True)))

    def apply(self, F):
        return self.disagreement.apply(F) + self._apply_own(F)

    def _apply_own(self, F):
        return stacked([op.apply for op in self.own], self.disagreement.slices)(F)

    def resolvent(self, B, scale):
        """The penalty of a view deforms its kernel; the disagreement takes the deformed kernels."""
        if not any(op.coupling for op in self.own):
            return self.disagreement.resolvent(B, scale)
        alone = [
            single(block, op.apply, scale) if op.coupling else no_penalty(len(block))
            for block, op in zip(B, self.own, strict=True)
        ]
        inner = block_diagonal(alone)
        if not self.disagreement.weight:
            return inner
        left = [T.remaining(block) for T, block in zip(alone, B, strict=True)]
        outer = self.disagreement.resolvent(left, scale)
        return nested(inner, outer, stacked([block.dot for block in B], self.disagreement.slices))

    def over_views(self, weight):
        return ViewCoupling(self.disagreement.times(weight), self._weighted(weight))

    def _weighted(self, weight: float) -> list[PSDOperator]:
        return [ScaledOperator(op, weight) if op.coupling else op for op in self.own]

    def plus(self, other):
        """The sum of two couplings; None where both have a disagreement, which cannot be added."""
        if self.disagreement.weight and other.disagreement.weight:
            return None
        first = self.disagreement if self.disagreement.weight else other.disagreement
        own = [_added(*pair) for pair in zip(self.own, other.own, strict=True)]
        return self._with(first, own, other)

    def _with(self, disagreement, own, other) -> "ViewCoupling":
        return ViewCoupling(disagreement, own)


class IntrinsicCoupling(ViewCoupling):
    """Manifold co-regularization over (f^1 … f^m, g^1 … g^m), ambient and intrinsic functions.

        disagreement(f) + c Σ_j ‖f^j − g^j‖² + Σ_j ⟨g^j, N_j g^j⟩

    The minimum over g^j leaves ⟨f^j, N_j (I + N_j/c)⁻¹ f^j⟩. (MV prints γ_I/2λ where γ_I/λ is right
    for its own M_C.)

    Parameters
    ----------
    disagreement : DisagreementOperator
        Of the ambient functions f^j.
    strength : float ≥ 0
        c.
    intrinsic : sequence of PSDOperator or None
        N_j.

    References
    ----------
    MV, "Manifold Co-Regularization".
    """

    def __init__(
        self,
        disagreement: DisagreementOperator,
        strength: float,
        intrinsic: Sequence[PSDOperator | None],
    ):
        super().__init__(disagreement, intrinsic)
        self.strength = float(strength)
        self.n = 2 * disagreement.n

    def apply(self, F):
        f, g = F[: self.disagreement.n], F[self.disagreement.n :]
        pull = self.strength * (f - g)
        return np.vstack([self.disagreement.apply(f) + pull, self._apply_own(g) - pull])

    def resolvent(self, B, scale):
        return None

    def eliminated(self):
        """(own penalties ↦ the operator that is left on the f^j), c, and the N_j."""
        if not all(op.coupling for op in self.own):
            return ()
        return partial(ViewCoupling, self.disagreement), self.strength, self.own

    def over_views(self, weight):
        tied = self.disagreement.times(weight)
        return IntrinsicCoupling(tied, weight * self.strength, self._weighted(weight))

    def _with(self, disagreement, own, other):
        return IntrinsicCoupling(disagreement, self.strength + other.strength, own)


def _added(first: PSDOperator, second: PSDOperator) -> PSDOperator:
    coupling = [operator for operator in (first, second) if operator.coupling]
    return SumOperator(coupling) if len(coupling) == 2 else (coupling or [first])[0]


def _penalties(
    disagreement: DisagreementOperator, own: Sequence[PSDOperator | None]
) -> tuple[PSDOperator, ...]:
    """One operator for each view; zero where the view has none."""
    pairs = zip(disagreement.rows, own, strict=True)
    return tuple(operator or ZeroOperator(len(rows)) for rows, operator in pairs)
