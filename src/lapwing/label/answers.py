"""What the model says of all points, now and at the last renewal."""

from __future__ import annotations

import time

import numpy as np

from ..types import MatrixLike
from .learner import Learner, Renewed, ready

PATIENCE = 2.0
"""Seconds a label may take to move the map; where a fit takes longer, the worker does it."""


class Answers:
    """The answers at all points, kept up to date with the labels.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    groups : integer array of shape (n,), optional
        Points of one group are left out together.

    Attributes
    ----------
    codes : integer array of shape (n,)
        The class of each point; −1: none.
    renewed : Renewed or None
        Probabilities, suggestions and suspicious labels of the last renewal.
    n_labels : int
        How many labels ``codes`` were found from.
    """

    def __init__(self, X: MatrixLike, groups: np.ndarray | None = None) -> None:
        self.learner = Learner(X, groups)
        self.codes = np.full(X.shape[0], -1)
        self.renewed: Renewed | None = None
        self.n_labels = 0
        self._seconds: float | None = None

    def follow(self, labels: np.ndarray) -> int:
        """Answer to changed labels where that does not take long; returns how many moved.

        Parameters
        ----------
        labels : integer array of shape (n,)
            Classes of the labeled points, −1 elsewhere.
        """
        before = self.codes
        if not ready(labels):
            self.codes, self.n_labels = np.full_like(before, -1), 0
        elif self._seconds is None or self._seconds <= PATIENCE:
            self.catch_up(labels)
        return int((self.codes != before).sum())

    def catch_up(self, labels: np.ndarray) -> bool:
        """Answer however long it takes; returns whether there is a model to answer."""
        start = time.perf_counter()
        found = self.learner.quick(labels)
        if found is not None:
            self._seconds = time.perf_counter() - start
            self._set(found, labels)
        return found is not None

    def install(self, renewed: Renewed, labels: np.ndarray) -> None:
        """Take the result of a renewal, and bring it up to date with labels that came since."""
        if not ready(labels):
            self.renewed = None
            return
        if self.renewed is not None:
            renewed.suggested, renewed.gain = self.renewed.suggested, self.renewed.gain
        self.renewed, self._seconds = renewed, None
        self._set(renewed.answers, renewed.codes)
        if not np.array_equal(renewed.codes, labels):
            self.catch_up(labels)

    def confidence(self) -> np.ndarray:
        """The probability of each answer, (n,), as of the last renewal."""
        out = np.where(self.codes >= 0, 0.5, 0.0)
        if self.renewed is not None:
            for column, number in enumerate(self.renewed.classes):
                mine = self.codes == number
                out[mine] = self.renewed.probability[mine, column]
        return out

    def gray(self) -> np.ndarray:
        """Points that no label reaches or that the model abstains from, (n,)."""
        none = self.codes < 0
        return none if self.renewed is None else self.renewed.gray | none

    def suspicious(self, labels: np.ndarray) -> list[int]:
        """Labels that the others contradict and that are still what they were."""
        now = self.renewed
        if now is None:
            return []
        return [p for p in now.suspicious if labels[p] >= 0 and labels[p] == now.codes[p]]

    def _set(self, found: np.ndarray, labels: np.ndarray) -> None:
        self.codes, self.n_labels = found, int((labels >= 0).sum())
