"""Related outputs: independent functions F, mixed into outputs F Λᵀ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

import numpy as np

from ..linalg.quadratic_form import QuadraticForm
from .base import Element, Space, scalar
from .deformation import Deformation, MixedDeformation, deformations
from .mixing import Mixing, OutputMixing
from .systems import CallableSystem, KrylovSystem, System
from .vectorized import FlatOperator, Vectorized, VectorizedDeformation
from .wrapped import Wrapped


class CoregionalizedOutputs(Wrapped):
    """q outputs from independent columns F over one scalar space S: f = F Λᵀ, Λ = V√σ.

        evaluate(F) = S.evaluate(F) Λᵀ,    represent(R) = S.represent(RΛ),
        inner(F, G) = Σ_j ⟨F_j, G_j⟩,      ⟨F, P F⟩ = Σ_j μ_j ‖F_j‖².

    With μ = 1 it is the space of the matrix-valued kernel k·Q, Q = V diag(σ) Vᵀ (VV eq. 16; the
    joint kernel k·K^Y of SO). With σ = 1 and μ the eigenvalues of L_m, the penalty is tr(W L_m Wᵀ)
    of W = F Vᵀ (MT eq. 3). A direction with σ_j = 0 carries no function.

    Parameters
    ----------
    space : Space
        S, the space of one output.
    V : array of shape (q, q)
        An orthogonal matrix. Each column is a direction between the outputs.
    sigma, mu : arrays of shape (q,), or numbers, default=1.0
        Weights σ ≥ 0 and penalties μ ≥ 0 of the directions.

    References
    ----------
    VV §5; SO (7), (8); MT eqs. 2, 3.
    """

    def __init__(self, space: Space, V: np.ndarray, sigma=1.0, mu=1.0):
        super().__init__(space)
        self.V = V
        self.sigma, self.mu = (np.ones(len(V)) * given for given in (sigma, mu))

    @classmethod
    def by_kernel(cls, space: Space, Q: np.ndarray) -> CoregionalizedOutputs:
        """The space of the matrix-valued kernel k·Q, with Q of shape (q, q)."""
        sigma, V = output_directions(Q)
        return cls(space, V, sigma)

    @cached_property
    def mixing(self) -> OutputMixing:
        """Λ = V√σ, (q, r).

        Estimators show the coefficients A with f = S.evaluate(A) Q and F = AΛ. Where σ = 1 these
        are W = F Vᵀ.
        """
        root, inner = np.sqrt(self.sigma), self.space.mixing
        scale = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
        width = len(self.V)
        matrix = (self.V * root) @ inner.directions(width)
        return OutputMixing(matrix, (self.V * scale).T, scalar(self.space))

    def __getstate__(self) -> dict:
        return {name: part for name, part in vars(self).items() if name != "mixing"}

    @property
    def penalty(self):
        return self.space.penalty * self.mu

    free = Space.free

    def evaluate(self, coef):
        return self._own.mix(self.space.evaluate(coef))

    @property
    def _own(self) -> Mixing:
        """Λ of this space alone, without the mixing of the wrapped space."""
        return Mixing(self.V * np.sqrt(self.sigma))

    def readout(self, e):
        return self._own.mix(super().readout(e))

    def evaluate_at(self, X, coef):
        return self._own.mix(super().evaluate_at(X, coef))

    def represent(self, r_M, r_loss):
        r_M, r_loss = (r if np.isscalar(r) else self._own.pull(r) for r in (r_M, r_loss))
        return super().represent(r_M, r_loss)

    def inner(self, a: Element, b: Element):
        return super().inner(a, b).sum(keepdims=True)

    def deformed(self, operator, gamma_A, lam) -> Deformation:
        along = operator.along(self.V)
        if not along:
            return self._coupled(operator, gamma_A, lam)
        parts = []
        for part, columns, weight in self._groups(along):
            ambient, intrinsic = gamma_A * self.mu[columns], lam * weight * self.sigma[columns]
            shifts = sorted(set(zip(ambient.tolist(), intrinsic.tolist(), strict=True)))
            found = deformations(self.space, part, shifts)
            for (gamma, strength), deformation in zip(shifts, found, strict=True):
                at = columns[(ambient == gamma) & (intrinsic == strength)]
                parts.append((at, deformation))
        return MixedDeformation(self._own.matrix, parts, self.n_coef, self.n_rows)

    def _coupled(self, operator, gamma_A, lam) -> Deformation:
        """K̃ for an operator that does not decouple along V: over one column of n q values."""
        mixing = self._own.matrix
        flat, M = Vectorized([(self.space, np.eye(len(self.V)))]), FlatOperator(operator, mixing)
        nearby = None if flat.is_formed else self._nearest(gamma_A, QuadraticForm(operator, lam))
        column = flat.deformed(M, gamma_A, lam, nearby)
        return VectorizedDeformation(column, mixing, self.n_rows, flat)

    def system(self, gamma_A, form, n_shifts=1) -> System:
        along = form.operator.along(self.V)
        nearby = self._nearest(gamma_A, form)
        found = self._along(along, gamma_A, form, nearby)
        return found or KrylovSystem(self, gamma_A, form, nearby)

    def _nearest(self, gamma_A: float, form: QuadraticForm) -> System | None:
        """The unrefined system of the nearest operator and output kernel that decouple."""
        along = form.operator.along(self.V)
        if along:
            return self._along(along, gamma_A, form)
        W, along = form.operator.nearby()
        if not along:
            return None
        sigma = np.einsum("yk,yz,zk->k", W, self._own.matrix @ self._own.matrix.T, W)
        other = CoregionalizedOutputs(self.space, W, np.maximum(sigma, 0.0))
        system = other._along(along, gamma_A, form)
        return system and self._rotated(system, self.V.T @ W)

    def _along(
        self, along: Sequence, gamma_A, form: QuadraticForm, cheaper: System | None = None
    ) -> System | None:
        """The system along the directions V, or None where a direction has no pencil.

        Its solutions are refined where ``cheaper`` is given, an unrefined system.
        """
        if not along:
            return None
        parts = []
        for part, columns, weight in self._groups(along):
            n_shifts = len(set(zip(self.mu[columns], self.sigma[columns], strict=True)))
            own = QuadraticForm(part, weight * form.lam, form.w, form.taken)
            pencil = self.space.system(gamma_A, own, n_shifts).pencil
            if not pencil:
                return None
            parts.append((columns, pencil))
        how = partial(self._solved, gamma_A, parts, bool(cheaper))
        return CallableSystem(self, how, cheaper=cheaper)

    def _solved(self, gamma_A: float, parts: Sequence, refined: bool, R: np.ndarray) -> Element:
        """Solve direction by direction with few pencils, for R of shape (m, q), or (m, q t)."""
        F, t = np.zeros(R.shape), R.shape[1] // len(self.V)
        for columns, pencil in parts:
            gamma, sigma = gamma_A * self.mu[columns], self.sigma[columns]
            solve = pencil.solve if refined else pencil.unrefined
            at = (columns[:, None] * t + np.arange(t)).ravel()
            F[:, at] = solve(np.repeat(gamma, t), np.repeat(sigma, t), R[:, at])[0]
        return self.element(F)

    def _rotated(self, system: System, turn: np.ndarray) -> System:
        """The same system in other coordinates of the columns, F · turn."""

        def solve(R):
            wide = R.reshape(len(R), len(turn), -1)
            found = system.solve((turn.T @ wide).reshape(R.shape)).coef.reshape(wide.shape)
            return self.element((turn @ found).reshape(R.shape))

        return CallableSystem(self, solve)

    def _groups(self, along: Sequence):
        """(operator, columns, weight) of the columns with σ > 0, grouped by operator and weight."""
        groups: dict[tuple[int, float], tuple] = {}
        for j in np.flatnonzero(self.sigma > 0).tolist():
            weight, operator = along[j]
            groups.setdefault((id(operator), weight), (operator, []))[1].append(j)
        return [(op, np.array(at), weight) for (_, weight), (op, at) in groups.items()]


def output_directions(Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """σ ≥ 0, (q,), ascending, and V, (q, q), with Q = V diag(σ) Vᵀ.

    Eigenvalues that agree to rounding become equal, so that they share one shift. Eigenvalues at
    rounding level become zero.
    """
    sigma, V = np.linalg.eigh(0.5 * (Q + Q.T))
    rounding = 8 * len(Q) * np.finfo(np.float64).eps * max(abs(sigma[0]), abs(sigma[-1]))
    groups = np.concatenate([[0], np.cumsum(np.diff(sigma) > rounding)])
    means = np.bincount(groups, weights=sigma) / np.bincount(groups)
    means[means <= rounding] = 0.0
    return means[groups], V
