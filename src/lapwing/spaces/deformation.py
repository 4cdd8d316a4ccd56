"""K̃ = R (γ_A P + λΦ*MΦ)⁺ R*: the kernel whose norm holds both penalties.

:class:`System` is what is inverted, :class:`Deformation` the kernel, :class:`LabeledKernel` the
kernel where the labels are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.linalg

from ..linalg.blocks import cut
from ..linalg.columns import units
from ..linalg.memory import require_bytes
from ..linalg.pencil import Pencil
from ..operators import Operator

if TYPE_CHECKING:
    from .base import Element, Space


BATCH = 512
"""Functions that are solved for at once; no fewer than change how a system of 24,000 is solved."""

BATCH_BYTES = 2**31
"""What conjugate gradients may hold at once: thirteen vectors for each function."""


Reader = Callable[[Any], Iterator[np.ndarray]]
"""New points ↦ one matrix of covariances per output."""


class Deformation(ABC):
    """The deformed kernel of a space: every convex loss is plain regularization over it.

    With f = K̃β, both penalties together are ⟨β, K̃β⟩, so that by the representer theorem a problem
    over n points is one over the labeled ones (MR §4.4; Sindhwani, Niyogi, Belkin 2005, *Beyond
    the point cloud*; SO eq. 16; MV Theorem 1). Factors are made once, when they are first needed,
    and serve every further question.

    Attributes
    ----------
    factored : bool
        Whether it rests on a factor; False where every question is a run of conjugate gradients.
    n_rows : int
        Rows of the readout, n.
    """

    factored: bool
    n_rows: int
    kept: Any = None  # the sections that are kept while labels come and go

    @abstractmethod
    def lift(self, R: np.ndarray) -> np.ndarray:
        """The coefficients of K̃R in the space, (m, t), for a dual R of the readout, (n, t)."""

    @abstractmethod
    def gram(self, rows: np.ndarray) -> LabeledKernel:
        """K̃ among the given rows, with the way back to the space."""

    def cross(self, X, Z=None) -> np.ndarray:
        """K̃(x, z) between the rows of X and of Z (or X), (n, m), new points or not."""
        raise self._coupled()

    def diagonal(self, X) -> np.ndarray:
        """K̃(x, x) at each row of X, (n,), or of each output, (n, q)."""
        raise self._coupled()

    def taken_diagonal(self, X) -> np.ndarray:
        """What the penalty M takes off γ_A K̃(x, x) at each row of X, (n,)."""
        raise self._coupled()

    @property
    def components(self) -> list[tuple[Deformation, np.ndarray | None]] | None:
        """(K̃_p, B_p) with K̃ = Σ_p K̃_p ⊗ B_pB_pᵀ; None is the identity, for any outputs.

        None in place of the list where an operator or a kernel couples the outputs.
        """
        return None

    # At new points, output by output: what a Gaussian process asks for.

    def reader(self, rows: np.ndarray, output: np.ndarray, q: int) -> Reader:
        """X ↦ for each of q outputs j, K̃((x, j), (row_p, output_p)), (len(X), P)."""
        raise self._coupled()

    def row_reader(self, rows: np.ndarray) -> Callable[[Any], np.ndarray]:
        """X ↦ K̃(x, x_i), (len(X), l), for one output."""
        raise self._coupled()

    def variances(self, X, q: int) -> np.ndarray:
        """K̃((x, j), (x, j)) at each row of X, (len(X), q)."""
        raise self._coupled()

    def ambient(self, X, q: int) -> np.ndarray:
        """The same before any point was seen, k/γ_A."""
        raise self._coupled()

    @property
    def free_rows(self) -> np.ndarray | None:
        """The free functions that each output has, at the rows, (n, g); None: there are none."""
        return None

    def free_at(self, X) -> np.ndarray | None:
        """The same at X, (len(X), g)."""
        return None

    def free_pairs(self, X, q: int) -> Iterator[np.ndarray] | None:
        """For each output the free functions of all, (len(X), G), ordered as among pairs."""
        h = self.free_at(X)
        return None if h is None else (np.kron(h, np.eye(q)[j]) for j in range(q))

    def _coupled(self) -> TypeError:
        return TypeError(f"{type(self).__name__} has no values at single points: ask for gram.")


class PlainDeformation(Deformation):
    """K̃ of a space whose columns are independent: one n × n kernel for all of them.

    Parameters
    ----------
    space : Space
    operator : PSDOperator
        M.
    gamma_A, lam : float
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

    def lift(self, R):
        return self.system.solve(self.space.represent(0.0, R)).coef

    @property
    def components(self):
        return [(self, None)]

    def reader(self, rows, output, q):
        known = self.row_reader(rows)

        def read(X):
            K = known(X)
            return (np.where(output == j, K, 0.0) for j in range(q))

        return read

    def row_reader(self, rows):
        l = len(rows)
        require_bytes(
            8.0 * l * (self.n_rows + self.space.n_coef),
            f"One function for each of {l} labeled points over {self.n_rows} points",
            "Ask for variances with fewer labeled rows.",
        )
        coef = self.lift(units(rows, self.n_rows))
        return lambda X: self.space.evaluate_at(X, coef)

    def variances(self, X, q):
        return np.repeat(self.diagonal(X)[:, None], q, axis=1)

    def ambient(self, X, q):
        return np.repeat(self.space.prior_diagonal(X)[:, None] / self.gamma_A, q, axis=1)

    def gram(self, rows):
        kernel = self.system.kernel(rows)
        if kernel is None:
            kernel, n = np.empty((len(rows), len(rows))), self.space.n_points
            most = BATCH if self.factored else min(BATCH, max(64, BATCH_BYTES // (104 * n)))
            for some in cut(slice(len(rows)), most):  # never a function for each of many rows
                kernel[:, some] = self.space.readout_of(self._sections(rows[some]), rows)
        return MixedKernel(self, rows, [(0.5 * (kernel + kernel.T), None)])

    def _sections(self, rows: np.ndarray):
        found = self.system.sections(rows)
        if found is not None:
            return found
        n, l = self.space.n_rows, len(rows)
        if not self.factored:
            # conjugate gradients keep seven blocks of values, six of coefficients
            require_bytes(
                8 * l * (7 * self.space.n_points + 6 * self.space.n_coef),
                f"One function for each of {l} labeled points over {n} points",
                "Use a smooth loss such as 'squared_hinge', or fewer labeled rows.",
            )
        return self.system.solve(self.space.represent(0.0, units(rows, n)))

    def cross(self, X, Z=None):
        """(k(x, z) − ⟨k_x, λM (γ_A + λΦΦ*M)⁻¹ k_z⟩)/γ_A, k_x a section at the training points."""
        require_bytes(
            8.0 * X.shape[0] * ((X if Z is None else Z).shape[0] + 5.0 * self.space.n_points),
            f"The deformed kernel at {X.shape[0]} rows over {self.space.n_points} points",
            "Ask for fewer rows at a time.",
        )
        prior = self.space.prior(X, Z)
        if self.lam:
            self._take(prior, X, Z)
        prior /= self.gamma_A
        return 0.5 * (prior + prior.T) if Z is None else prior

    def _take(self, prior: np.ndarray, X, Z) -> None:
        """Take off what the penalty takes, in place, a batch of columns at a time."""
        b = self.space.sections(X if Z is None else Z)
        left = b if Z is None else None
        for some in cut(slice(b.shape[1]), BATCH):
            coef = self.pulled(b[:, some])
            dual = self.space.dual(coef)
            if dual is None:
                prior[:, some] -= self.space.evaluate_at(X, coef)
                continue
            left = self.space.sections(X) if left is None else left
            prior[:, some] -= left.T @ dual

    def pulled(self, b: np.ndarray) -> np.ndarray:
        """The coefficients of (γ_A P + λΦ*MΦ)⁻¹ λΦ*M b."""
        return self.system.solve(self.space.represent(self.lam * self.operator.apply(b), 0.0)).coef

    def taken_diagonal(self, X):
        if not self.lam:
            return np.zeros(X.shape[0])
        b = self.space.sections(X)
        coef = self.pulled(b)
        dual = self.space.dual(coef)
        if dual is None:
            return np.diagonal(self.space.evaluate_at(X, coef)).copy()
        return np.einsum("in,in->n", b, dual)

    def diagonal(self, X):
        asked = self.space.represent_at(X)
        if asked is not None:  # no difference of large numbers, and γ_A may be 0
            return np.maximum(self.space.diagonal_at(X, self.system.solve(asked).coef), 0.0)
        full = self.space.prior_diagonal(X) - self.taken_diagonal(X)
        return np.maximum(full, 0.0) / self.gamma_A


@dataclass(frozen=True)
class LabeledKernel(ABC):
    """K̃ over the pairs (labeled row, output), the free functions beside it, and the way back.

    Attributes
    ----------
    deformation : Deformation
    rows : integer array of shape (l,)
    free : array of shape (l, g) or None
        What nothing penalizes: the readouts of functions beside K̃, the same for each output.
    """

    deformation: Deformation = field(repr=False)
    rows: np.ndarray = field(repr=False)
    free: np.ndarray | None = field(default=None, repr=False, kw_only=True)
    join: Callable | None = field(default=None, repr=False, kw_only=True)

    @property
    def shared(self) -> np.ndarray | None:
        """K̃, (l, l), where it is one and the same for each output alone; else None."""
        return None

    def marginal(self, q: int) -> np.ndarray:
        """(1/q) Σ_j K̃((·, j), (·, j)), (l, l): what an output knows of its own."""
        at, total = np.arange(len(self.rows)), np.zeros((len(self.rows),) * 2)
        for j in range(q):
            total += self.pairs(at, np.full(len(at), j))
        return total / q

    def directions(self, q: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray | None]] | None:
        """K̃ = Σ_p K̃_p ⊗ V_pV_pᵀ over orthonormal directions V between q outputs; else None.

        Each (K̃_p, V_p, E_p), E_p the free functions along V_p, (l, g), or None.
        """
        return None

    def free_pairs(self, i: np.ndarray, output: np.ndarray, q: int) -> np.ndarray | None:
        """The free functions of each of q outputs at the pairs (row i_p, output_p), (P, g q)."""
        if self.free is None:
            return None
        own = np.zeros((len(i), self.free.shape[1], q))
        own[np.arange(len(i)), :, output] = self.free[i]
        return own.reshape(len(i), -1)

    @abstractmethod
    def apply(self, G: np.ndarray) -> np.ndarray:
        """K̃G at the rows, (l, q)."""

    @abstractmethod
    def cross(self, i, D: np.ndarray, j, E: np.ndarray) -> np.ndarray:
        """⟨e_i ⊗ d, K̃ (e_j ⊗ e)⟩ of all rows d of D (at i) with all rows e of E (at j)."""

    @abstractmethod
    def pairs(self, i: np.ndarray, output: np.ndarray) -> np.ndarray:
        """K̃ among the pairs (row i_p, output_p), (P, P)."""

    def lift(self, G: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
        """The coefficients in the space of K̃G, and of the free functions times b, (g, q)."""
        R = np.zeros((self.deformation.n_rows, G.shape[1]))
        R[self.rows] = G
        coef = self.deformation.lift(R)
        return coef if self.join is None else self.join(coef, b)


@dataclass(frozen=True)
class MixedKernel(LabeledKernel):
    """K̃ = Σ_p K̃_p ⊗ B_pB_pᵀ.

    Attributes
    ----------
    parts : list of (array of shape (l, l), array of shape (q, r) or None)
        K̃_p and B_p; None is the identity, for any number of outputs.
    frees : sequence of arrays of shape (l, g_p) or None
        What nothing penalizes along B_p alone; empty where there is no such part.
    """

    parts: Sequence[tuple[np.ndarray, np.ndarray | None]] = field(repr=False)
    frees: Sequence[np.ndarray | None] = field(default=(), repr=False)

    @property
    def shared(self):
        (kernel, mixing), *others = self.parts
        return kernel if mixing is None and not others else None

    def marginal(self, q):
        shares = (1.0 if B is None else float((B**2).sum()) / q for _, B in self.parts)
        return np.sum([s * K for s, (K, _) in zip(shares, self.parts, strict=True)], axis=0)

    def directions(self, q):
        if self.shared is not None:
            return [(self.shared, np.eye(q), self.free)]
        found, zero = [], np.zeros_like(self.parts[0][0])
        for p, (kernel, B) in enumerate(self.parts):
            if B is None:
                return None
            size, E = np.linalg.norm(B, axis=0), self._free_along(p)
            found += [
                (size[j] ** 2 * kernel, B[:, [j]] / size[j], E) for j in np.flatnonzero(size > 0)
            ]
        V = np.hstack([v for _, v, _ in found]) if found else np.zeros((q, 0))
        if np.abs(V.T @ V - np.eye(V.shape[1])).max(initial=0.0) > 1e-10:
            return None
        rest = scipy.linalg.null_space(V.T) if V.shape[1] else np.eye(q)
        return found + ([(zero, rest, self.free)] if rest.shape[1] else [])

    def _free_along(self, p: int) -> np.ndarray | None:
        own = self.frees[p] if len(self.frees) else None
        known = [E for E in (own, self.free) if E is not None]
        return np.hstack(known) if known else None

    def free_pairs(self, i, output, q):
        everywhere = super().free_pairs(i, output, q)
        blocks = [] if everywhere is None else [everywhere]
        for own, (_, B) in zip(self.frees, self.parts, strict=False):
            if own is not None and B is not None:
                blocks += [own[i] * column[output, None] for column in B.T]
        return np.hstack(blocks) if blocks else None

    def apply(self, G):
        out = np.zeros_like(G)
        for kernel, B in self.parts:
            out += kernel @ G if B is None else (kernel @ (G @ B)) @ B.T
        return out

    def cross(self, i, D, j, E):
        total = np.zeros((len(i), len(j)))
        for kernel, B in self.parts:
            total += kernel[np.ix_(i, j)] * (D @ E.T if B is None else (D @ B) @ (E @ B).T)
        return total

    def pairs(self, i, output):
        total = np.zeros((len(i), len(i)))
        for kernel, B in self.parts:
            across = (output[:, None] == output) if B is None else (B @ B.T)[np.ix_(output, output)]
            total += kernel[np.ix_(i, i)] * across
        return total


class System(ABC):
    """γ P + Φ*GΦ of a space, ready to be solved for many right-hand sides.

    Attributes
    ----------
    factored : bool
        Whether a solution costs little beside the factor: False for iterations.
    """

    factored = True

    @abstractmethod
    def solve(self, R: np.ndarray) -> Element:
        """The function with coefficients c, (m, t)."""

    def sections(self, rows: np.ndarray) -> Element | None:
        """The solutions for r = Φ*e_i, i among the rows, by a shorter way; else None."""
        return None

    def kernel(self, rows: np.ndarray) -> np.ndarray | None:
        """Φ (γ P + Φ*GΦ)⁻¹ Φ* among the rows, (l, l), where it is at hand; else None."""
        return None


@dataclass(frozen=True)
class CallableSystem(System):
    """A system that is known by its solutions alone."""

    how: Callable[[np.ndarray], Element] = field(repr=False)
    factored: bool = True

    def solve(self, R):
        return self.how(R)


class PencilSystem(System):
    """One member γ I + σ Φ*GΦ of a pencil."""

    def __init__(self, space: Space, pencil: Pencil, gamma: float, sigma: float = 1.0):
        self.space = space
        self.pencil = pencil
        self.gamma = float(gamma)
        self.sigma = float(sigma)

    def solve(self, R):
        one = np.ones(R.shape[1])
        a, f = self.pencil.solve(self.gamma * one, self.sigma * one, R)
        return self.space.element(a, f)

    def sections(self, rows):
        found = self.pencil.sections(self.gamma, self.sigma, rows)
        return None if found is None else self.space.element(found)

    def kernel(self, rows):
        return self.pencil.kernel(self.gamma, self.sigma, rows)


class ScaledIdentity(System):
    """γ I: no penalty but the norm."""

    def __init__(self, space: Space, gamma: float):
        self.space = space
        self.gamma = gamma

    def solve(self, R):
        return self.space.element(R / self.gamma)

    def kernel(self, rows):
        K = self.space.gram
        return None if K is None else K[np.ix_(rows, rows)] / self.gamma
