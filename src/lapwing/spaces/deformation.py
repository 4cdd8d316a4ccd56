"""The deformed kernel K̃ = R (γ_A P + λΦ*MΦ)⁺ R*: its squared norm is the sum of both penalties."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from ..linalg.blocks import batches
from ..linalg.memory import require_bytes
from ..linalg.panels import unit_columns
from ..linalg.quadratic_form import QuadraticForm
from ..operators import Operator
from .labeled_kernel import FreeFunctions, LabeledKernel, MixedKernel
from .mixing import ALONE, Alone, Mixing
from .systems import BATCH, System

if TYPE_CHECKING:
    from .base import Space

Reader = Callable[[Any], Iterator[np.ndarray]]
"""New points ↦ one matrix of covariances per output."""


class Deformation(ABC):
    """The deformed kernel K̃ of a space. Its squared norm is γ_A‖f‖² + λ⟨f, M f⟩.

    For a function f = K̃β both penalties together are ⟨β, K̃β⟩. By the representer theorem, the
    minimizer for any convex loss is such an f with β at the labeled rows only. A problem over n
    points thus becomes one over the labeled points (MR §4.4; Sindhwani, Niyogi, Belkin 2005,
    *Beyond the point cloud*; SO eq. 16; MV Theorem 1). Factors are computed when they are first
    needed, and are then kept.

    Attributes
    ----------
    factored : bool
        Whether K̃ rests on a factor. False where every call runs conjugate gradients.
    n_rows : int
        n, the rows of the readout.
    free : FreeFunctions
        The functions without a penalty beside K̃, the same for each output.
    """

    factored: bool
    n_rows: int
    free: FreeFunctions
    kept: Any = None  # Sections that are kept while labels are added and removed

    def with_free(self, free: FreeFunctions) -> Deformation:
        """The same kernel and factors, with more free functions beside K̃."""
        other = copy(self)
        other.free = self.free.beside(free)
        return other

    def lift(self, R: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
        """The coefficients of K̃R in the space, (m, t), for R of shape (n, t).

        Where b, (g, t), is given, the free functions times b are added.
        """
        b = np.zeros((self.free.g, R.shape[1])) if b is None else b
        return self.free.join(self.solve(R), b)

    @abstractmethod
    def solve(self, R: np.ndarray) -> np.ndarray:
        """As :meth:`lift`, without the free functions."""

    @abstractmethod
    def gram(self, rows: np.ndarray) -> LabeledKernel:
        """K̃ among the given rows, and the way back to coefficients of the space."""

    @property
    def components(self) -> Sequence[tuple[Any, Alone]]:
        """(K̃_p, B_p) with K̃ = Σ_p K̃_p ⊗ B_pB_pᵀ; empty where the outputs are coupled."""
        return ()

    # At new points.

    def cross(self, X, Z=None) -> np.ndarray:
        """K̃(x, z) between the rows of X and of Z (or X), (n, m), training rows or new ones."""
        raise self._coupled()

    def diagonal(self, X) -> np.ndarray:
        """K̃(x, x) at each row of X, (len(X),)."""
        raise self._coupled()

    def taken_diagonal(self, X) -> np.ndarray:
        """k(x, x) − γ_A K̃(x, x) at each row of X, (len(X),): the part that M takes away."""
        raise self._coupled()

    def row_reader(self, rows: np.ndarray) -> Callable[[Any], np.ndarray]:
        """X ↦ K̃(x, x_i) for the given rows x_i, (len(X), l), for one output."""
        raise self._coupled()

    # For Gaussian processes, output by output.

    def reader(self, rows: np.ndarray, output: np.ndarray, q: int) -> Reader:
        """X ↦ K̃((x, j), (row_p, output_p)), (len(X), P), for each of the q outputs j."""
        terms = [(part.row_reader(rows), mixing) for part, mixing in self._parts()]

        def read(X):
            across = [(reads(X), mixing.between(np.arange(q), output)) for reads, mixing in terms]
            zero = np.zeros((X.shape[0], len(rows)))
            return (sum((K * Q[j] for K, Q in across), start=zero) for j in range(q))

        return read

    def variances(self, X, q: int) -> np.ndarray:
        """K̃((x, j), (x, j)) at each row of X, (len(X), q)."""
        return self._spread(X, q, lambda part: part.diagonal(X))

    def ambient(self, X, q: int) -> np.ndarray:
        """The same without M: k(x, x)/γ_A, (len(X), q)."""
        return self._spread(X, q, lambda part: part.space.covariance.diagonal(X) / part.gamma_A)

    def _spread(self, X, q: int, of: Callable) -> np.ndarray:
        total = np.zeros((X.shape[0], q))
        for part, mixing in self._parts():
            total += of(part)[:, None] * mixing.squares(q)
        return total

    def free_pairs(self, X, q: int) -> Iterator[np.ndarray]:
        """For each output the free functions of all outputs, (len(X), G), ordered as for pairs."""
        h = self.free.at(X)
        own = [(part.free.at(X), mixing.directions(q)) for part, mixing in self.components]
        along = [(f, B) for f, B in own if f.shape[1]]
        for j in range(q):
            yield np.hstack([np.kron(h, np.eye(q)[j]), *(f * b for f, B in along for b in B[j])])

    def _parts(self) -> Sequence[tuple[Any, Alone]]:
        if not self.components:
            raise self._coupled()
        return self.components

    def _coupled(self) -> TypeError:
        return TypeError(f"{type(self).__name__} has no values at single points: ask for gram.")


class PlainDeformation(Deformation):
    """K̃ of a space with independent columns: one n × n kernel serves all of them.

    Parameters
    ----------
    space : Space
    operator : PSDOperator
        M.
    gamma_A, lam : float
        γ_A and λ, the weights of ‖f‖² and of M.
    system : System
        γ_A P + λΦ*MΦ.
    """

    def __init__(
        self, space: Space, operator: Operator, gamma_A: float, lam: float, system: System
    ):
        self.space = space
        self.operator = operator
        self.gamma_A = gamma_A
        self.lam = lam
        self.system = system
        self.factored = system.factored
        self.n_rows = space.n_rows
        self.free = FreeFunctions.none(self.n_rows)

    def solve(self, R):
        return self.system.solve(self.space.represent(0.0, R)).coef

    @property
    def components(self):
        bare = copy(self)
        bare.free = FreeFunctions.none(self.n_rows)
        return [(bare, ALONE)]

    def gram(self, rows):
        rows = np.asarray(rows)
        none = np.zeros((len(rows), 0))
        return MixedKernel(self, rows, [(self.system.kernel(rows), ALONE, none)])

    def row_reader(self, rows):
        l, kernel = len(rows), self.space.covariance
        if not self.lam and kernel.held_by_rows:  # nothing of size n × l
            return lambda X: kernel.between(X, kernel.points[rows]) / self.gamma_A
        require_bytes(
            8.0 * l * (self.n_rows + self.space.n_coef),
            f"One function for each of {l} labeled points over {self.n_rows} points",
            "Ask for variances with fewer labeled rows.",
        )
        coef = self.solve(unit_columns(rows, self.n_rows))
        return lambda X: self.space.evaluate_at(X, coef)

    def cross(self, X, Z=None):
        """(k(x, z) − ⟨k_x, λM (γ_A + λΦΦ*M)⁻¹ k_z⟩)/γ_A, k_x a section at the training points."""
        require_bytes(
            8.0 * X.shape[0] * ((X if Z is None else Z).shape[0] + 5.0 * self.space.n_points),
            f"The deformed kernel at {X.shape[0]} rows over {self.space.n_points} points",
            "Ask for fewer rows at a time.",
        )
        covariance = self.space.covariance
        prior = covariance.between(X, Z)
        if self.lam:
            left = covariance.sections(X)
            b = left if Z is None else covariance.sections(Z)
            for some in batches(b.shape[1], BATCH):
                prior[:, some] -= covariance.read(X, self.pulled(b[:, some]), left)
        prior /= self.gamma_A
        return 0.5 * (prior + prior.T) if Z is None else prior

    def pulled(self, b: np.ndarray) -> np.ndarray:
        """The coefficients of (γ_A P + λΦ*MΦ)⁻¹ λΦ*M b."""
        return self.system.solve(self.space.represent(self.lam * self.operator.apply(b), 0.0)).coef

    def taken_diagonal(self, X):
        if not self.lam:
            return np.zeros(X.shape[0])
        b = self.space.covariance.sections(X)
        return self.space.covariance.read_own(X, self.pulled(b), b)

    def diagonal(self, X):
        return self.space.covariance.deformed_diagonal(X, self)


class MixedDeformation(Deformation):
    """K̃ = Σ_p K̃_p ⊗ Λ_pΛ_pᵀ: outputs that decouple along the directions Λ.

    Parameters
    ----------
    mixing : array of shape (q, r)
        Λ, one column per direction.
    parts : sequence of (columns, Deformation)
        Each kernel, with the columns of Λ that it belongs to. Columns that are missing are zero.
    n_coef, n_rows : int
    """

    def __init__(self, mixing: np.ndarray, parts: Sequence, n_coef: int, n_rows: int):
        self.mixing = mixing
        self.parts = tuple(parts)
        self.n_coef = n_coef
        self.factored = all(part.factored for _, part in parts)
        self.n_rows = n_rows
        self.free = FreeFunctions.none(n_rows)

    def solve(self, R):
        coef = np.zeros((self.n_coef, self.mixing.shape[1]))
        for columns, part in self.parts:
            coef[:, columns] = part.lift(R @ self.mixing[:, columns])
        return coef

    @property
    def components(self):
        return [(part, Mixing(self.mixing[:, columns])) for columns, part in self.parts]

    def gram(self, rows):
        l = len(rows)
        require_bytes(
            8.0 * len(self.parts) * l * l,
            f"The deformed kernel at {l} labeled rows, for {len(self.parts)} different outputs,",
            "Label fewer rows, or use an output structure with fewer distinct eigenvalues.",
        )
        grams = [(part.gram(rows), mixing) for part, mixing in self.components]
        return MixedKernel(self, rows, [(g.parts[0][0], mixing, g.free) for g, mixing in grams])


def deformations(space: Space, operator: Operator, shifts: Sequence[tuple[float, float]]) -> list:
    """K̃ for several pairs (γ_A, λ), from one pencil where the space has one for all pairs."""
    system = space.system(1.0, QuadraticForm(operator, 1.0), len(shifts))
    made = [system.shifted(gamma, lam) for gamma, lam in shifts]
    return [
        space.deformed(operator, gamma, lam)
        if not at or gamma <= 0
        else PlainDeformation(space, operator, gamma, lam, at)
        for (gamma, lam), at in zip(shifts, made, strict=True)
    ]
