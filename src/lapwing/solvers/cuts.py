"""Working sets of cutting planes: one family per example, or one for all examples together."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ..linalg.simplex_qp import QPResult, maximize_on_simplices
from ..losses import StructuredHinge
from ..spaces import LabeledKernel


@dataclass(frozen=True)
class WorkingSet:
    """The outputs with an active constraint, from which another solve can start.

    Attributes
    ----------
    row : integer array of shape (m,)
        Positions among the labeled rows.
    output : array of shape (m, q)
        Indicator rows of the outputs.
    multiplier : array of shape (m,), optional
        μ of SO (9) for slack re-scaling with one slack per example: Σ_ȳ μ_iȳ ≤ w_i. None where no
        multiplier was computed.
    """

    row: np.ndarray
    output: np.ndarray
    multiplier: np.ndarray | None = None

    def without(self, gone: np.ndarray) -> "WorkingSet":
        """The working set of the same problem without the labeled rows ``gone``."""
        others = ~np.isin(self.row, gone)
        row = self.row[others]
        return WorkingSet(row - np.searchsorted(np.sort(gone), row), self.output[others])


class Cuts(ABC):
    """Constraints b_c − ⟨G_c, F⟩ ≤ ξ found so far, with their Gram matrix H = ⟨G_c, K̃ G_d⟩/2.

    In the restricted dual each constraint has a multiplier μ_c ≥ 0. The sum of the multipliers of a
    group is at most its cap. The function is F = K̃ Σ μ_c G_c/2. New constraints only add rows to
    H.

    Parameters
    ----------
    kernel : LabeledKernel
    loss : StructuredHinge
    y : array of shape (l, q)
        The targets, as indicator rows.
    w : array of shape (l,)
        Weights of the rows: positive, with sum 1.
    """

    cap: np.ndarray
    joint = False

    def __init__(self, kernel: LabeledKernel, loss: StructuredHinge, y, w):
        self.kernel = kernel
        self.loss = loss
        self.y = y
        self.w = w
        self.H = np.zeros((0, 0))
        self.b = np.zeros(0)
        self.idle = np.zeros(0, dtype=int)
        self.mu = np.zeros(0)
        self.rounding = 1e-12 * float(np.max(loss.outputs.worst_loss(y)))

    @property
    def m(self) -> int:
        return len(self.b)

    @abstractmethod
    def add(self, worst: np.ndarray, xi: np.ndarray, F: np.ndarray) -> int:
        """Add the violated constraints among the rows' worst outputs, and return their number."""

    @abstractmethod
    def combine(self, mu: np.ndarray) -> np.ndarray:
        """Σ μ_c G_c, (l, q)."""

    def working_set(self) -> WorkingSet | None:
        """The active outputs, from which another solve can start; None where cuts are joint."""
        return None

    @abstractmethod
    def _groups(self) -> np.ndarray: ...

    @abstractmethod
    def _keep(self, kept: np.ndarray) -> None: ...

    def solve(self, tol: float) -> QPResult:
        """The maximum of the restricted dual."""
        found = maximize_on_simplices(self.H, self.b, self._groups(), self.cap, tol)
        share = min(1e-3, tol)  # a multiplier below this share of its cap counts as zero
        self.idle = np.where(found.x < share * self.cap[self._groups()], self.idle + 1, 0)
        self.mu = found.x
        return found

    def prune(self, many: int = 150) -> None:
        """Remove cuts that have been idle for five rounds, where there are more than ``many``."""
        kept = np.flatnonzero(self.idle < 5)
        if self.m > many and len(kept) < self.m:
            self.H = self.H[np.ix_(kept, kept)]
            self.b, self.idle, self.mu = self.b[kept], self.idle[kept], self.mu[kept]
            self._keep(kept)

    def _grow(self, across: np.ndarray, corner: np.ndarray, b: np.ndarray) -> None:
        """Extend H by the inner products of old with new cuts, and of new with new ones."""
        across, corner = 0.5 * across, 0.5 * corner
        self.H = np.block([[self.H, across], [across.T, 0.5 * (corner + corner.T)]])
        self.b = np.concatenate([self.b, b])
        self.idle = np.concatenate([self.idle, np.zeros(len(b), dtype=int)])


class ExampleCuts(Cuts):
    """n-slack: a cut is one output of one example, G_c = e_i ⊗ s(λ(y_i) − λ(ȳ)), b_c = Δ.

    Every example has its own slack ξ_i, and thus its own group with cap w_i: SO (9).
    """

    def __init__(self, kernel, loss, y, w):
        super().__init__(kernel, loss, y, w)
        self.cap = w
        self.row = np.zeros(0, dtype=int)
        self.output = np.zeros((0, y.shape[1]))
        self.difference = np.zeros((0, y.shape[1]))

    def add(self, worst, xi, F):
        known = np.zeros(len(self.y))
        violation = self.b - np.einsum("mq,mq->m", self.difference, F[self.row])
        np.maximum.at(known, self.row, violation)
        excess = self.w * (xi - known)
        new = np.flatnonzero(xi > known + np.maximum(self.rounding, 1e-12 * np.abs(xi)))
        # Most examples never bind. The program stays small because the worst are added first,
        # at most as many as there are, or fifty.
        new = np.sort(new[np.argsort(-excess[new], kind="stable")[: max(50, self.m)]])
        if len(new):
            self.extend(new, worst[new])
        return len(new)

    def extend(self, row: np.ndarray, output: np.ndarray) -> None:
        """Add the given outputs of the given examples."""
        D = self.loss.difference(self.y[row], output)
        b = self.loss.outputs.loss(self.y[row], output)
        across = self.kernel.cross(self.row, self.difference, row, D)
        self._grow(across, self.kernel.cross(row, D, row, D), b)
        self.row = np.concatenate([self.row, row])
        self.output = np.vstack([self.output, output])
        self.difference = np.vstack([self.difference, D])

    def working_set(self):
        active = self.idle == 0
        mu = np.zeros(self.m)
        mu[: len(self.mu)] = self.mu  # cuts added since the last solve have none yet
        return WorkingSet(self.row[active], self.output[active], mu[active])

    def combine(self, mu):
        G = np.zeros_like(self.y)
        np.add.at(G, self.row, mu[:, None] * self.difference)
        return G

    def _groups(self):
        return self.row

    def _keep(self, kept):
        self.row, self.output = self.row[kept], self.output[kept]
        self.difference = self.difference[kept]


class JointCuts(Cuts):
    """1-slack: a cut is one output for every example, averaged: one slack, one group, cap 1.

    K̃ G_c is computed once and kept. Where examples are many, this needs fewer cuts than n-slack.

    References
    ----------
    Joachims, Finley, Yu 2009, *Cutting-plane training of structural SVMs*.
    """

    joint = True

    def __init__(self, kernel, loss, y, w):
        super().__init__(kernel, loss, y, w)
        self.cap = np.array([float(w.sum())])
        self.G = np.zeros((0, *y.shape))
        self.values = np.zeros((0, *y.shape))

    def add(self, worst, xi, F):
        # A row whose worst output is its own target adds zero: its difference and loss are zero.
        G = self.w[:, None] * self.loss.difference(self.y, worst)
        b = float(self.w @ self.loss.outputs.loss(self.y, worst))
        known = np.max(self.b - np.tensordot(self.G, F, axes=2), initial=0.0)
        if b - np.vdot(G, F) <= known + max(self.rounding, 1e-12 * abs(known)):
            return 0
        V = self.kernel.apply(G)
        across = np.tensordot(self.values, G, axes=2)[:, None]
        self._grow(across, np.array([[np.vdot(G, V)]]), np.array([b]))
        self.G = np.concatenate([self.G, G[None]])
        self.values = np.concatenate([self.values, V[None]])
        return 1

    def combine(self, mu):
        return np.tensordot(mu, self.G, axes=1)

    def _groups(self):
        return np.zeros(self.m, dtype=int)

    def _keep(self, kept):
        self.G, self.values = self.G[kept], self.values[kept]
