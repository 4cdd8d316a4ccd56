"""All that a fit's labels tell about the fit, computed when it is first asked for."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..objective import Objective
from .calibration import Columns, Temperature
from .posterior import Posterior
from .scores import unseen_scores

OUTLYING = 3.0
"""Residuals beyond so many (robust) standard deviations make a real target suspicious."""


@dataclass(eq=False)
class Diagnostics:
    """Leave-one-out scores of a fit and what follows from them.

    Parameters
    ----------
    objective : Objective
    codes : integer array of shape (l,), or None
        Class codes of the labeled rows; None for labels that do not exclude each other and for
        real targets.
    signs : bool
        Whether the targets are ±1.
    given : array of shape (l, t), optional
        The ±1 targets, where the objective's are coded otherwise.

    Examples
    --------
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(100, labels_per_class=5, random_state=0)
    >>> y[(y == 0).nonzero()[0][0]] = 1               # one wrong label
    >>> Diagnostics(LapRLSClassifier(kernel="rbf").fit(X, y).objective_).unseen.shape
    (10, 1)
    """

    objective: Objective
    codes: np.ndarray | None = None
    signs: bool = True
    given: np.ndarray | None = None

    @property
    def y(self) -> np.ndarray:
        """The targets that margins and calibrations read, (l, t)."""
        return self.objective.y if self.given is None else self.given

    def __getstate__(self) -> dict:
        """Without what can be computed again."""
        return {name: getattr(self, name) for name in ("objective", "codes", "signs", "given")}

    @cached_property
    def unseen(self) -> np.ndarray:
        """Scores at the labeled rows of fits without their labels, (l, t)."""
        return unseen_scores(self.objective)

    @property
    def posterior(self) -> Posterior:
        """The Gaussian process of K̃, whose mean is the fit: for the squared loss."""
        loss = self.objective.loss
        if loss.solver != "direct":
            raise ValueError(
                "Predictive variances need the squared loss, whose fit is the mean of a Gaussian "
                f"process; the loss is {type(loss).__name__}."
            )
        return self._process

    @cached_property
    def _process(self) -> Posterior:
        return Posterior(self.objective)

    def novelty(self, X) -> np.ndarray:
        """:meth:`Posterior.novelty`: it asks where the labels are, not what, whatever the loss."""
        return self._process.novelty(X)

    @cached_property
    def temperature(self) -> Temperature:
        """Calibrated on the unseen scores of classes with at least two labeled rows."""
        assert self.codes is not None
        counts = np.bincount(self.codes)
        usable = (counts[self.codes] > 1) & ~np.isnan(self.unseen).any(axis=1)
        return Temperature().fit(self.unseen[usable], self.codes[usable])

    def columns(self, method: str) -> Columns:
        """One calibration per label; not kept, as it depends on the method."""
        return Columns(method).fit(self.unseen, self.y)

    @cached_property
    def margins(self) -> np.ndarray:
        """How far each label agrees with what the others say, (l,): below 0 it does not.

        Classes: the unseen score of the own class minus the best other. Labels: the smallest
        y_ij s_ij. Real targets: 3 minus the largest residual in robust standard deviations.
        """
        unseen, y = self.unseen, self.y
        if self.codes is not None and unseen.shape[1] > 1:
            own = np.take_along_axis(unseen, self.codes[:, None], axis=1)[:, 0]
            others = unseen.copy()
            np.put_along_axis(others, self.codes[:, None], -np.inf, axis=1)
            return own - others.max(axis=1)
        if self.signs:
            return np.where(np.isnan(unseen), np.inf, y * unseen).min(axis=1)
        residual = np.abs(y - unseen)
        scale = 1.4826 * np.nanmedian(residual, axis=0)
        ratio = np.divide(residual, scale, out=np.zeros_like(residual), where=scale > 0)
        return OUTLYING - np.nan_to_num(ratio).max(axis=1)

    @property
    def suspicious(self) -> np.ndarray:
        """Training rows whose label the others contradict, the worst first."""
        order = np.argsort(self.margins, kind="stable")
        return self.objective.rows[order[self.margins[order] < 0]]


def __getattr__(name: str):
    """Models saved before 0.1.0 name a class that no longer exists: say so in one sentence."""
    if name == "Confidence":
        raise ValueError(
            "This model was saved before names changed in lapwing 0.1.0, and cannot be read: fit "
            "and save it again."
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
