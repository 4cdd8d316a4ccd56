"""The same problem on the labeled rows, and the map back to the whole problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from ..kernels import Precomputed
from ..linalg.memory import require_bytes
from ..losses import Loss
from ..spaces import Element, Exact, Joint, LabeledKernel, Space, WithFreeFunctions
from .equation import Problem
from .terms import NORM, Term


@dataclass(frozen=True)
class Reduced:
    """The same problem on the labeled rows, and the map back to the whole problem.

    Attributes
    ----------
    problem : Problem
        The small problem over the Gram matrix of K̃ at the l labeled rows. If K̃ couples the
        outputs, it is over the observed pairs (row, output) as one column, or as q columns for a
        loss that reads them together. ‖f‖² is its only penalty.
    lift : callable
        Maps coefficients of the small problem to those of the whole one.
    source : integer array
        The labeled row of each row of the small problem.
    """

    problem: Problem
    lift: Callable[[np.ndarray], np.ndarray] = field(repr=False)
    source: np.ndarray = field(repr=False)

    @property
    def gram(self) -> np.ndarray:
        """K̃, (l, l) or (P, P)."""
        return self.problem.space.gram

    def without(self, whole: Problem, gone: np.ndarray) -> Problem:
        """The small problem without the labels of some rows. The other weights are renormalized."""
        share = 1.0 - whole.w.max(axis=1)[gone].sum()
        hidden = np.isin(self.source, gone)[:, None]
        small = self.problem
        return small.relabeled(small.y, np.where(hidden, 0.0, small.w / (share or 1.0)))

    def at_labels(self, whole: Problem, coef: np.ndarray) -> np.ndarray:
        """The scores of the small problem at the labels, (l, t); NaN elsewhere."""
        return self.placed(whole, self.problem.space.element(coef).readout)

    def placed(self, whole: Problem, values: np.ndarray) -> np.ndarray:
        """Values of the rows of the small problem at the labels, (l, t); NaN elsewhere."""
        if values.shape == whole.y.shape:
            return values
        out = np.full(whole.y.shape, np.nan)
        out[np.nonzero(np.broadcast_to(whole.w, out.shape))] = values[:, 0]
        return out

    def begin(self, whole: Problem, e: Element) -> Element:
        """The start from a function e of the whole problem: β = −½ w V′(y, f), and its b.

        This is exact at a minimizer. It changes little with the weights γ, unlike the coefficients
        of e.
        """
        small, weights = self.problem, np.broadcast_to(whole.w, whole.y.shape)
        beta = -0.5 * weights * whole.loss.gradient(whole.y, e.readout[whole.rows])
        pairs = small.y.shape != whole.y.shape
        if pairs:
            beta = beta[np.nonzero(weights)][:, None]
        g = (small.space.n_coef - len(beta)) // (whole.n_columns if pairs else 1)
        b = e.coef[len(e.coef) - g :]
        return small.space.element(np.vstack([beta, b.reshape(-1, beta.shape[1])]))


def reduce(problem: Problem) -> Reduced:
    """The problem on the labeled rows: the minimizer is Σ β_i K̃(·, x_i) over them.

    This holds for every loss (MR §4.4, eq. 10). One factorization of order n (or one batch of
    conjugate gradients) gives K̃. All further work costs l² and l³. If K̃ couples the outputs, the
    sum is over the labeled pairs (row, output).
    """
    if problem.is_reduced:
        return Reduced(problem, lambda coef: coef, np.arange(len(problem.rows)))
    kernel = problem.deformation.gram(problem.rows)
    gram, l = kernel.shared, len(problem.rows)
    if gram is not None:
        require_finite(gram)
        small = _small(problem.loss, problem.y, problem.w, _over(gram, kernel.free))
        return Reduced(small, lambda coef: kernel.lift(coef[:l], coef[l:]), np.arange(l))
    if problem.loss.couples:
        return _reduce_rows(problem, kernel)
    weights = np.broadcast_to(problem.w, problem.y.shape)
    i, output = np.nonzero(weights)
    P, q = len(i), problem.n_columns
    require_bytes(
        4 * 8 * P**2,
        f"The {P} observed (row, output) pairs of this problem",
        "Use a smooth loss with solver='newton', which works on the points instead.",
    )
    free = kernel.free_pairs(i, output, q)
    targets, w = problem.y[i, output][:, None], weights[i, output][:, None]

    def lift(coef: np.ndarray) -> np.ndarray:
        G = np.zeros((l, q))
        G[i, output] = coef[:P, 0]
        return kernel.lift(G, coef[P:].reshape(-1, q))

    pairs = require_finite(kernel.pairs(i, output))
    return Reduced(_small(problem.loss.at(output), targets, w, _over(pairs, free)), lift, i)


def _reduce_rows(problem: Problem, kernel: LabeledKernel) -> Reduced:
    """All l q pairs as q columns, for a loss that reads them together."""
    l, q = problem.y.shape
    require_bytes(
        4 * 8 * (l * q) ** 2,
        f"K̃ between {l} labeled rows with {q} outputs each",
        "Label fewer rows, or ask for nothing that leaves them out one by one.",
    )
    i, output = np.divmod(np.arange(l * q), q)
    space = Joint(require_finite(kernel.pairs(i, output)), Precomputed(), None, q)
    return Reduced(_small(problem.loss, problem.y, problem.w, space), kernel.lift, np.arange(l))


def require_finite(gram: np.ndarray) -> np.ndarray:
    """K̃ itself. An error if it holds entries that are not finite."""
    if not np.isfinite(gram).all():
        raise ValueError(
            "The deformed kernel is not finite: gamma_I outweighs gamma_A by more than float "
            "arithmetic can hold. Raise gamma_A or lower gamma_I."
        )
    return gram


def _over(gram: np.ndarray, free: np.ndarray) -> Space:
    space: Space = Exact(gram, Precomputed(), None)
    return WithFreeFunctions(space, free) if free.shape[1] else space


def _small(loss: Loss, y: np.ndarray, w: np.ndarray, space: Space) -> Problem:
    """The small problem. ‖f‖² is the only penalty, and its weight is 1."""
    whole = Problem.of(loss, y, w, space, (Term(1.0, NORM, "gamma_A"),))
    return replace(whole, is_reduced=True)
