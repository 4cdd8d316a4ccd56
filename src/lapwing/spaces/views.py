"""Several functions at once, one per view, read out as their weighted sum."""

from collections.abc import Sequence

import numpy as np

from ..linalg.resolvents import Resolvent
from ..linalg.resolvents.base import slices_of
from ..views import SplitRows
from .base import Element, Space
from .deformation import CallableSystem, ScaledIdentity, System
from .exact import DIRECT_LIMIT


class Views(Space):
    """f = (f^1 … f^m), f^j in S_j; M sees their values stacked, the loss Σ_j a_j f^j.

    evaluate(c) = (S_j.evaluate(c_j))_j, represent(r) = (S_j.represent(r_j)/γ_j)_j,
    inner(a, b) = Σ_j γ_j S_j.inner(a_j, b_j). A row that lacks a view has no value there, and
    the other views share its weight in the readout.

    Parameters
    ----------
    spaces : sequence of Space
        S_j over the rows that view j has.
    points : SplitRows
        The n training rows, view by view.
    a : array of shape (m,)
        View weights.
    gammas : array of shape (m,)
        γ_j > 0.

    References
    ----------
    MV eq. 4.
    """

    def __init__(
        self,
        spaces: Sequence[Space],
        points: SplitRows,
        a: np.ndarray,
        gammas: np.ndarray,
    ):
        self.spaces = tuple(spaces)
        self.points = points
        self.rows = points.rows
        self.a = a
        self.gammas = gammas
        self.weights = points.readout_weights(a)
        self.value_slices = slices_of([space.n_points for space in spaces])
        self.coef_slices = slices_of([space.n_coef for space in spaces])
        self.n_points = self.value_slices[-1].stop
        self.n_coef = self.coef_slices[-1].stop

    @property
    def n_rows(self):
        return self.points.n

    def evaluate(self, coef):
        return np.vstack([space.evaluate(part) for space, part in self._parts(coef)])

    def readout(self, e):
        return self.combine(e.values)

    def evaluate_views(self, X: SplitRows, coef: np.ndarray) -> list[np.ndarray]:
        """f^j at the rows of X that have view j."""
        pairs = zip(self._parts(coef), X.blocks, strict=True)
        return [space.evaluate_at(block, part) for (space, part), block in pairs]

    def evaluate_at(self, X: SplitRows, coef):
        return combine(self.evaluate_views(X, coef), X, X.readout_weights(self.a))

    def represent(self, r_M, r_loss):
        stacked = r_M if np.isscalar(r_loss) else r_M + self.spread(r_loss)
        pieces = zip(self.spaces, self.value_slices, self.gammas, strict=True)
        return np.vstack([space.represent(stacked[at], 0.0) / g for space, at, g in pieces])

    def inner(self, a: Element, b: Element):
        return sum(
            self.gammas[j] * space.inner(self._part(a, j), self._part(b, j))
            for j, space in enumerate(self.spaces)
        )

    def penalized(self, coef):
        return np.vstack([space.penalized(part) for space, part in self._parts(coef)])

    def combine(self, stacked: np.ndarray) -> np.ndarray:
        """Σ_j a_j f^j at each row, (n, t), from the stacked values."""
        return combine([stacked[at] for at in self.value_slices], self.points, self.weights)

    def spread(self, r: np.ndarray) -> np.ndarray:
        """The adjoint of :meth:`combine`: a_j r at the rows that have view j, stacked."""
        pieces = [self.weights[rows, j, None] * r[rows] for j, rows in enumerate(self.rows)]
        return np.vstack(pieces)

    def _parts(self, coef: np.ndarray):
        return [(s, coef[at]) for s, at in zip(self.spaces, self.coef_slices, strict=True)]

    def _part(self, e: Element, j: int) -> Element:
        """The j-th function, with its values where they are known."""
        coef, at = e.coef[self.coef_slices[j]], self.value_slices[j]
        return Element(self.spaces[j], coef, source=e, at=at)

    # The views' coupling in closed form (MV Theorem 1, eqs. 5 and 6).

    @property
    def kernels(self) -> list[np.ndarray] | None:
        """B_j = K^j/γ_j where all views hold their Gram matrices and these can be factored."""
        blocks = []
        for space, g in zip(self.spaces, self.gammas, strict=True):
            gram = space.gram
            if gram is None or len(gram) > DIRECT_LIMIT:
                return None
            blocks.append(gram if g == 1.0 else gram / g)
        return blocks

    def system(self, gamma_A, form):
        if form.w is not None:
            return None  # the loss sees a sum of values: solved on the labeled rows instead
        if not form.lam:
            return ScaledIdentity(self, gamma_A)
        B = self.kernels
        T = None if B is None else form.operator.resolvent(B, form.lam / gamma_A)
        return None if T is None else self.coupled(gamma_A, T)

    def coupled(self, gamma_A: float, T: Resolvent) -> System:
        """The system of γ_A and a penalty with T = (I + N B)⁻¹ N: c − γ_j⁻¹ T K c, c = r/γ_A."""
        pieces = zip(self.spaces, self.gammas, strict=True)
        gamma = np.concatenate([np.full((space.n_coef, 1), g) for space, g in pieces])

        def solve(R):
            c = R / gamma_A
            return self.element(c - T.apply(self.evaluate(c)) / gamma)

        return CallableSystem(solve)

    def pencil(self, form, n_shifts):
        return None

    def prior(self, X, Z=None):
        Z, other = X if Z is None else Z, Z
        left, right = X.readout_weights(self.a), Z.readout_weights(self.a)
        out = np.zeros((X.n, Z.n))
        for j, (space, gamma) in enumerate(zip(self.spaces, self.gammas, strict=True)):
            K = space.prior(X.blocks[j], None if other is None else other.blocks[j])
            r, c = X.rows[j], Z.rows[j]
            out[np.ix_(r, c)] += (left[r, j, None] / gamma) * K * right[c, j]
        return out

    def prior_diagonal(self, X):
        weights, out = X.readout_weights(self.a), np.zeros(X.n)
        for j, (space, gamma) in enumerate(zip(self.spaces, self.gammas, strict=True)):
            r = X.rows[j]
            out[r] += weights[r, j] ** 2 / gamma * space.prior_diagonal(X.blocks[j])
        return out

    def sections(self, X):
        weights, parts = X.readout_weights(self.a), []
        for j, (space, gamma) in enumerate(zip(self.spaces, self.gammas, strict=True)):
            whole = np.zeros((space.n_points, X.n))
            whole[:, X.rows[j]] = space.sections(X.blocks[j]) * (weights[X.rows[j], j] / gamma)
            parts.append(whole)
        return np.vstack(parts)

    def dual(self, coef):
        parts = [space.dual(part) for space, part in self._parts(coef)]
        if any(part is None for part in parts):
            return None
        return np.vstack([g * part for g, part in zip(self.gammas, parts, strict=True)])


def combine(parts: Sequence[np.ndarray], X: SplitRows, weights: np.ndarray) -> np.ndarray:
    """Σ_j a_j f^j at each row, (n, t), from the values of f^j at the rows that have view j."""
    out = np.zeros((X.n, parts[0].shape[1]))
    for j, part in enumerate(parts):
        rows = X.rows[j]
        out[rows] += weights[rows, j, None] * part
    return out
