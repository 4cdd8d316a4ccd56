"""The search: frames and kernels first, graphs next, weights and the intercept with each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..kernels import Kernel, check_magnitude, get_kernel
from ..operators import Operator
from ..regularizers import get_regularizer
from . import candidates
from .candidates import Parts
from .criterion import row_losses
from .grams import LabelledGrams
from .leave_one_out import held_out_grid
from .problem import Problem, sampled
from .selection import Selection, Trial, runner_up

FEWEST = 4
"""Labelled rows that can be left out, below which nothing is compared."""

CLEARLY = 1.25
"""Standard errors by which the default must be behind to be left: the best of many flatters."""

ALIKE = 0.25
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
    fit: what is chosen is K̃, the kernel both have in common. Frames and kernels are compared over
    the default graph, graphs over the leading kernel, γ_A, γ_I and the intercept within each
    (:mod:`lapwing.selection.candidates` lists them all). The documented default stays unless a
    paired comparison over the labelled rows says otherwise by more than 1.25 standard errors; then
    the setting nearest to it that does as well as the best, by the same measure, is taken.
    Classes with one label tell nothing when it is left out; where too few rows tell, the default
    is taken as it is.

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
    fixed = None if candidates.is_auto(given["kernel"]) else get_kernel(given["kernel"])
    if fixed is not None:
        check_magnitude(fixed.build(X, random_state), X)
    problem = sampled(
        X, Y, weights, codes, n_classes, random_state=random_state, points=points,
        precomputed=fixed is not None and fixed.precomputed,
        whole=_over_given_rows(given["regularizer"]),
    )  # fmt: skip
    per_class = (codes >= 0).sum() / n_classes if n_classes else 0.0
    first = candidates.first_parts(given, problem.X, space, random_state, per_class)
    search = _Search(problem, given)
    if search.telling.sum() < FEWEST:
        return search.default(first[0], "too few labels to compare by")
    if problem.n > LARGEST:
        return search.default(
            first[0], f"a matrix over {problem.n} rows is too large to search with"
        )
    for parts in first:
        search.try_parts(parts)
    leading = search.leading(first)
    for parts in candidates.other_graphs(given, leading, per_class):
        search.try_parts(parts)
    return search.decide()


class _Search:
    """Trials over one problem."""

    def __init__(self, problem: Problem, given: dict[str, Any]):
        self.problem = problem
        self.given = given
        self.telling = _telling(problem)
        self.trials: list[Trial] = []
        self._operators: dict[int, tuple[Operator, float]] = {}
        self._gram: tuple[Kernel | None, np.ndarray, float] = (None, np.empty(0), 0.0)

    def try_parts(self, parts: Parts) -> None:
        """All weights, with and without an intercept."""
        problem, kernel = self.problem, parts.kernel
        (K, rule_A), (M, rule_I) = self._kernel(kernel), self._operator(parts)
        pairs = candidates.weights(self.given["gamma_A"], self.given["gamma_I"], rule_A, rule_I)
        grams = LabelledGrams(K, M, problem.rows)
        for ratio in dict.fromkeys(pair.ratio for pair in pairs):
            if ratio == 0 and any(t.kernel is kernel and not t.gamma_I for t in self.trials):
                continue  # without M all graphs are one
            gram, at = grams.at(ratio), [pair for pair in pairs if pair.ratio == ratio]
            with_b = candidates.intercepts(self.given["fit_intercept"], M, ratio)
            for changed, fit_intercept in enumerate(with_b):
                E = np.ones((len(gram), 1)) if fit_intercept else None
                held = held_out_grid(gram, E, problem.Y, problem.w, [p.gamma_A for p in at])
                for pair, H in zip(at, held, strict=True):
                    self.trials.append(
                        Trial(
                            kernel,
                            parts.regularizer,
                            fit_intercept,
                            pair.typed_A,
                            pair.typed_I,
                            self._losses(H),
                            parts.steps + changed + candidates.distance(pair, pairs[0]),
                        )
                    )

    def _kernel(self, kernel: Kernel) -> tuple[np.ndarray, float]:
        """K and the rule's γ_A; the last one is kept."""
        if kernel is not self._gram[0]:
            self._gram = (kernel, *self.problem.gram(kernel))
        return self._gram[1:]

    def _operator(self, parts: Parts) -> tuple[Operator, float]:
        """M and the rule's λ, once for all kernels."""
        key = id(parts.regularizer)
        if key not in self._operators:
            self._operators[key] = self.problem.operator(parts.kernel, parts.regularizer)
        return self._operators[key]

    def leading(self, tried: list[Parts]) -> Parts:
        """The parts of what would be chosen now."""
        kernel = self.chosen().kernel
        return next(parts for parts in tried if parts.kernel is kernel)

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

    def default(self, parts: Parts, reason: str) -> Selection:
        """The documented default, where nothing can be compared."""
        (_, rule_A), (M, rule_I) = self._kernel(parts.kernel), self._operator(parts)
        pair = candidates.weights(self.given["gamma_A"], self.given["gamma_I"], rule_A, rule_I)[0]
        b = candidates.intercepts(self.given["fit_intercept"], M, pair.ratio)[0]
        trial = Trial(parts.kernel, parts.regularizer, b, pair.typed_A, pair.typed_I, np.empty(0))
        return Selection(self._typed(trial), reason)

    def _typed(self, trial: Trial) -> dict[str, Any]:
        """What was given stays as it was typed."""
        return {
            name: value if candidates.is_auto(self.given[name]) else self.given[name]
            for name, value in trial.settings.items()
        }


def _over_given_rows(given) -> bool:
    """Whether it holds a matrix over the rows of X, none of which can then be left out."""
    if candidates.is_auto(given):
        return False
    parts = get_regularizer(given).get_params(deep=True).values()
    return any(sp.issparse(part) or np.ndim(part) == 2 for part in parts)


def _telling(problem: Problem) -> np.ndarray:
    """Rows that say something once they are left out: another of their class has a label."""
    codes = problem.codes[problem.rows]
    if not problem.n_classes:
        return np.ones(len(codes), dtype=bool)
    return np.bincount(codes, minlength=problem.n_classes)[codes] > 1
