"""What was chosen, what was tried, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .rules import spelled


@dataclass(frozen=True)
class Trial:
    """One setting and its leave-one-out losses.

    Attributes
    ----------
    kernel : Kernel
    regularizer : Regularizer
    fit_intercept : bool
    gamma_A, gamma_I : float
        In multiples of the rule.
    losses : array of shape (l,)
    steps : float
        How far it is from the default.
    amplified : float
        How much labels' noise grows in the leave-one-out residuals, at least 1.
    """

    kernel: Any
    regularizer: Any
    fit_intercept: bool
    gamma_A: float
    gamma_I: float
    losses: np.ndarray = field(repr=False)
    steps: float = 0.0
    amplified: float = 1.0

    @cached_property
    def score(self) -> float:
        """The mean loss: smaller is better."""
        return float(np.mean(self.losses))

    def same_parts(self, other: Trial) -> bool:
        """Whether they differ in γ_A and γ_I only: a search makes each part once."""
        same = self.kernel is other.kernel and self.fit_intercept == other.fit_intercept
        without = not (self.gamma_I or other.gamma_I)
        return same and (self.regularizer is other.regularizer or without)

    @property
    def settings(self) -> dict[str, Any]:
        """What one types: ``LapRLSClassifier(**trial.settings)``."""
        return {
            "kernel": self.kernel,
            "regularizer": self.regularizer,
            "gamma_A": spelled(self.gamma_A),
            "gamma_I": spelled(self.gamma_I),
            "fit_intercept": self.fit_intercept,
        }

    def __str__(self) -> str:
        parts = [str(self.kernel)]
        if self.gamma_I:
            parts.append(" ".join(str(self.regularizer).split()))
        parts += [f"γ_A = {spelled(self.gamma_A)}", f"γ_I = {spelled(self.gamma_I)}"]
        parts.append("intercept" if self.fit_intercept else "no intercept")
        return ", ".join(parts)


@dataclass(frozen=True)
class Selection:
    """The choice, the reason for it, and all that was tried.

    Attributes
    ----------
    choice : dict
        Parameters as one could have typed them.
    best : Trial, Setting or None
        What was chosen; None where nothing was compared.
    default : Trial or None
        The documented default, which is left only for a reason.
    runner_up : Trial or None
        The best setting with other parts (kernel, regularizer or intercept) than the chosen ones.
    trials : tuple of Trial
    reason : str
        One sentence.
    """

    choice: dict[str, Any]
    reason: str
    best: Any = None
    default: Any = None
    runner_up: Any = None
    trials: tuple[Any, ...] = field(default=(), repr=False)

    @property
    def n_candidates(self) -> int:
        """How many settings the labels could have chosen among: all values of each, multiplied.

        A search does not try them all, but which it tries depends on the labels.
        """
        values: dict[str, set] = {}
        for trial in self.trials:
            for name, value in trial.settings.items():
                plain = isinstance(value, str | float | int | bool | None)
                values.setdefault(name, set()).add(value if plain else id(value))
        return int(np.prod([len(found) for found in values.values()], dtype=float))

    def surface(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Scores of the chosen parts over γ_I (columns) and γ_A (rows), in multiples of the rule.

        Returns
        -------
        gamma_I, gamma_A : arrays of shape (a,) and (b,), ascending
        scores : array of shape (b, a)
            NaN where a pair was not tried.
        """
        same = [] if self.best is None else [t for t in self.trials if t.same_parts(self.best)]
        xs, ys = sorted({t.gamma_I for t in same}), sorted({t.gamma_A for t in same})
        scores = np.full((len(ys), len(xs)), np.nan)
        for t in same:
            scores[ys.index(t.gamma_A), xs.index(t.gamma_I)] = t.score
        return np.array(xs), np.array(ys), scores

    def __str__(self) -> str:
        what = ", ".join(f"{name}={value!r}" for name, value in self.choice.items())
        return f"chose {' '.join(what.split())}: {self.reason}"


def runner_up(trials, best):
    """The best of those that differ from the best in more than the weights."""
    others = [t for t in trials if not t.same_parts(best)]
    return min(others, key=lambda t: t.score, default=None)
