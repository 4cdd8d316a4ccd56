"""The result of a search: the choice, the reason, and the compared settings."""

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
        The parameters as a user would pass them, without the weights.
    gamma_A, gamma_I : float
        In multiples of the rule.
    losses : array of shape (l,)
    weight : float
        The posterior weight of the setting.
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
        """The mean loss. Smaller is better."""
        return float(np.mean(self.losses)) if len(self.losses) else float("nan")

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters to pass: ``LapRLSClassifier(**trial.settings)``."""
        return {**self.parts, **{name: spelled(getattr(self, name)) for name in self.searched}}

    def __str__(self) -> str:
        return ", ".join(f"{k}={' '.join(repr(v).split())}" for k, v in self.settings.items())


@dataclass(frozen=True)
class Selection:
    """The choice, the reason for it, and the compared settings.

    Attributes
    ----------
    choice : dict
        The chosen parameters. ``LapRLSClassifier(**model.selection_.choice)`` uses them directly.
    reason : str
        A text. It says whether the unlabeled rows are used, how sure this is, and how to proceed.
        Printing the selection shows this text with the choice.
    settings : tuple of dict
        The kernel, regularizer and intercept of each part. A part is a set of settings that differ
        only in their weights.
    part : integer array of shape (T,)
        The part of each of the T settings.
    gamma_A, gamma_I : arrays of shape (T,)
        In multiples of the rule.
    weights : array of shape (T,)
        The posterior weights. Their sum is one.
    losses : array of shape (T, l)
        The leave-one-out losses of the informative labels.
    best_at, default_at : int
        The positions of the choice and of the documented default among the settings.
    guess : float
        The mean loss of a guess from the class frequencies, or 1 for real targets.
    unit : str
        The unit of the losses, in words.
    searched : tuple of str
        The weights among γ_A and γ_I that vary within a part.
    optimism : array of shape (l,)
        The increase of the price of each label, in the unit of ``leave_one_out_error_``, under
        settings that were weighted without it (:mod:`.nested`). NaN for labels that are not
        informative.
    possible : int
        A bound on the number of settings that other labels could have led to. The search compares
        fewer, and the labels decide which.
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
    possible: int = 0

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
        """All compared settings."""
        return tuple(map(self.trial, range(len(self.part))))

    @property
    def best(self) -> Trial | None:
        """The chosen setting. None if nothing was compared."""
        return self.trial(self.best_at) if len(self.part) else None

    @property
    def default(self) -> Trial | None:
        """The documented default."""
        return self.trial(self.default_at) if len(self.part) else None

    @property
    def runner_up(self) -> Trial | None:
        """The setting with the largest weight outside the chosen part."""
        if not len(self.part):
            return None
        others = np.flatnonzero(self.part != self.part[self.best_at])
        return self.trial(int(others[self.weights[others].argmax()])) if len(others) else None

    @property
    def guesses(self) -> bool:
        """Whether at least 20 labels were left out, and predicted no better than by a guess."""
        return self.losses.shape[1] >= 20 and self.trial(self.best_at).score >= self.guess

    @property
    def graph_weight(self) -> float:
        """The posterior weight of all settings with γ_I > 0."""
        return float(self.weights[self.gamma_I > 0].sum())

    @property
    def n_candidates(self) -> int:
        """The number of settings that any labels could have led to, compared here or not."""
        return max(self.possible, len(self.part))

    def chosen(self, at: int, given: dict[str, Any], reason: str = "") -> Selection:
        """Return the selection with setting ``at`` as the choice; given parameters as typed."""
        choice = as_typed(self.trial(at).settings, given)
        found = replace(self, choice=choice, best_at=at)
        return replace(found, reason=reason or sentences(found))

    def only(self, names: Iterable[str]) -> Selection:
        """Return the selection with only these parameters in the choice."""
        return replace(self, choice={name: self.choice[name] for name in names})

    def after(self, first: Selection) -> Selection:
        """Return the settings of an earlier search followed by these, which refine its choice.

        The refinements share the weight of that choice. If one of the two searches compared
        nothing, the arrays are those of the first, if there was one.
        """
        choice = {**first.choice, **self.choice}
        if not (first.n_candidates and self.n_candidates):
            return replace(first if first.choice else self, choice=choice)
        weights = first.weights.copy()
        weights[first.best_at] = 0.0
        kept = first.best_at == first.default_at
        found = replace(
            self,
            choice=choice,
            settings=(*first.settings, *self.settings),
            part=np.concatenate([first.part, self.part + len(first.settings)]),
            gamma_A=np.concatenate([first.gamma_A, self.gamma_A]),
            gamma_I=np.concatenate([first.gamma_I, self.gamma_I]),
            weights=np.concatenate([weights, first.weights[first.best_at] * self.weights]),
            losses=np.concatenate([first.losses, self.losses]),
            best_at=len(first.part) + self.best_at,
            default_at=len(first.part) + self.default_at if kept else first.default_at,
            optimism=first.optimism + self.optimism,
            possible=first.n_candidates * self.n_candidates,
        )
        return replace(found, reason=sentences(found))

    def surface(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The scores of the chosen part over γ_I (columns) and γ_A (rows).

        Returns
        -------
        gamma_I, gamma_A : arrays of shape (a,) and (b,), ascending
            In multiples of the rule.
        scores : array of shape (b, a)
            NaN for pairs that were not compared.
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
    """The settings, with the given parameters as the user passed them."""
    return {n: v if is_auto(given.get(n, AUTO)) else given[n] for n, v in settings.items()}
