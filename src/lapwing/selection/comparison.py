"""All settings of one problem: their leave-one-out losses and answers, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..kernels import Kernel
from ..linalg.labeled import Labeled
from ..parameters.arguments import is_auto
from ..regularizers import Regularizer
from .candidates import Weights
from .criterion import CLASSES, SQUARES, guessed, row_losses
from .leave_one_out import patterns
from .nested import optimism
from .posterior import medoid, posterior_weights, prior_masses
from .problem import Problem
from .selection import Selection, Trial

TINY = np.finfo(float).tiny


@dataclass(frozen=True)
class Part:
    """What settings share that differ in their weights alone.

    Attributes
    ----------
    frame : int
        Which of the ways to look at the points.
    kernel : Kernel
    regularizer : Regularizer
    fit_intercept : bool
    alone : bool
        Whether there is no graph: γ_I = 0.
    unreached : float
        Share of the rows in components of the graph without a label.
    """

    frame: int
    kernel: Kernel
    regularizer: Regularizer
    fit_intercept: bool
    alone: bool = False
    unreached: float = 0.0


class Comparison:
    """Settings that are added part by part; the first one is the documented default.

    Parameters
    ----------
    problem : Problem
    given : dict
        The five parameters as they were typed.
    """

    def __init__(self, problem: Problem, given: dict[str, Any]):
        self.problem = problem
        self.given = given
        self.parts: list[Part] = []
        self.default = 0
        self._part: list[int] = []
        self._pairs: list[Weights] = []
        self._losses: list[np.ndarray] = []
        self._answers: list[np.ndarray] = []
        self.held: list[np.ndarray] = []
        self.systems: list[tuple[np.ndarray, bool, int, list[float]]] = []

    def add(
        self, part: Part, pairs: Sequence[Weights], gram, beside, default: bool = False
    ) -> None:
        """The settings of one part with these weights, all of one ratio λ/γ_A.

        Parameters
        ----------
        part : Part
        pairs : sequence of Weights
        gram, beside : arrays of shape (l, l) and (m, l)
            γ_A K̃ among the labeled rows, and between the voters and these.
        default : bool
            Whether the first of the pairs is the documented default.
        """
        if not self.parts or self.parts[-1] is not part:
            self.parts.append(part)
        problem, gammas = self.problem, [pair.gamma_A for pair in pairs]
        held, said = readouts(
            gram, beside, problem.Y, problem.w, gammas, intercept=part.fit_intercept
        )
        if default:
            self.default = len(self._pairs)
        self.systems.append((gram, part.fit_intercept, len(self._pairs), gammas))
        self.held += list(held)
        self._part += [len(self.parts) - 1] * len(pairs)
        self._pairs += pairs
        self._losses += list(self.row_losses(held))
        self._answers += list(problem.answers(said))

    def row_losses(self, held: np.ndarray) -> np.ndarray:
        """Of the labels that tell something, (g, l), from held-out readouts, (g, l, t)."""
        problem = self.problem
        codes = problem.codes[problem.rows]
        return row_losses(held, problem.Y, codes, problem.n_classes)[:, self.telling]

    @cached_property
    def telling(self) -> np.ndarray:
        """Rows that say something once they are left out: another of their class has a label."""
        problem = self.problem
        codes = problem.codes[problem.rows]
        if not problem.n_classes:
            return np.ones(len(codes), dtype=bool)
        return np.bincount(codes, minlength=problem.n_classes)[codes] > 1

    @cached_property
    def _shares(self) -> np.ndarray:
        """What each row counts, 1 on average: the loss of the fit has the same weights."""
        w = self.problem.w.max(axis=1)[self.telling]
        return w / w.mean() if len(w) else w

    @property
    def losses(self) -> np.ndarray:
        """(T, l) over the labels that tell something; the worst where it is not a number."""
        found = np.array(self._losses).reshape(len(self._pairs), -1)
        worst = np.nanmax(np.where(np.isfinite(found), found, np.nan), initial=1.0)
        return np.nan_to_num(found, nan=worst, posinf=worst)

    @property
    def totals(self) -> np.ndarray:
        """Σ_i loss_i of each setting, (T,).

        Labels are reached by definition; the share of rows that no label reaches is charged as if
        their answers were guessed. Of real targets the loss is the negative logarithm of a normal
        density with the likeliest variance.
        """
        return self.total(self.losses, np.array([self.parts[i].unreached for i in self._part]))

    def total(self, losses: np.ndarray, unreached: np.ndarray | float = 0.0) -> np.ndarray:
        """:attr:`totals` of other losses, (T, l)."""
        u, l = unreached, losses.shape[1]
        losses = losses * self._shares
        if not l:
            return np.zeros(len(losses))
        if not self.problem.n_classes:
            mean = (1.0 - u) * losses.mean(axis=1) + u
            return 0.5 * l * np.log(np.maximum(mean, TINY))
        return (1.0 - u) * losses.sum(axis=1) + u * l * self.guess

    def totals_at(self, losses: np.ndarray, asked: np.ndarray, setting: int) -> np.ndarray:
        """:attr:`totals` of one setting over some of the labels, (g,), from losses, (g, l), of all.

        ``asked``, (g, l), says which of them count.
        """
        u = self.parts[self._part[setting]].unreached
        shares, l = asked * self.problem.w.max(axis=1), asked.sum(axis=1)
        known = np.where(asked & np.isfinite(losses), losses, 0.0)
        known = np.where(asked & ~np.isfinite(losses), known.max(initial=1.0), known)
        mean = (shares * known).sum(axis=1) / np.maximum(shares.sum(axis=1), TINY)
        if not self.problem.n_classes:
            return 0.5 * l * np.log(np.maximum((1.0 - u) * mean + u, TINY))
        return l * ((1.0 - u) * mean + u * self.guess)

    @cached_property
    def guess(self) -> float:
        """The mean loss of answers that know only how common classes are."""
        problem = self.problem
        if not problem.n_classes:
            return 1.0
        codes = problem.codes[problem.rows][self.telling]
        return float(guessed(codes, problem.n_classes).mean()) if len(codes) else 0.0

    @property
    def prior(self) -> np.ndarray:
        """Prior masses, (T,)."""
        parts = [self.parts[i] for i in self._part]
        kinds = [(id(p.kernel), None if p.alone else id(p.regularizer)) for p in parts]
        frames, alone = [p.frame for p in parts], [p.alone for p in parts]
        return prior_masses(frames, alone, kinds, self.default)

    @property
    def weights(self) -> np.ndarray:
        """Posterior weights, (T,)."""
        return posterior_weights(self.prior, self.totals, int(self.telling.sum()))

    def frame_weights(self) -> dict[int, float]:
        """The posterior weight of each frame."""
        found: dict[int, float] = {}
        for i, weight in zip(self._part, self.weights, strict=True):
            found[self.parts[i].frame] = found.get(self.parts[i].frame, 0.0) + float(weight)
        return found

    def chosen(self) -> int:
        """The medoid of all settings."""
        return medoid(self.weights, np.array(self._answers), self.problem.n_classes)

    def selection(self, chosen: int | None = None, reason: str = "") -> Selection:
        """What was chosen, with the arrays of what was compared."""
        at = self.chosen() if chosen is None else chosen
        settings = tuple(
            {"kernel": p.kernel, "regularizer": p.regularizer, "fit_intercept": p.fit_intercept}
            for p in self.parts
        )
        found = Selection(
            choice={},
            settings=settings,
            part=np.array(self._part),
            gamma_A=np.array([pair.typed_A for pair in self._pairs]),
            gamma_I=np.array([pair.typed_I for pair in self._pairs]),
            weights=self.weights,
            losses=self.losses.astype(np.float32),
            best_at=at,
            default_at=self.default,
            guess=self.guess,
            unit=CLASSES if self.problem.n_classes else SQUARES,
            optimism=optimism(self, at),
            reason=reason,
        )
        assert found.best is not None
        return found.typed(self.as_typed(found.best))

    def as_typed(self, trial: Trial) -> dict[str, Any]:
        """What was given stays as it was typed."""
        return {
            name: value if is_auto(self.given[name]) else self.given[name]
            for name, value in trial.settings.items()
        }


def readouts(gram, beside, Y, w, gammas, *, intercept: bool) -> tuple[np.ndarray, np.ndarray]:
    """Held-out readouts of K/γ for each γ, (g, l, t), and those of the whole fit elsewhere.

    Parameters
    ----------
    gram, beside : arrays of shape (l, l) and (m, l)
    Y : array of shape (l, t)
    w : array of shape (l, 1) or (l, t)
        Weights that sum to one over the rows; 0 where an entry was not observed.
    gammas : sequence of float
    intercept : bool
    """
    left = 1.0 - w.max(axis=1)
    held = np.full((len(gammas), *Y.shape), np.nan)
    said = np.zeros((len(gammas), len(beside), Y.shape[1]))
    if not (np.isfinite(gram).all() and np.isfinite(beside).all()):
        return held, said  # a kernel that overflows at these rows answers nothing
    for at, columns in patterns(w > 0, Y.shape[1]):
        if not len(at):
            continue
        weight = w[at, columns[0] if w.shape[1] > 1 else 0]
        target = Y[np.ix_(at, columns)]
        own = gram[np.ix_(at, at)]
        system = Labeled(own, weight, np.ones((len(at), 1)) if intercept else None)
        held[:, at[:, None], columns] = system.leave_one_out_grid(target, gammas, left[at])
        if not len(beside):
            continue
        duals = system.duals(target, gammas)
        by = duals / np.asarray(gammas, dtype=float)[:, None, None]
        found = beside[:, at] @ by
        if intercept:
            found += (target - own @ by - duals / weight[:, None]).mean(axis=1, keepdims=True)
        said[:, :, columns] = found
    return held, said
