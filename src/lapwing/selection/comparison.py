"""All settings of one problem, with their leave-one-out losses, predictions and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .losses import finite
from .nested import System, optimism
from .posterior import HEARD, medoid, posterior_weights, prior_masses
from .sample import Sample
from .selection import Selection


@dataclass(frozen=True, eq=False)
class Part:
    """The parameters that several settings share. These settings differ only in their weights γ.

    Attributes
    ----------
    settings : dict
        The parameters as a user would pass them, without γ_A and γ_I.
    frame : int
        The number of the frame (the transform of the points, :mod:`.frames`).
    unreached : float
        The share of the rows in components of the graph without a label.
    """

    settings: dict[str, Any]
    frame: int = 0
    unreached: float = 0.0


class Comparison:
    """All settings. They are added part by part and contain the documented default.

    Parameters
    ----------
    sample : Sample
    given : dict
        The parameters as the user passed them.
    searched : sequence of str
        The weights among γ_A and γ_I that vary within a part.
    """

    def __init__(
        self,
        sample: Sample,
        given: dict[str, Any],
        searched: Sequence[str] = ("gamma_A", "gamma_I"),
    ):
        self.sample, self.given, self.searched = sample, given, tuple(searched)
        self.parts: list[Part] = []
        self.default = 0
        self.part: list[int] = []
        self.gammas: list[tuple[float, float]] = []
        self.held: list[np.ndarray] = []
        self._losses: list[np.ndarray] = []
        self.answers: list[np.ndarray] = []
        self.systems: list[System] = []

    def add(
        self,
        part: Part,
        gammas: Sequence[tuple[float, float]],
        held: np.ndarray,
        said: np.ndarray,
        system: tuple,
        default: bool = False,
    ) -> None:
        """Add the settings of one part with the given weights.

        Parameters
        ----------
        part : Part
        gammas : sequence of g (γ_A, γ_I)
            In multiples of the rule.
        held, said : arrays of shape (g, l, t) and (g, m, t)
            Held-out readouts of the l labels, and readouts at the m rows that vote.
        system : tuple
            The data for readouts without two labels: a System without its first entry.
        default : bool
            Whether the first setting is the documented default.
        """
        if part not in self.parts:
            self.parts.append(part)
        if default:
            self.default = len(self.part)
        self.systems.append(System(len(self.part), *system))
        self.part += [self.parts.index(part)] * len(gammas)
        self.gammas += gammas
        self.held += list(held)
        self._losses += list(self.sample.judge.of(held))
        self.answers += list(self.sample.answers(said))

    @property
    def losses(self) -> np.ndarray:
        """The losses of T settings at l labels, (T, l). The worst loss replaces NaN."""
        return finite(np.array(self._losses))

    @property
    def unreached(self) -> np.ndarray:
        """The share of unreached rows of each setting, (T,)."""
        return np.array([self.parts[i].unreached for i in self.part])

    @property
    def prior(self) -> np.ndarray:
        """Prior masses, (T,)."""
        frames, alone = [self.parts[i].frame for i in self.part], [not I for _, I in self.gammas]
        return prior_masses(frames, alone, self.part, self.default, self.sample.judge.size())

    @property
    def totals(self) -> np.ndarray:
        """Σ_i loss_i of each setting, (T,)."""
        return self.sample.judge.total(self.losses, self.unreached)

    @property
    def weights(self) -> np.ndarray:
        """Posterior weights, (T,)."""
        return posterior_weights(self.prior, self.totals, self.sample.judge.size())

    @property
    def heard(self) -> np.ndarray:
        """Whether a setting has at least 1e-4 of the largest weight, (T,)."""
        weights = self.weights
        return weights >= HEARD * weights.max()

    def frame_weights(self) -> np.ndarray:
        """The posterior weight of each frame."""
        return np.bincount([self.parts[i].frame for i in self.part], self.weights)

    def selection(self) -> Selection:
        """The medoid of all settings (:mod:`.posterior`), with the arrays of the comparison."""
        weights, judge = self.weights, self.sample.judge
        at = medoid(weights, np.array(self.answers), self.sample.n_classes)
        gammas = np.array(self.gammas)
        found = Selection(
            choice={},
            settings=tuple(part.settings for part in self.parts),
            part=np.array(self.part),
            gamma_A=gammas[:, 0],
            gamma_I=gammas[:, 1],
            weights=weights,
            losses=self.losses[:, judge.telling].astype(np.float32),
            best_at=at,
            default_at=self.default,
            guess=judge.guess,
            unit=judge.unit,
            searched=self.searched,
            optimism=optimism(self, at),
        )
        return found.chosen(at, self.given)
