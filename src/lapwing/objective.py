"""The equation: how loss, space and regularizer add up; where the labels are; what solves it.

:class:`Objective` is the only class that knows the equation, :class:`Reduced` the same problem over
the labeled points, :class:`Solution` what every solver returns, with its certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from .kernels import Precomputed
from .linalg.memory import require_bytes
from .losses import Loss
from .operators import Operator, ZeroOperator
from .spaces import Deformation, Element, Exact, Joint, LabeledKernel, Space, WithFreeFunctions

Progress = Callable[[int, float], None]
"""Called as ``progress(iteration, optimality)`` while a solver works."""

ROUNDING = 1e-12
"""How far below zero a duality gap may come out; below that, something is wrong."""

TINY, BLUR = 1e-10, 1e-3
"""γ_A over the kernel's size where rounding is looked at; how much of J(0) it may decide."""


class Objective:
    """J(c) = Σ_i w_i V(y_i, (Rf)(x_i)) + γ_A ⟨c, P c⟩ + (γ_I/n²) ⟨f, M f⟩, column by column.

    Values, gradients and certificates are one number or function per column; the columns are
    independent problems unless the loss or the metric couples them.

    Parameters
    ----------
    loss : Loss
    Y : array of shape (n, t)
        Targets; rows of weight 0 are not read.
    weights : array of shape (n, 1) or (n, t)
        w ≥ 0: 1/l on labeled rows (or w_i/Σw), 0 on unlabeled ones; entry by entry if (n, t).
    space : Space
    operator : Operator
        M, over ``space.evaluate(c)``.
    gamma_A, gamma_I : float

    References
    ----------
    MR eqs. 4 and 8; VV eq. 11.
    """

    def __init__(
        self,
        loss: Loss,
        Y: np.ndarray,
        weights: np.ndarray,
        space: Space,
        operator: Operator,
        gamma_A: float,
        gamma_I: float,
    ):
        self.loss = loss
        self.space = space
        self.operator = operator
        self.gamma_A = gamma_A
        self.lam = gamma_I / Y.shape[0] ** 2
        self.n_rows, self.n_columns = Y.shape
        self.rows = np.flatnonzero(weights.any(axis=1))
        self.y = Y[self.rows]
        self.w = weights[self.rows]

    def value(self, e: Element) -> np.ndarray:
        """J of each column, (t,)."""
        ambient = self.ambient(e)
        smooth = self.lam * self.operator.value(e.values) if self.lam else np.zeros_like(ambient)
        return added(self.empirical(e), ambient, smooth)

    def empirical(self, e: Element) -> np.ndarray:
        """Σ w V(y, f) of each column, (t,): J without its penalties."""
        return (self.w * self.loss.value(self.y, e.readout[self.rows])).sum(axis=0)

    def ambient(self, e: Element) -> np.ndarray:
        """γ_A⟨c, P c⟩ of each column: γ_A‖f‖².

        γ_A c first: c is of the order of y/γ_A, and ⟨c, c⟩ alone may vanish below all floats.
        """
        return self.space.inner(e, self.space.element(self.gamma_A * self.space.penalized(e.coef)))

    def gradient(self, e: Element) -> Element:
        """∇J(c) in the space's metric."""
        slope = self.w * self.loss.gradient(self.y, e.readout[self.rows])
        return self._adjoint(e, e.coef, slope)

    def curvature(self, e: Element, v: Element) -> Element:
        """The derivative of ∇J at ``e`` along ``v``; needs a smooth loss."""
        return self._adjoint(v, v.coef, self.bend(e) * v.readout[self.rows])

    def bend(self, e: Element) -> np.ndarray:
        """w V″ at ``e``, (l, t): the curvature of the empirical term, for a smooth loss."""
        return self.w * self.loss.curvature(self.y, e.readout[self.rows])

    def _adjoint(self, v: Element, coef: np.ndarray, on_rows: np.ndarray) -> Element:
        r_M = 0.0
        if self.lam and v is not self.start:
            r_M = 2.0 * self.lam * self.operator.apply(v.values)
        r_loss = np.zeros((self.n_rows, self.n_columns))
        r_loss[self.rows] = on_rows
        pulled = self.space.represent(r_M, r_loss)
        return self.space.element(pulled + 2.0 * self.gamma_A * self.space.penalized(coef))

    @cached_property
    def deformation(self) -> Deformation:
        """K̃ of both penalties: it does not depend on the labels, and its factors are kept."""
        return self.space.deformed(self.operator, self.gamma_A, self.lam)

    def __getstate__(self) -> dict:
        """Without what can be made again: the factors, and the scale of the certificate."""
        made = ("deformation", "start", "_scale", "_free_scale")
        return {name: part for name, part in vars(self).items() if name not in made}

    def relabeled(self, Y: np.ndarray, weights: np.ndarray) -> Objective:
        """The same penalties, and the same factors, with other labels and weights."""
        other = self.with_labels(self.loss, Y, weights)
        other.deformation = self.deformation
        return other

    def with_labels(self, loss: Loss, Y: np.ndarray, weights: np.ndarray) -> Objective:
        """The same penalties with other labels; nothing is factored that was not."""
        gamma_I = self.lam * self.n_rows**2
        return Objective(loss, Y, weights, self.space, self.operator, self.gamma_A, gamma_I)

    @cached_property
    def start(self) -> Element:
        """The zero function, where certificates are measured from."""
        return self.space.zero(self.n_columns)

    @cached_property
    def _scale(self) -> np.ndarray:
        """‖∇(0)‖ of each column."""
        return self.space.norm(self.gradient(self.start))

    @cached_property
    def _free_scale(self) -> np.ndarray | None:
        """Σ_i w_i |V′(y_i, 0)| over the rows of each offset, (g, t): what its slope can be."""
        if self.space.free is None:
            return None
        slopes = np.zeros((self.n_rows, self.n_columns))
        at_zero = self.loss.gradient(self.y, np.zeros((len(self.rows), self.n_columns)))
        slopes[self.rows] = np.abs(self.w * at_zero)
        return self.space.unpenalized(self.space.represent(0.0, slopes))

    @property
    def size(self) -> float:
        """(‖∇(0)‖/Σ|w V′(y, 0)|)²: of the kernel's order at the labels, from below."""
        at_zero = self.loss.gradient(self.y, np.zeros((len(self.rows), self.n_columns)))
        slopes = float(np.abs(self.w * at_zero).sum())
        root = float(np.linalg.norm(self._scale)) / slopes if slopes else 0.0
        return root * root  # a power of a float that overflows would raise

    def relative(self, g: Element) -> np.ndarray:
        """‖g‖ / ‖∇(0)‖ of each column; a column that zero already solves counts against all.

        Offsets are also judged on a scale of their own: that of ‖∇(0)‖ is the kernel's, which one
        far point can raise so high that any slope along a constant looks small beside it.
        """
        scale = self._scale
        fallback = scale.max() or 1.0
        found = self.space.norm(g) / np.where(scale > 1e-14 * fallback, scale, fallback)
        free, own = self.space.unpenalized(g.coef), self._free_scale
        if free is None or own is None:
            return found
        steep = np.divide(np.abs(free), own, out=np.zeros_like(free), where=own > 0).max(axis=0)
        return np.maximum(found, steep if len(steep) == len(found) else steep.max())

    def optimality(self, e: Element) -> float:
        """The certificate for smooth losses: :meth:`relative` of ∇(c), the worst column."""
        return float(self.relative(self.gradient(e)).max())


def added(*terms: np.ndarray) -> np.ndarray:
    """Sum of per-column terms; where one of them couples the columns, so does the sum."""
    if len({len(term) for term in terms}) > 1:
        terms = tuple(term.sum(keepdims=True) for term in terms)
    return sum(terms[1:], start=terms[0])


@dataclass(frozen=True)
class Reduced:
    """The same problem where the labels are, and the way back.

    Attributes
    ----------
    objective : Objective
        Over the Gram matrix of K̃ at the l labeled rows, or at the observed pairs (row, output) as
        one column (as q columns for a loss that reads them together); its γ_A is 1 and its M zero.
    lift : callable
        Coefficients of the small problem ↦ those of the whole one.
    source : integer array
        Which labeled row each row of the small problem is of.
    """

    objective: Objective
    lift: Callable[[np.ndarray], np.ndarray] = field(repr=False)
    source: np.ndarray = field(repr=False)

    @property
    def gram(self) -> np.ndarray:
        """K̃, (l, l) or (P, P)."""
        gram = self.objective.space.gram
        assert gram is not None
        return gram

    def begin(self, whole: Objective, e: Element) -> Element:
        """Where to start from a function e of the whole problem: β = −½ w V′(y, f), and its b.

        That is exact at a minimizer, and moves little with the γ's, unlike e's coefficients.
        """
        small, weights = self.objective, np.broadcast_to(whole.w, whole.y.shape)
        beta = -0.5 * weights * whole.loss.gradient(whole.y, e.readout[whole.rows])
        pairs = small.y.shape != whole.y.shape
        if pairs:
            beta = beta[np.nonzero(weights)][:, None]
        g = (small.space.n_coef - len(beta)) // (whole.n_columns if pairs else 1)
        b = e.coef[len(e.coef) - g :]
        return small.space.element(np.vstack([beta, b.reshape(-1, beta.shape[1])]))


def reduce(objective: Objective) -> Reduced:
    """The minimizer is Σ β_i K̃(·, x_i) over what is labeled, whatever the loss (MR §4.4, eq. 10).

    One factorization of order n (or one batch of conjugate gradients) gives K̃; everything else
    then costs l² and l³. Where K̃ couples the outputs, what is labeled are pairs (row, output).
    """
    kernel = objective.deformation.gram(objective.rows)
    gram, l = kernel.shared, len(objective.rows)
    if gram is not None:
        require_finite(gram)
        small = _small(objective.loss, objective.y, objective.w, gram, kernel.free)
        return Reduced(small, lambda coef: kernel.lift(coef[:l], coef[l:]), np.arange(l))
    if objective.loss.couples:
        return _reduce_rows(objective, kernel)
    weights = np.broadcast_to(objective.w, objective.y.shape)
    i, output = np.nonzero(weights)
    P, q = len(i), objective.n_columns
    require_bytes(
        4 * 8 * P**2,
        f"The {P} observed (row, output) pairs of this problem",
        "Use a smooth loss with solver='newton', which works on the points instead.",
    )
    free = kernel.free_pairs(i, output, q)
    targets, w = objective.y[i, output][:, None], weights[i, output][:, None]

    def lift(coef: np.ndarray) -> np.ndarray:
        G = np.zeros((l, q))
        G[i, output] = coef[:P, 0]
        return kernel.lift(G, coef[P:].reshape(-1, q))

    pairs = require_finite(kernel.pairs(i, output))
    loss = objective.loss if objective.loss.at is None else objective.loss.at(output)
    return Reduced(_small(loss, targets, w, pairs, free), lift, i)


def _reduce_rows(objective: Objective, kernel: LabeledKernel) -> Reduced:
    """All l q pairs as q columns: for a loss that reads these together."""
    l, q = objective.y.shape
    require_bytes(
        4 * 8 * (l * q) ** 2,
        f"K̃ between {l} labeled rows with {q} outputs each",
        "Label fewer rows, or ask for nothing that leaves them out one by one.",
    )
    i, output = np.divmod(np.arange(l * q), q)
    space = Joint(require_finite(kernel.pairs(i, output)), Precomputed(), None, q)
    operator = ZeroOperator(l)
    small = Objective(objective.loss, objective.y, objective.w, space, operator, 1.0, 0.0)
    return Reduced(small, kernel.lift, np.arange(l))


def require_finite(gram: np.ndarray) -> np.ndarray:
    """K̃ itself; one clear error where rounding has left no number of it."""
    if not np.isfinite(gram).all():
        raise ValueError(
            "The deformed kernel is not finite: gamma_I outweighs gamma_A by more than float "
            "arithmetic can hold. Raise gamma_A or lower gamma_I."
        )
    return gram


def _small(loss: Loss, y, w, gram: np.ndarray, free: np.ndarray | None) -> Objective:
    space: Space = Exact(gram, Precomputed(), None)
    space = space if free is None else WithFreeFunctions(space, free)
    return Objective(loss, y, w, space, ZeroOperator(len(gram)), 1.0, 0.0)


class Status(StrEnum):
    """How a solve ended; the text is the diagnosis shown to the user."""

    CONVERGED = "converged"
    EARLY_STOPPED = "stopped where the answers had settled, as was asked for, short of the minimum"
    MAX_ITER = (
        "the iteration limit was reached before the tolerance: raise max_iter, loosen tol, or "
        "increase gamma_A, which conditions the problem"
    )
    STALLED = (
        "rounding stopped all progress above the tolerance: the problem is too ill-conditioned "
        "for this tol; increase gamma_A or loosen tol"
    )


@dataclass(frozen=True)
class Solution:
    """What a solver returns.

    Attributes
    ----------
    coef : array of shape (m, t)
        Coefficients in the objective's space.
    status : Status
    n_iter : int
    optimality : float
        The certificate, worst column: ‖∇(c)‖/‖∇(0)‖, or the relative duality gap.
    history : list of float
        The certificate as the iterations went.
    base : array of shape (n, t), optional
        What the space's elements remember of f at the training points, where the solver has it.
    slow : tuple of int
        Columns that the solver's first engine gave up.
    multipliers : array of shape (l, t), optional
        β of each labeled row, f = K̃β and |β_i| ≤ w_i/2 for the hinge, where the solver is one of
        the dual and its columns are those of the objective.
    """

    coef: np.ndarray = field(repr=False)
    status: Status
    n_iter: int
    optimality: float
    history: list[float] = field(default_factory=list, repr=False)
    base: np.ndarray | None = field(default=None, repr=False)
    slow: tuple[int, ...] = field(default=(), repr=False)
    multipliers: np.ndarray | None = field(default=None, repr=False)


def status_of(optimality: float, tol: float, at_limit: bool = False) -> Status:
    """The rule for all solvers: converged at a finite certificate within the tolerance only."""
    if -ROUNDING <= optimality <= tol:  # False for not-a-number
        return Status.CONVERGED
    return Status.MAX_ITER if at_limit else Status.STALLED


def above_rounding(objective: Objective, found: Solution) -> Solution:
    """The solution, no longer called converged where the last digits of its coefficients decide J.

    c is of the order of 1/γ_A: far below the kernel's own size, Kc is what is left of sums of
    huge terms, and a small gradient says nothing of J any more. (A duality gap holds J itself.)
    """
    by_gradient = objective.loss.solver in ("direct", "newton")
    if found.status is not Status.CONVERGED or not by_gradient:
        return found
    if objective.gamma_A > TINY * objective.size:
        return found
    signs = np.where(np.arange(found.coef.size).reshape(found.coef.shape) % 2, 1.0, -1.0)
    eps = np.finfo(np.float64).eps
    here, moved = (
        objective.value(objective.space.element(found.coef * (1.0 + noise))).sum()
        for noise in (-eps * signs, eps * signs)
    )
    scale = max(float(here), float(objective.value(objective.start).sum()))
    blur = abs(float(moved) - float(here)) / (scale or 1.0)
    if blur <= BLUR:
        return found
    return replace(found, status=Status.STALLED, optimality=max(found.optimality, blur))


def relative_gap(primal: float, dual: float, origin: float) -> float:
    """|P − D|/max(P, P(0))."""
    return abs(primal - dual) / (max(primal, origin) or 1.0)


def check_loss(loss: Loss, solver) -> None:
    """One clear error where the loss is not of the kind that a solver, or its class, requires."""
    if not isinstance(loss, solver.requires):
        name = (solver if isinstance(solver, type) else type(solver)).__name__
        raise TypeError(
            f"The solver {name} needs a {solver.requires.__name__}, but the loss "
            f"{type(loss).__name__} is none. Use solver='auto'."
        )


def no_progress(iteration: int, optimality: float) -> None:
    """The default: nobody is told."""
