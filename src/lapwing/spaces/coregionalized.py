"""CoregionalizedOutputs outputs: independent functions F, mixed into outputs F Λᵀ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ..linalg.quadratic_form import QuadraticForm
from .base import Element, Space
from .deformation import CallableSystem, Deformation, System
from .deformations import MixedDeformation
from .vectorized import FlatOperator, Vectorized, VectorizedDeformation


class CoregionalizedOutputs(Space):
    """q outputs from independent columns F over one scalar space S: f = F Λᵀ, Λ = V√σ.

    evaluate(F) = S.evaluate(F) Λᵀ, represent(R) = S.represent(RΛ), inner(F, G) = Σ_j ⟨F_j, G_j⟩,
    ⟨F, P F⟩ = Σ_j μ_j ‖F_j‖². With μ = 1 this is the space of the matrix-valued kernel k·Q,
    Q = V diag(σ) Vᵀ (VV eq. 16; SO's joint kernel k·K^Y); with σ = 1 and μ the eigenvalues of L_m
    the penalty is tr(W L_m Wᵀ) of W = F Vᵀ (MT eq. 3). Directions with σ_j = 0 carry no function.

    Parameters
    ----------
    space : Space
        S.
    V : array of shape (q, q)
        Orthogonal: one column per direction between the outputs.
    sigma, mu : arrays of shape (q,), optional
        σ ≥ 0 and μ ≥ 0; None is 1.

    References
    ----------
    VV §5; SO (7), (8); MT eqs. 2, 3.
    """

    def __init__(self, space: Space, V: np.ndarray, sigma=None, mu=None):
        self.space = space
        self.V = V
        self.sigma = np.ones(len(V)) if sigma is None else np.asarray(sigma, dtype=float)
        self.mu = np.ones(len(V)) if mu is None else np.asarray(mu, dtype=float)
        self._mixing = V * np.sqrt(self.sigma)
        self.n_points = space.n_points
        self.n_coef = space.n_coef
        self.tolerance = space.tolerance

    @classmethod
    def by_kernel(cls, space: Space, Q: np.ndarray) -> CoregionalizedOutputs:
        """The space of the matrix-valued kernel k·Q."""
        sigma, V = output_directions(Q)
        return cls(space, V, sigma)

    @property
    def n_rows(self):
        return self.space.n_rows

    @property
    def mixing(self):
        return self._mixing

    @property
    def scalar(self):
        return self.space.scalar

    def base(self, coef):
        return self.space.base(coef)

    def mix(self, base):
        return self.space.mix(base) @ self.mixing.T

    def evaluate(self, coef):
        return self.mix(self.base(coef))

    def readout(self, e):
        return self.space.readout(self._unmixed(e)) @ self.mixing.T

    def evaluate_at(self, X, coef):
        return self.space.evaluate_at(X, coef) @ self.mixing.T

    def extension(self, answers, known):
        return self.space.extension(answers, known)

    def represent(self, r_M, r_loss):
        r_M, r_loss = (r if np.isscalar(r) else r @ self.mixing for r in (r_M, r_loss))
        return self.space.represent(r_M, r_loss)

    def inner(self, a: Element, b: Element):
        return self.space.inner(self._unmixed(a), self._unmixed(b)).sum(keepdims=True)

    def penalized(self, coef):
        return self.space.penalized(coef) * self.mu

    def _unmixed(self, e: Element) -> Element:
        return Element(self.space, e.coef, source=e)

    def user_coef(self, coef: np.ndarray) -> np.ndarray:
        """A with f = S.evaluate(A) Q, F = AΛ; or W = F Vᵀ where σ = 1: what ``coef_`` holds."""
        root = np.sqrt(self.sigma)
        scale = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
        return coef @ (self.V * scale).T

    def deformed(self, operator, gamma_A, lam) -> Deformation:
        along = operator.along(self.V)
        if along is None:
            return self._coupled(operator, gamma_A, lam)
        parts = []
        for part, columns, weight in self._groups(along):
            ambient, intrinsic = gamma_A * self.mu[columns], lam * weight * self.sigma[columns]
            shifts = sorted(set(zip(ambient.tolist(), intrinsic.tolist(), strict=True)))
            found = self.space.deformations(part, shifts)
            for (gamma, strength), deformation in zip(shifts, found, strict=True):
                at = columns[(ambient == gamma) & (intrinsic == strength)]
                parts.append((at, deformation))
        return MixedDeformation(self.mixing, parts, self.n_coef, self.n_rows)

    def _coupled(self, operator, gamma_A, lam) -> Deformation:
        """An operator that does not decouple: one column of n q values."""
        flat, M = Vectorized(self.space, len(self.V)), FlatOperator(operator, self.mixing)
        nearby = (
            None if flat.held is not None else self.nearby(gamma_A, QuadraticForm(operator, lam))
        )
        column = flat.deformed(M, gamma_A, lam, nearby)
        return VectorizedDeformation(column, self.mixing, self.n_rows, flat)

    def system(self, gamma_A, form) -> System | None:
        along = form.operator.along(self.V)
        return None if along is None else self._along(along, gamma_A, form)

    def nearby(self, gamma_A, form) -> System | None:
        """The system of the nearest operator, and output kernel, that decouple."""
        along = form.operator.along(self.V)
        if along is not None:
            return self._along(along, gamma_A, form, refined=False)
        found = form.operator.nearby()
        if found is None:
            return None
        W, along = found
        sigma = np.einsum("yk,yz,zk->k", W, self.mixing @ self.mixing.T, W)
        system = CoregionalizedOutputs(self.space, W, np.maximum(sigma, 0.0))._along(
            along, gamma_A, form, refined=False
        )
        return None if system is None else self._rotated(system, self.V.T @ W)

    def _along(self, along: Sequence, gamma_A, form: QuadraticForm, refined=True) -> System | None:
        parts = []
        for part, columns, weight in self._groups(along):
            n_shifts = len(set(zip(self.mu[columns], self.sigma[columns], strict=True)))
            pencil = self.space.pencil(
                QuadraticForm(part, weight * form.lam, form.w, form.taken), n_shifts
            )
            if pencil is None:
                return None
            parts.append((columns, pencil))
        return CallableSystem(partial(self._solved, gamma_A, parts, refined))

    def _solved(self, gamma_A: float, parts: Sequence, refined: bool, R: np.ndarray) -> Element:
        """Direction by direction, from few pencils, for R of shape (m, q), or (m, q t) for t."""
        F, t = np.zeros(R.shape), R.shape[1] // len(self.V)
        base: np.ndarray | None = np.zeros((self.n_points, R.shape[1]))
        for columns, pencil in parts:
            gamma, sigma = gamma_A * self.mu[columns], self.sigma[columns]
            solve = pencil.solve if refined else pencil.unrefined
            at = (columns[:, None] * t + np.arange(t)).ravel()
            F[:, at], f = solve(np.repeat(gamma, t), np.repeat(sigma, t), R[:, at])
            if f is None or base is None:
                base = None
            else:
                base[:, at] = f
        return Element(self, F, base)

    def _rotated(self, system: System, turn: np.ndarray) -> System:
        """A system in other coordinates of the features, F · turn."""

        def solve(R):
            wide = R.reshape(len(R), len(turn), -1)
            found = system.solve((turn.T @ wide).reshape(R.shape)).coef.reshape(wide.shape)
            return self.element((turn @ found).reshape(R.shape))

        return CallableSystem(solve)

    def _groups(self, along: Sequence):
        """(operator, columns, weight) of the columns that carry a function, grouped."""
        groups: dict[tuple[int, float], tuple] = {}
        for j in np.flatnonzero(self.sigma > 0).tolist():
            weight, operator = along[j]
            groups.setdefault((id(operator), weight), (operator, []))[1].append(j)
        return [(op, np.array(at), weight) for (_, weight), (op, at) in groups.items()]


def output_directions(Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """σ ≥ 0, ascending, and V with Q = V diag(σ) Vᵀ.

    Rounding is cleaned: eigenvalues that agree to rounding become equal (one shift instead of
    several), those at rounding level become zero.
    """
    sigma, V = np.linalg.eigh(0.5 * (Q + Q.T))
    rounding = 8 * len(Q) * np.finfo(np.float64).eps * max(abs(sigma[0]), abs(sigma[-1]))
    groups = np.concatenate([[0], np.cumsum(np.diff(sigma) > rounding)])
    means = np.bincount(groups, weights=sigma) / np.bincount(groups)
    means[means <= rounding] = 0.0
    return means[groups], V
