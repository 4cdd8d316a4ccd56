"""Several functions at once, one per view of the data; the loss sees their weighted sum."""

from collections.abc import Sequence

import numpy as np

from ..linalg.resolvents import Resolvent
from ..linalg.resolvents.base import slices_of
from ..views import SplitRows
from .base import Element, SameAs, Space
from .covariance import Covariance
from .exact import DIRECT_LIMIT
from .systems import CallableSystem, KrylovSystem, System, closed_form


class Views(Space):
    """f = (f^1 … f^m), f^j in S_j; M sees their values stacked, the loss sees Σ_j a_j f^j.

    The space has evaluate(c) = (S_j.evaluate(c_j))_j, represent(r) = (S_j.represent(r_j)/γ_j)_j and
    inner(a, b) = Σ_j γ_j S_j.inner(a_j, b_j). A row that lacks a view has no value there. The other
    views share the weight of the missing one in the readout.

    Parameters
    ----------
    spaces : sequence of Space
        S_j, over the rows that have view j.
    points : SplitRows
        The n training rows, view by view.
    a : array of shape (m,)
        Weights of the views in the readout.
    gammas : array of shape (m,)
        γ_j > 0, weights of the views in the norm.

    References
    ----------
    MV eq. 4.
    """

    n_rows = SameAs("points.n")

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

    def evaluate(self, coef):
        return np.vstack([space.evaluate(part) for space, part in self._parts(coef)])

    def readout(self, e):
        return self.combine(e.values)

    def evaluate_views(self, X: SplitRows, coef: np.ndarray) -> list[np.ndarray]:
        """The values of each f^j at the rows of X that have view j."""
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

    @property
    def penalty(self):
        own = [np.broadcast_to(space.penalty, (space.n_coef, 1)) for space in self.spaces]
        return np.vstack(own)

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
    def kernels(self) -> list[np.ndarray]:
        """B_j = K^j/γ_j, or an empty list where a view does not store K^j or it is too large."""
        grams = [space.gram for space in self.spaces]
        if not all(0 < len(gram) <= DIRECT_LIMIT for gram in grams):
            return []
        pairs = zip(grams, self.gammas, strict=True)
        return [gram if g == 1.0 else gram / g for gram, g in pairs]

    def system(self, gamma_A, form, n_shifts=1):
        if len(form.rows):
            # the loss sees a sum of values: the solvers use the labeled rows instead
            return KrylovSystem(self, gamma_A, form)
        B = self.kernels
        if not (form.lam and B):
            return closed_form(self, gamma_A, form)
        T = form.operator.resolvent(B, form.lam / gamma_A)
        return self.coupled(gamma_A, T) if T else KrylovSystem(self, gamma_A, form)

    def coupled(self, gamma_A: float, T: Resolvent) -> System:
        """The system of γ_A and a penalty with T = (I + N B)⁻¹ N: c − γ_j⁻¹ T K c, c = r/γ_A."""
        pieces = zip(self.spaces, self.gammas, strict=True)
        gamma = np.concatenate([np.full((space.n_coef, 1), g) for space, g in pieces])

        def solve(R):
            c = R / gamma_A
            return self.element(c - T.apply(self.evaluate(c)) / gamma)

        return CallableSystem(self, solve)

    @property
    def covariance(self):
        return ViewsCovariance(self)


class ViewsCovariance(Covariance):
    """Σ_j a_j² k_j/γ_j over the views that a row has."""

    space: Views

    @property
    def summands(self):
        """(The covariance of f^j, the rows that have view j, a_j at these rows), view by view."""
        parts = zip(self.space.spaces, self.space.rows, self.space.weights.T, strict=True)
        return [(space.covariance, rows, a[rows]) for space, rows, a in parts]

    def _views(self):
        pairs = zip(self.space.spaces, self.space.gammas, strict=True)
        return [(j, space.covariance, gamma) for j, (space, gamma) in enumerate(pairs)]

    def between(self, X, Z=None):
        Z, other = X if Z is None else Z, Z
        left, right = X.readout_weights(self.space.a), Z.readout_weights(self.space.a)
        out = np.zeros((X.n, Z.n))
        for j, covariance, gamma in self._views():
            K = covariance.between(X.blocks[j], None if other is None else other.blocks[j])
            r, c = X.rows[j], Z.rows[j]
            out[np.ix_(r, c)] += (left[r, j, None] / gamma) * K * right[c, j]
        return out

    def diagonal(self, X):
        weights, out = X.readout_weights(self.space.a), np.zeros(X.n)
        for j, covariance, gamma in self._views():
            out[X.rows[j]] += weights[X.rows[j], j] ** 2 / gamma * covariance.diagonal(X.blocks[j])
        return out

    def sections(self, X):
        weights, parts = X.readout_weights(self.space.a), []
        for j, covariance, gamma in self._views():
            whole = np.zeros((self.space.spaces[j].n_points, X.n))
            whole[:, X.rows[j]] = covariance.sections(X.blocks[j]) * (weights[X.rows[j], j] / gamma)
            parts.append(whole)
        return np.vstack(parts)


def combine(parts: Sequence[np.ndarray], X: SplitRows, weights: np.ndarray) -> np.ndarray:
    """Σ_j a_j f^j at each row, (n, t), from the values of each f^j at the rows that have view j."""
    out = np.zeros((X.n, parts[0].shape[1]))
    for part, rows, a in zip(parts, X.rows, weights.T, strict=True):
        out[rows] += a[rows, None] * part
    return out
