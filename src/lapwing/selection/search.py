"""The search: kernels first, graphs next, both weights and the intercept with each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..kernels import Kernel
from ..regularizers import Regularizer
from ..spaces import on_graph
from . import candidates
from .criterion import row_losses
from .grams import LabelledGrams
from .leave_one_out import held_out_grid
from .problem import Problem, sampled
from .selection import Selection, Trial, runner_up

FEWEST = 4
"""Labelled rows that can be left out, below which nothing is compared."""

KERNEL_STEPS = (0.0, 1.0, 1.0, 3.0)
"""How far each kernel is from the default, in powers of ten of γ_I/γ_A."""

CLEARLY = 1.5
"""Standard errors by which the default must be behind to be left: the best of many flatters."""

ALIKE = 0.5
"""Standard errors within which two settings are as good as each other."""

LARGEST = 4000
"""Rows above which nothing is searched where none can be left out."""


def select(
    X,
    Y: np.ndarray,
    weights: np.ndarray,
    codes: np.ndarray,
    n_classes: int,
    *,
    given: dict[str, Any],
    points: Callable,
    space="auto",
    random_state=None,
) -> Selection:
    """Choose what is "auto" among kernel, regularizer, γ_A, γ_I and the intercept.

    The criterion is leave-one-out of the squared loss, in closed form, whatever the loss of the
    fit: what is chosen is K̃, the kernel both have in common. Kernels are compared over the default
    graph, graphs over the best kernel, γ_A, γ_I and the intercept within each
    (:mod:`lapwing.selection.candidates` lists them all). The documented default stays unless a
    paired comparison over the labelled rows says otherwise by more than 1.5 standard errors; then
    the setting nearest to it that does as well as the best, by the same measure, is taken.
    Classes with one label tell nothing when it is left out; where too few rows tell, the default
    is taken as it is. So it is above 8,000 rows, where the functions are values on the points: a
    sample's graph is another one (decision 0110).

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d), or the Gram matrix
    Y, weights : arrays of shape (n, t) and (n, 1) or (n, t)
    codes : integer array of shape (n,)
        Class codes, −1 where unlabelled.
    n_classes : int
        0 where targets are no classes.
    given : dict
        The five parameters, as they were typed.
    points : callable
        (kernel, X) ↦ what a graph sees.
    space : str or rule
    random_state : int, RandomState or None

    Returns
    -------
    Selection
    """
    tried = candidates.kernels(given["kernel"], X, space, random_state)
    graphs = candidates.regularizers(
        given["regularizer"], (codes >= 0).sum() / n_classes if n_classes else 0.0
    )
    whole = _over_given_rows(graphs[0])
    problem = sampled(
        X, Y, weights, codes, n_classes, random_state=random_state, points=points,
        precomputed=tried[0].precomputed, whole=whole,
    )  # fmt: skip
    search = _Search(problem, given)
    if search.telling.sum() < FEWEST:
        return search.default(tried[0], graphs[0], "too few labels to compare by")
    if on_graph(space, tried[0], X):
        reason = f"{problem.n} of {X.shape[0]} rows tell too little of the graph of all"
        return search.default(tried[0], graphs[0], reason)
    if problem.n > LARGEST:
        reason = f"a matrix over {problem.n} rows is too large to search with"
        return search.default(tried[0], graphs[0], reason)
    for i, kernel in enumerate(tried):
        search.try_parts(kernel, graphs[0], KERNEL_STEPS[i])
    leading = search.chosen().kernel
    for steps, graph in enumerate(graphs[1:], start=1):
        search.try_parts(
            leading, graph, KERNEL_STEPS[tried.index(leading)] + 1.0 + 0.1 * steps, both=False
        )
    return search.decide()


class _Search:
    """Trials over one problem."""

    def __init__(self, problem: Problem, given: dict[str, Any]):
        self.problem = problem
        self.given = given
        self.telling = _telling(problem)
        self.trials: list[Trial] = []
        self._grams: dict[int, np.ndarray] = {}

    def try_parts(
        self, kernel: Kernel, regularizer: Regularizer, steps: float, both: bool = True
    ) -> None:
        """All weights, with and without an intercept if ``both``; so far from the default."""
        problem = self.problem
        K, M, rule_A, rule_I = problem.parts(kernel, regularizer)
        pairs = candidates.weights(self.given["gamma_A"], self.given["gamma_I"], rule_A, rule_I)
        grams = LabelledGrams(K, M, problem.rows)
        for ratio in dict.fromkeys(pair.ratio for pair in pairs):
            if ratio == 0 and any(t.kernel is kernel and not t.gamma_I for t in self.trials):
                continue  # without M all graphs are one
            gram, at = grams.at(ratio), [pair for pair in pairs if pair.ratio == ratio]
            with_b = candidates.intercepts(self.given["fit_intercept"], M, ratio)
            for changed, fit_intercept in enumerate(with_b if both else with_b[:1]):
                E = np.ones((len(gram), 1)) if fit_intercept else None
                held = held_out_grid(gram, E, problem.Y, problem.w, [p.gamma_A for p in at])
                for pair, H in zip(at, held, strict=True):
                    self.trials.append(
                        Trial(
                            kernel,
                            regularizer,
                            fit_intercept,
                            pair.typed_A,
                            pair.typed_I,
                            self._losses(H),
                            steps + changed + candidates.distance(pair, pairs[0]),
                        )
                    )

    def _losses(self, H: np.ndarray) -> np.ndarray:
        problem = self.problem
        known = problem.codes[problem.rows]
        return row_losses(H, problem.Y, known, problem.n_classes)[self.telling]

    def best(self) -> Trial:
        return min(self.trials, key=lambda t: t.score if np.isfinite(t.score) else np.inf)

    def chosen(self) -> Trial:
        """The default, unless the best beats it clearly; then the nearest to it that is as good."""
        losses, best = np.array([t.losses for t in self.trials]), self.best()
        behind = losses - best.losses
        error = behind.std(axis=1, ddof=1) / np.sqrt(behind.shape[1])
        # of classes, less than one label more or less is no evidence, however steady
        least = 1.0 / behind.shape[1] if self.problem.n_classes else 0.0
        if behind[0].mean() <= max(CLEARLY * error[0], least):
            return self.trials[0]
        even = np.flatnonzero(behind.mean(axis=1) <= np.maximum(ALIKE * error, ALIKE * least))
        tied = [self.trials[i] for i in even] or [self.trials[0]]
        return min(tied, key=lambda t: (t.steps, t.score))

    def decide(self) -> Selection:
        """What is chosen, and why."""
        default, best, chosen = self.trials[0], self.best(), self.chosen()
        gain = default.losses - best.losses
        error = float(np.std(gain, ddof=1)) / np.sqrt(len(gain))
        reason = (
            f"leave-one-out over {len(gain)} labels {'keeps' if chosen is default else 'leaves'} "
            f"the default ({default.score:.3g}, best {best.score:.3g}, difference "
            f"{float(gain.mean()):.2g} ± {error:.2g}, chosen {chosen.score:.3g})"
        )
        return Selection(
            self._typed(chosen),
            reason,
            chosen,
            default,
            runner_up(self.trials, chosen),
            tuple(self.trials),
        )

    def default(self, kernel: Kernel, regularizer: Regularizer, reason: str) -> Selection:
        """The documented default, where nothing can be compared."""
        _, M, rule_A, rule_I = self.problem.parts(kernel, regularizer)
        pair = candidates.weights(self.given["gamma_A"], self.given["gamma_I"], rule_A, rule_I)[0]
        b = candidates.intercepts(self.given["fit_intercept"], M, pair.ratio)[0]
        trial = Trial(kernel, regularizer, b, pair.typed_A, pair.typed_I, np.empty(0))
        return Selection(self._typed(trial), reason)

    def _typed(self, trial: Trial) -> dict[str, Any]:
        """What was given stays as it was typed."""
        return {
            name: value if candidates.is_auto(self.given[name]) else self.given[name]
            for name, value in trial.settings.items()
        }


def _over_given_rows(regularizer: Regularizer) -> bool:
    """Whether it holds a matrix over the rows of X, none of which can then be left out."""
    parts = regularizer.get_params(deep=True).values()
    return any(sp.issparse(part) or np.ndim(part) == 2 for part in parts)


def _telling(problem: Problem) -> np.ndarray:
    """Rows that say something once they are left out: another of their class has a label."""
    codes = problem.codes[problem.rows]
    if not problem.n_classes:
        return np.ones(len(codes), dtype=bool)
    return np.bincount(codes, minlength=problem.n_classes)[codes] > 1
