"""What was tried on one problem, how trials are compared, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..kernels import Kernel
from ..losses import Loss
from ..operators import Operator
from . import candidates
from .candidates import Parts
from .consensus import medoid, posterior_weights
from .criterion import guessed, row_losses
from .decision import is_behind, leading, preferred, reason
from .grams import LabeledGrams
from .leave_one_out import readouts_grid
from .own_loss import affordable, refitted_grid
from .problem import Problem
from .selection import Selection, Trial, runner_up

BEHIND = 1.25
"""Standard errors behind the best up to which the default stays; then settings vote."""

CLEARLY = (1.0, 6.0)
"""Where settings do not vote, the default is left if it is behind by 1 + 6/√l standard errors: the
best of many flatters, the more so the fewer labels there are."""

AMPLIFIED, MANY = 2.0, 40
"""Up to which variance of its leave-one-out residuals, in units of the labels' noise, a setting is
heard, and from how many labels of classes on that is asked."""

ERROR = 1.0 + np.log(2.0) - 1e-9
"""What a row costs at least whose class is guessed wrongly (:func:`.criterion.row_losses`)."""

REAL_CLEARLY = 1.5
"""The same for real targets."""

ALIKE = 0.25
"""Standard errors within which two settings are as good as each other."""


class Trials:
    """Trials over one problem: the first is the documented default."""

    def __init__(self, problem: Problem, given: dict[str, Any]):
        self.problem = problem
        self.given = given
        self.telling = _telling(problem)
        self.voters = problem.voters
        self.trials: list[Trial] = []
        self._parts: list[Parts] = []
        self._answers: list[np.ndarray] = []
        self._operators: dict[int, tuple[Operator, float]] = {}
        self._gram: tuple[Kernel | None, np.ndarray, float] = (None, np.empty(0), 0.0)

    def try_parts(self, parts: Parts) -> None:
        """All weights, with and without an intercept."""
        problem, kernel = self.problem, parts.kernel
        (K, rule_A), (M, rule_I) = self._kernel(kernel), self._operator(parts)
        pairs = candidates.weights(self.given["gamma_A"], self.given["gamma_I"], rule_A, rule_I)
        ratios = list(dict.fromkeys(pair.ratio for pair in pairs))
        grams = LabeledGrams(K, M, problem.rows, ratios, self.voters)
        with_M = candidates.intercepts(self.given["fit_intercept"], M, any(ratios))
        for ratio in ratios:
            if ratio == 0 and any(t.kernel is kernel and not t.gamma_I for t in self.trials):
                continue  # without M all graphs are one
            (gram, beside), at = grams.sections(ratio), [p for p in pairs if p.ratio == ratio]
            with_b = with_M if ratio else candidates.intercepts(self.given["fit_intercept"], M, 0.0)
            known: dict | None = {} if len(with_b) > 1 else None
            for changed, fit_intercept in enumerate(with_b):
                E, there = (np.ones((len(G), 1)) if fit_intercept else None for G in (gram, beside))
                gammas = [pair.gamma_A for pair in at]
                held, said, amplified = readouts_grid(
                    gram, E, beside, there, problem.Y, problem.w, gammas, known
                )
                self._answers.extend(problem.answers(np.concatenate([said, held], axis=1)))
                for pair, losses, noise in zip(at, self._losses(held), amplified, strict=True):
                    self._parts.append(parts)
                    self.trials.append(
                        Trial(
                            kernel,
                            parts.regularizer,
                            fit_intercept,
                            pair.typed_A,
                            pair.typed_I,
                            losses,
                            parts.steps + changed + candidates.distance(pair, pairs[0]),
                            float(noise),
                        )
                    )

    def _kernel(self, kernel: Kernel) -> tuple[np.ndarray, float]:
        """K and the rule's γ_A; the last one is kept."""
        if kernel is not self._gram[0]:
            self._gram = (kernel, *self.problem.gram(kernel))
        return self._gram[1:]

    def _operator(self, parts: Parts | Trial) -> tuple[Operator, float]:
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
        """Of each row that tells something, (..., l), from held-out readouts, (..., l, t)."""
        problem = self.problem
        known = problem.codes[problem.rows]
        losses = row_losses(H, problem.Y, known, problem.n_classes)[..., self.telling]
        losses *= self._shares
        return losses.astype(np.float32)  # thousands of them are saved with the model

    @cached_property
    def _shares(self) -> np.ndarray:
        """What each row counts, 1 on average: the loss of the fit has the same weights."""
        w = self.problem.w.max(axis=1)[self.telling]
        return w / w.mean()

    def chosen(self) -> Trial:
        """The default, unless the best beats it; then what differs least from what all say.

        That has at least half of the best's lead, since else the comparison speaks of another,
        or is the default itself. A default that tells no more of left-out labels than how common
        classes are has no claim to stay.
        """
        heard = self._heard
        trials, parts = [self.trials[i] for i in heard], [self._parts[i] for i in heard]
        default, best = trials[0], leading(trials)
        if not is_behind(default, best, BEHIND if self._tells(default) else 0.0, self._least):
            return default
        frames, kernels = zip(*((id(p.frame), id(p.kernel)) for p in parts), strict=True)
        alone = [trial.gamma_I == 0 for trial in trials]
        say = posterior_weights(frames, kernels, alone, self._likelihoods(trials))
        half = 0.5 * (default.score + best.score)
        eligible = np.array([trial.score <= half or trial is default for trial in trials])
        answers = np.array([self._answers[i] for i in heard])
        gammas = np.array([t.gamma_A for t in trials])
        return trials[medoid(say, answers, self.problem.n_classes, eligible, gammas)]

    @property
    def _heard(self) -> list[int]:
        """Which trials leave-one-out can tell something of: the default, and steady ones.

        Where noise is amplified, all residuals hang on few directions of it, which are small by
        luck in one of many trials. Few labels cannot do without these, and all are heard.
        """
        every = not self.problem.n_classes or self.telling.sum() < MANY
        kept = enumerate(self.trials)
        return [i for i, trial in kept if every or i == 0 or trial.amplified <= AMPLIFIED]

    def clearly_chosen(self) -> Trial:
        """The default, unless the best beats it clearly; then the nearest to it that is as good."""
        heard = [self.trials[i] for i in self._heard]
        return preferred(heard, self._least, self._clearly(heard[0]), ALIKE)

    def _likelihoods(self, trials: list[Trial]) -> np.ndarray:
        """Logarithms, (T,): of classes their losses, of real targets with the likeliest noise."""
        losses = np.array([t.losses for t in trials], dtype=float)
        if self.problem.n_classes:
            return -losses.sum(axis=1)
        tiny = np.finfo(float).tiny
        return -0.5 * losses.shape[1] * np.log(np.maximum(losses.mean(axis=1), tiny))

    @property
    def _least(self) -> float:
        """Of classes, less than one label more or less is no evidence, however steady."""
        return 1.0 / int(self.telling.sum()) if self.problem.n_classes else 0.0

    def _clearly(self, trial: Trial) -> float:
        """1 + 6/√l; where it is worse than the commonest class, there is no reason to stay.

        Squared residuals say more than errors do, and theirs are heavy-tailed: 1.5 is enough.
        """
        if not self.problem.n_classes:
            return REAL_CLEARLY
        labels = np.sqrt(self.telling.sum())
        return ALIKE if self._useless(trial) else float(CLEARLY[0] + CLEARLY[1] / labels)

    def _tells(self, trial: Trial) -> bool:
        """Whether left-out labels cost less than guessed ones, by more than a standard error."""
        if not self.problem.n_classes:
            return True
        guess = guessed(self.problem.codes[self.problem.rows][self.telling], self.problem.n_classes)
        gain = guess - trial.losses / self._shares  # each row counts: few heavy ones would be noise
        return bool(gain.mean() > gain.std(ddof=1) / np.sqrt(len(gain)))

    def _useless(self, trial: Trial) -> bool:
        """Whether left-out labels are guessed one deviation worse than by the commonest class."""
        if not self.problem.n_classes:
            return False
        counts = np.bincount(self.problem.codes[self.problem.rows][self.telling])
        # an error costs 1 and the log of odds that are not above one half
        rare = 1.0 - counts.max() / counts.sum()
        by_chance = np.sqrt(rare * (1.0 - rare) / counts.sum())
        return bool(np.mean(trial.losses > ERROR * self._shares) >= rare + by_chance)

    def decide(self, chosen: Trial) -> Selection:
        """What was chosen, and why."""
        default, heard = self.trials[0], [self.trials[i] for i in self._heard]
        return Selection(
            self._typed(chosen),
            reason(heard, chosen),
            chosen,
            default,
            runner_up(heard, chosen),
            tuple(self.trials),
        )

    def by_own_loss(self, loss: Loss, found: Selection) -> Selection:
        """γ_A again, by leave-one-out of the fit's own loss at the chosen ratio.

        A smaller one is taken where it does better by a quarter of a label, since weights that suit
        the squared loss leave a hinge no margin; a larger one where it does clearly.
        """
        chosen, problem = found.best, self.problem
        assert chosen is not None
        heard = [self.trials[i] for i in self._heard]
        near = [t for t in heard if t.same_parts(chosen) and _same_ratio(t, chosen)]
        near.sort(key=lambda t: abs(np.log10(t.gamma_A / chosen.gamma_A)))
        near = near[: affordable(len(problem.rows), problem.Y.shape[1])]
        if len(near) < 2:
            return found
        (K, rule_A), (M, rule_I) = self._kernel(chosen.kernel), self._operator(chosen)
        ratio = chosen.gamma_I * rule_I / (chosen.gamma_A * rule_A)
        gram = LabeledGrams(K, M, problem.rows, [ratio]).at(ratio)
        gammas = [t.gamma_A * rule_A for t in near]
        held = refitted_grid(loss, gram, chosen.fit_intercept, problem.Y, problem.w, gammas)
        if held is None:
            return found
        refits = [replace(t, losses=self._losses(H)) for t, H in zip(near, held, strict=True)]
        first, clearly = refits[0], self._clearly(refits[0])
        lead = 0.25 * self._least
        better = [
            t for t in refits if (t.gamma_A < first.gamma_A and t.score < first.score - lead)
            or is_behind(first, t, clearly, self._least)
        ]  # fmt: skip
        if better:
            best = min(better, key=lambda t: t.score)
            why = (
                f"{found.reason}; leave-one-out of {type(loss).__name__} prefers another γ_A "
                f"({best.score:.3g} to {first.score:.3g})"
            )
            return replace(found, choice=self._typed(best), best=best, reason=why)
        return found

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


def _same_ratio(a: Trial, b: Trial) -> bool:
    return bool(np.isclose(a.gamma_I * b.gamma_A, b.gamma_I * a.gamma_A, rtol=1e-6, atol=0.0))


def _telling(problem: Problem) -> np.ndarray:
    """Rows that say something once they are left out: another of their class has a label."""
    codes = problem.codes[problem.rows]
    if not problem.n_classes:
        return np.ones(len(codes), dtype=bool)
    return np.bincount(codes, minlength=problem.n_classes)[codes] > 1
