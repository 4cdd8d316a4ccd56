"""The model behind the page: a quick answer to each label, everything else in the background."""

from __future__ import annotations

import inspect
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..estimators import LapRLSClassifier
from ..exceptions import unsaid
from ..tables.errors import expected_error, unseen_scores_of
from ..targets import best_class
from ..types import MatrixLike

ABSTAIN = 0.5
"""The model abstains where points and labels leave more than half of the prior variance."""

GROWTH = 1.25
"""Settings are chosen again when there are so many times the labels of the last choice."""

WORTH_ASKING, MOST_ASKED = 0.05, 3
"""The expected gain counts the three most probable classes, those of at least 5 %."""

WITNESSES = 4
"""A label is called suspicious where its class has so many others. With 14 suggested labels of
digits, all right, leave-one-out contradicted 5, each of a class with three labels at most."""

MOST_LABELS = 3000
"""Labels that a fit learns from: its l × l system takes 72 MB then. A lasso can give more."""

_WARM = (
    {"warm_start": True} if "warm_start" in inspect.signature(LapRLSClassifier).parameters else {}
)


@dataclass
class Renewed:
    """What the background found, for the labels of one moment.

    Parameters
    ----------
    codes : integer array of shape (n,)
        The labels it was found from; −1 is none.
    answers : integer array of shape (n,)
        The class of each point.
    classes : integer array of shape (q,)
    probability : float32 array of shape (n, q)
    gray : bool array of shape (n,)
        No label reaches the point, or the model abstains.
    suspicious : list of int
        Labeled points whose label is more likely wrong than right, the worst first.
    others : integer array of shape (n,)
        The class that the other labels give each labeled point; −1 is none.
    wrong : int
        Labeled points that leave-one-out gets wrong.
    judged : int
        Labeled points that leave-one-out can judge: their class has a further label.
    error : float
        The share of errors to expect at the other points, the choice of settings allowed for; NaN
        where no label can be judged.
    interval : tuple of float
        The 95 % interval of ``error``.
    settings : dict of str
        The settings, as text.
    seconds : float
        How long it took.
    n_used : int
        Labels that the fit learned from.
    suggested : list of int
        Points to label next, the best first.
    gain : float or None
        By how much the next label is expected to lower the share of errors.
    when : float
        ``time.time()`` at the end.
    """

    codes: np.ndarray
    answers: np.ndarray
    classes: np.ndarray
    probability: np.ndarray
    gray: np.ndarray
    suspicious: list[int]
    others: np.ndarray
    wrong: int
    judged: int
    error: float
    interval: tuple[float, float]
    settings: dict[str, str]
    seconds: float
    n_used: int = 0
    suggested: list[int] = field(default_factory=list)
    gain: float | None = None
    when: float = field(default_factory=time.time)

    @property
    def n_labels(self) -> int:
        return int((self.codes >= 0).sum())

    @property
    def doubt(self) -> float:
        """The expected share of errors among the points without a label."""
        p = self.probability[self.codes < 0]
        return float((1.0 - p.max(axis=1)).mean()) if len(p) else 0.0


class Learner:
    """Fits on the same points again and again, with other labels each time.

    ``quick`` answers with the present settings; ``renew`` does everything that takes longer, on
    models of its own, so that the two may run in two threads.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    groups : integer array of shape (n,), optional
        A label is left out with those of its group, where settings are chosen and labels judged.
    """

    def __init__(self, X: MatrixLike, groups: np.ndarray | None = None) -> None:
        self.X, self.groups = X, groups
        self.settings: dict[str, Any] | None = None
        self._front: LapRLSClassifier | None = None
        self._back: LapRLSClassifier | None = None
        self._chosen_at = 0
        self._chosen_for: frozenset[int] = frozenset()
        self._optimism = np.empty(0)  # of the choice, on average
        self._order = np.random.default_rng(0).permutation(X.shape[0])

    def quick(self, codes: np.ndarray) -> np.ndarray | None:
        """The classes of all points with the present settings, (n,), or None: there are none yet.

        Parameters
        ----------
        codes : integer array of shape (n,)
            Classes of the labeled points, −1 elsewhere.
        """
        if self._front is None or not ready(codes):
            return None
        with unsaid():
            return _classes(self._refit(self._front, self.learned(codes)))

    def learned(self, codes: np.ndarray) -> np.ndarray:
        """The labels that a fit learns from: all, or an even share of each class, (n,).

        The order of the points is drawn once, so one more label changes the share little.
        """
        labeled = np.flatnonzero(codes >= 0)
        if len(labeled) <= MOST_LABELS:
            return codes
        labeled = labeled[np.argsort(self._order[labeled])]
        most = MOST_LABELS // len(np.unique(codes[labeled]))
        out = np.full_like(codes, -1)
        for number in np.unique(codes[labeled]):
            mine = labeled[codes[labeled] == number][:most]
            out[mine] = number
        return out

    def renew(self, codes: np.ndarray, choose: bool = False) -> Renewed:
        """Settings if they are due, then answers, probabilities and suspicious labels."""
        start = time.perf_counter()
        with unsaid():
            used = self.learned(codes)
            model = self._fitted(used, choose)
            judged, told = _companions(used) >= 1, _companions(used) >= WITNESSES
            others = _others(model)
            judged &= others >= 0
            # where an earlier fit chose the settings, its optimism counts
            kept = None if model.selection_ else self._optimism
            error, interval = expected_error(model, kept)
            return Renewed(
                codes=codes.copy(),
                answers=_classes(model),
                classes=model.classes_.astype(int),
                probability=model.predict_proba(self.X).astype(np.float32),
                gray=_gray(model, self.X),
                suspicious=[int(i) for i in model.suspicious_labels_ if told[i]],
                others=others,
                wrong=int((judged & (others != used)).sum()),
                judged=int(judged.sum()),
                error=error,
                interval=interval,
                settings={name: str(value) for name, value in (self.settings or {}).items()},
                seconds=time.perf_counter() - start,
                n_used=int((used >= 0).sum()),
            )

    def ask(self, renewed: Renewed, n: int) -> None:
        """Add n points to label next, and what the first of them is expected to gain."""
        left = int((renewed.codes < 0).sum())
        if not left or self._back is None:
            return
        start = time.perf_counter()
        with unsaid():
            self._refit(self._back, self.learned(renewed.codes))
            asked = self._back.next_to_label(min(n, left))
            renewed.suggested = [int(i) for i in asked if renewed.codes[i] < 0]
            if renewed.suggested:
                renewed.gain = self._gain(renewed, renewed.suggested[0])
        renewed.seconds += time.perf_counter() - start

    def _refit(self, model: LapRLSClassifier, codes: np.ndarray) -> LapRLSClassifier:
        return model.fit(self.X, _targets(codes), groups=self.groups)

    def _fitted(self, codes, choose: bool) -> LapRLSClassifier:
        """A model of these labels, with settings chosen by it where they are due."""
        labeled = codes[codes >= 0]
        due = len(labeled) >= GROWTH * self._chosen_at or set(labeled) != self._chosen_for
        if not (choose or due or self._back is None):
            return self._refit(self._back, codes)
        model = self._refit(LapRLSClassifier(), codes)
        self.settings = dict(model.selection_.choice)
        self._optimism = _mean_of_known(model.selection_.optimism)
        self._chosen_at, self._chosen_for = len(labeled), frozenset(labeled)
        self._back = LapRLSClassifier(**self.settings, **_WARM)
        self._front = self._refit(LapRLSClassifier(**self.settings, **_WARM), codes)
        return model

    def _gain(self, now: Renewed, point: int) -> float | None:
        """How much lower the expected share of errors is once the point is labeled.

        Each class counts with its present probability; the scores are turned into probabilities
        as they are now, so that only the label's own effect is counted.
        """
        back, open_rows = self._back, now.codes < 0
        open_rows[point] = False
        p = now.probability[point]
        likely = [c for c in np.argsort(-p)[:MOST_ASKED] if p[c] >= WORTH_ASKING]
        if back is None or not open_rows.any() or not likely:
            return None
        scores = _scores(back, self.X)[open_rows]
        sharpness = _sharpness(scores, now.probability[open_rows])
        before, after, moved = _doubt(scores, sharpness), 0.0, now.codes.copy()
        for c in likely:
            moved[point] = now.classes[c]
            scores = _scores(self._refit(back, self.learned(moved)), self.X)[open_rows]
            after += p[c] / p[likely].sum() * _doubt(scores, sharpness)
        return float(before - after)


def ready(codes: np.ndarray) -> bool:
    """Whether a model can be fitted: two classes or more have a label."""
    labeled = codes[codes >= 0]
    return len(labeled) > 1 and bool((labeled != labeled[0]).any())


def _targets(codes: np.ndarray) -> np.ndarray:
    y = np.full(len(codes), None, dtype=object)
    labeled = codes >= 0
    y[labeled] = [str(c) for c in codes[labeled]]
    return y


def _classes(model) -> np.ndarray:
    return np.asarray(model.transduction_).astype(int)


def _others(model: LapRLSClassifier) -> np.ndarray:
    """The class of each labeled point by the labels outside its group, (n,); −1 elsewhere."""
    out = np.full(len(model.leave_one_out_), -1)
    scores, rows = unseen_scores_of(model)
    out[rows] = model.classes_.astype(int)[best_class(scores)]
    return out


def _scores(model, X) -> np.ndarray:
    """One score per class, (n, q)."""
    scores = np.asarray(model.decision_function(X))
    return scores if scores.ndim == 2 else np.column_stack([-scores, scores]) / 2.0


def _mean_of_known(values: np.ndarray) -> np.ndarray:
    """The mean of the finite entries, (1,), or nothing where there are none."""
    known = values[np.isfinite(values)]
    return known.mean(keepdims=True) if len(known) else known


def _sharpness(scores: np.ndarray, probability: np.ndarray) -> float:
    """a of softmax(a · scores), from the probabilities that were made so."""
    far = np.log(np.maximum(probability, 1e-6))
    far, apart = far - far[:, :1], scores - scores[:, :1]
    return float((far * apart).sum() / max((apart**2).sum(), 1e-12))


def _doubt(scores: np.ndarray, sharpness: float) -> float:
    """The mean of 1 − the largest probability."""
    z = sharpness * (scores - scores.max(axis=1, keepdims=True))
    return float((1.0 - 1.0 / np.exp(z).sum(axis=1)).mean())


def _companions(codes: np.ndarray) -> np.ndarray:
    """How many other labels of its class each labeled point has, (n,); −1 without a label."""
    counts = np.bincount(codes[codes >= 0])
    return np.where(codes >= 0, counts[np.maximum(codes, 0)] - 1, -1)


def _gray(model, X) -> np.ndarray:
    """Where no label reaches or the model abstains; some spaces know no novelty."""
    unreached = getattr(model, "unreached_", None)
    gray = np.zeros(X.shape[0], dtype=bool) if unreached is None else np.array(unreached, bool)
    try:
        return gray | (model.novelty(X) > ABSTAIN)
    except (TypeError, ValueError):
        return gray
