"""The squared loss with one kernel k·Q: one reduction for all γ_A and γ_O."""

from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np

from ..linalg.cholesky import pivoted_cholesky
from ..linalg.pencil import ReducedPencil
from ..linalg.quadratic_form import QuadraticForm
from ..parameters.shelf import Shelf
from ..problem import Problem
from ..solvers.direct import row_weights
from ..spaces import scalar

Solved = tuple[dict, Problem, np.ndarray, int]
"""A setting, its problem, the coefficients of the solution, and the number of iterations."""


def is_reducible(problem: Problem) -> bool:
    """Whether one reduction serves all γ_A and γ_O.

    It needs the squared loss, one kernel k·Q with its Gram matrix, the same rows observed in all
    outputs, and a penalty M on rows.
    """
    space = problem.space
    return (
        problem.loss.quadratic
        and problem.w.shape[1] == 1
        and space.mixing.related
        and len(scalar(space).gram) > 0
        and problem.operator.n_outputs == 1
    )


def reduced(problems: Iterable[tuple[dict, Problem]], shelf: Shelf) -> Iterator[Solved]:
    """Solve problems that are ordered by γ_I, then by their output kernels."""
    for _, same_penalty in groupby(problems, lambda at: at[1].lam):
        reduction = None
        for _, same_space in groupby(same_penalty, lambda at: at[1].space):
            block = list(same_space)
            reduction = reduction or Reduction(block[0][1], shelf)
            solved = reduction.solve([problem for _, problem in block])
            for (setting, problem), coef in zip(block, solved, strict=True):
                yield setting, problem, coef, 1


class Reduction:
    """(γ_A I + σ CᵀGC) z = σ Cᵀr of one γ_I, K = C Cᵀ, for any γ_A and output kernel."""

    def __init__(self, problem: Problem, shelf: Shelf):
        alone = scalar(problem.space)
        K, w = alone.gram, row_weights(problem).max(axis=1)
        form = QuadraticForm(problem.operator, problem.lam, w)
        self.form = form.without(alone.free) if alone.free.shape[1] else form
        factor = shelf.once(lambda: pivoted_cholesky(K)[0], "factor", K)
        self.pencil = ReducedPencil(K, self.form, factor)
        self.w = w[:, None]
        self.Y = np.zeros((problem.n_rows, problem.n_columns))
        self.Y[problem.rows] = problem.y
        self.asked = QuadraticForm(problem.operator, 0.0, w, self.form.taken).apply(self.Y)
        self.projected = factor.T @ self.asked

    def solve(self, problems: list[Problem]) -> Iterator[np.ndarray]:
        """The coefficients at each γ_A of one output kernel, solved as one block of columns."""
        gammas, mixing = np.array([p.gamma_A for p in problems]), problems[0].space.mixing.matrix
        t, q = len(gammas), mixing.shape[1]
        gamma, sigma = np.repeat(gammas, q), np.tile((mixing**2).sum(axis=0), t)
        f = self.pencil.values(gamma, sigma, np.tile(self.projected @ mixing, (1, t)))
        rest = np.tile(self.asked @ mixing, (1, t)) - sigma * self.form.apply(f)
        for problem, F in zip(problems, np.hsplit(rest / gamma, t), strict=True):
            yield self._with_constants(problem, F)

    def _with_constants(self, problem: Problem, F: np.ndarray) -> np.ndarray:
        """F with the constants below it. The constants fit the residuals of F."""
        E = problem.space.free
        if not E.shape[1]:
            return F
        padded = np.vstack([F, np.zeros((E.shape[1], F.shape[1]))])
        left = self.Y - problem.space.element(padded).readout
        padded[len(F) :] = np.linalg.solve(E.T @ (self.w * E), E.T @ (self.w * left))
        return padded
