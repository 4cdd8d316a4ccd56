"""What was chosen, what was compared, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..parameters.arguments import AUTO, is_auto
from .rules import spelled
from .sentences import sentences


def _empty() -> np.ndarray:
    return np.empty(0)


@dataclass(frozen=True)
class Trial:
    """One setting and its leave-one-out losses.

    Attributes
    ----------
    parts : dict
        What one types, but for the weights.
    gamma_A, gamma_I : float
        In multiples of the rule.
    losses : array of shape (l,)
    weight : float
        The posterior weight among all settings.
    """

    parts: dict[str, Any]
    gamma_A: float
    gamma_I: float
    losses: np.ndarray = field(repr=False)
    weight: float = 0.0
    searched: tuple[str, ...] = ("gamma_A", "gamma_I")

    @property
    def kernel(self):
        return self.parts.get("kernel")

    @property
    def regularizer(self):
        return self.parts.get("regularizer")

    @property
    def fit_intercept(self):
        return self.parts.get("fit_intercept")

    @property
    def score(self) -> float:
        """The mean loss: smaller is better."""
        return float(np.mean(self.losses)) if len(self.losses) else float("nan")

    @property
    def settings(self) -> dict[str, Any]:
        """What one types: ``LapRLSClassifier(**trial.settings)``."""
        return {**self.parts, **{name: spelled(getattr(self, name)) for name in self.searched}}

    def __str__(self) -> str:
        return ", ".join(f"{k}={' '.join(repr(v).split())}" for k, v in self.settings.items())


@dataclass(frozen=True)
class Selection:
    """The choice, the reason for it, and the settings it was compared with.

    Attributes
    ----------
    choice : dict
        Parameters as one could have typed them: ``LapRLSClassifier(**model.selection_.choice)``.
    reason : str
        In words: whether the unlabeled rows are used, how sure that is, what to do. Printing the
        selection shows these with the choice.
    settings : tuple of dict
        Kernel, regularizer and intercept of each part.
    part : integer array of shape (T,)
        Which part each of T settings has.
    gamma_A, gamma_I : arrays of shape (T,)
        In multiples of the rule.
    weights : array of shape (T,)
        Posterior weights, summing to one.
    losses : array of shape (T, l)
        Leave-one-out losses of the labels that tell something.
    best_at, default_at : int
        Where the choice and the documented default stand among the settings.
    guess : float
        The mean loss of a guess that knows only how common classes are, or 1 for real targets.
    unit : str
        What losses are.
    searched : tuple of str
        Which of the two weights are settings, and not parts.
    optimism : array of shape (l,)
        How much more each label that was searched by costs under settings that were weighted
        without it (:mod:`.nested`); NaN where it tells nothing.
    """

    choice: dict[str, Any]
    reason: str = ""
    settings: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    part: np.ndarray = field(default_factory=_empty, repr=False)
    gamma_A: np.ndarray = field(default_factory=_empty, repr=False)
    gamma_I: np.ndarray = field(default_factory=_empty, repr=False)
    weights: np.ndarray = field(default_factory=_empty, repr=False)
    losses: np.ndarray = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    best_at: int = 0
    default_at: int = 0
    guess: float = float("nan")
    unit: str = ""
    searched: tuple[str, ...] = ("gamma_A", "gamma_I")
    optimism: np.ndarray = field(default_factory=_empty, repr=False)

    def trial(self, i: int) -> Trial:
        """The i-th setting."""
        return Trial(
            self.settings[int(self.part[i])],
            float(self.gamma_A[i]),
            float(self.gamma_I[i]),
            self.losses[i],
            float(self.weights[i]),
            self.searched,
        )

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All settings that were compared."""
        return tuple(map(self.trial, range(len(self.part))))

    @property
    def best(self) -> Trial | None:
        """What was chosen; None where nothing was compared."""
        return self.trial(self.best_at) if len(self.part) else None

    @property
    def default(self) -> Trial | None:
        """The documented default."""
        return self.trial(self.default_at) if len(self.part) else None

    @property
    def runner_up(self) -> Trial | None:
        """The likeliest setting with other parts than the chosen ones."""
        if not len(self.part):
            return None
        others = np.flatnonzero(self.part != self.part[self.best_at])
        return self.trial(int(others[self.weights[others].argmax()])) if len(others) else None

    @property
    def guesses(self) -> bool:
        """Whether left-out labels, at least 20, are answered no better than by a guess."""
        return self.losses.shape[1] >= 20 and self.trial(self.best_at).score >= self.guess

    @property
    def graph_weight(self) -> float:
        """The posterior weight of all settings with γ_I > 0."""
        return float(self.weights[self.gamma_I > 0].sum())

    @property
    def n_candidates(self) -> int:
        """How many settings the labels could have chosen among."""
        return len(self.part)

    def chosen(self, at: int, given: dict[str, Any], reason: str = "") -> Selection:
        """With the setting at ``at`` as the choice; what was given stays as it was typed."""
        choice = as_typed(self.trial(at).settings, given)
        found = replace(self, choice=choice, best_at=at)
        return replace(found, reason=reason or sentences(found))

    def only(self, names: Iterable[str]) -> Selection:
        """With these parameters alone in the choice."""
        return replace(self, choice={name: self.choice[name] for name in names})

    def after(self, first: Selection) -> Selection:
        """The settings of an earlier search, whose choice these refine, before these.

        The weight of that choice is shared among its refinements. Where one of the two searches
        compared nothing, the arrays are those of the first, if there was one.
        """
        choice = {**first.choice, **self.choice}
        if not (first.n_candidates and self.n_candidates):
            return replace(first if first.choice else self, choice=choice)
        weights = first.weights.copy()
        weights[first.best_at] = 0.0
        return replace(
            self,
            choice=choice,
            settings=(*first.settings, *self.settings),
            part=np.concatenate([first.part, self.part + len(first.settings)]),
            gamma_A=np.concatenate([first.gamma_A, self.gamma_A]),
            gamma_I=np.concatenate([first.gamma_I, self.gamma_I]),
            weights=np.concatenate([weights, first.weights[first.best_at] * self.weights]),
            losses=np.concatenate([first.losses, self.losses]),
            best_at=len(first.part) + self.best_at,
            default_at=first.default_at,
            optimism=first.optimism,
        )

    def surface(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Scores of the chosen parts over γ_I (columns) and γ_A (rows), in multiples of the rule.

        Returns
        -------
        gamma_I, gamma_A : arrays of shape (a,) and (b,), ascending
        scores : array of shape (b, a)
            NaN where a pair was not compared.
        """
        same = np.flatnonzero(self.part == self.part[self.best_at]) if len(self.part) else self.part
        xs = sorted({float(self.gamma_I[i]) for i in same})
        ys = sorted({float(self.gamma_A[i]) for i in same})
        scores = np.full((len(ys), len(xs)), np.nan)
        for i in same:
            at = ys.index(float(self.gamma_A[i])), xs.index(float(self.gamma_I[i]))
            scores[at] = float(np.mean(self.losses[i])) if self.losses.size else np.nan
        return np.array(xs), np.array(ys), scores

    def __str__(self) -> str:
        what = " ".join(", ".join(f"{k}={v!r}" for k, v in self.choice.items()).split())
        return f"{self.reason} Chosen: {what}."


def as_typed(settings: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Settings, but what was given as it was typed."""
    return {n: v if is_auto(given.get(n, AUTO)) else given[n] for n, v in settings.items()}
