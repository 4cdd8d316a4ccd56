"""The loss of a left-out label under the fit without it, for each kind of target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import softmax

from ..targets import best_class

CLASSES = "1 for an error, plus its log loss"
SQUARES = "squared error over the variance of y"
COSTS = "cost of the output, plus an expected one"
"""The units of the losses for classes, real targets and structured outputs."""

TEMPERATURES = 2.0 ** np.arange(-2, 5)
"""The scales a of the softmax; each is twice the one before."""


@dataclass(frozen=True)
class Judge:
    """The loss of held-out readouts.

    Attributes
    ----------
    of : callable
        A function from readouts, (g, l, t), to the loss of each row, (g, l). It is not finite for
        rows without a loss.
    price : callable
        A function from readouts, (g, l, t), to the terms of ``leave_one_out_error_``, (g, l): 1 for
        a wrong class, the share of wrong labels, or the squared error over the variance.
    telling : bool array of shape (l,)
        Rows that are informative when they are left out (:func:`tell`).
    groups : integer array of shape (l,)
        Rows of one group are left out together.
    counts : array of shape (l,)
        The weight of each row in the loss of the fit.
    guess : float
        The mean loss of predictions that use only the class frequencies.
    columns : float
        The number of squared errors in the loss of a row. Their likelihood is normal, with the most
        likely variance. 0 if the losses are not squared errors.
    unit : str
        The unit of the losses, in words.
    """

    of: Callable[[np.ndarray], np.ndarray]
    price: Callable[[np.ndarray], np.ndarray]
    telling: np.ndarray
    groups: np.ndarray
    counts: np.ndarray
    guess: float
    columns: float
    unit: str = ""

    def size(self, asked: np.ndarray | None = None):
        """The number of groups among the informative rows, or the ``asked`` rows, (...).

        Losses within one group are similar, so a group counts once.
        """
        asked = self.telling if asked is None else asked
        return (asked / np.bincount(self.groups)[self.groups]).sum(axis=-1)

    def total(self, losses: np.ndarray, unreached=0.0, asked: np.ndarray | None = None):
        """Σ_i loss_i over the informative rows, or the ``asked`` rows, (...), from (..., l).

        Labeled rows are always reached by a label. The share of rows that no label reaches is
        charged as if their predictions were guesses.
        """
        asked = self.telling if asked is None else asked
        shares, l, tiny = asked * self.counts, self.size(asked), np.finfo(float).tiny
        mean = (shares * losses).sum(axis=-1) / np.maximum(shares.sum(axis=-1), tiny)
        mean = (1.0 - unreached) * mean + unreached * self.guess
        if not self.columns:
            return l * mean
        return 0.5 * l * self.columns * np.log(np.maximum(mean, tiny))


def alike(codes: np.ndarray, groups: np.ndarray, here: np.ndarray | bool = True):
    """The number of labels with the class of each row, and of these in its group, (l,) each.

    Parameters
    ----------
    codes, groups : integer arrays of shape (l,)
    here : bool array of shape (l,), optional
        The rows with a label.
    """
    here = np.broadcast_to(here, codes.shape)
    pair = np.unique(codes * (groups.max(initial=0) + 1) + groups, return_inverse=True)[1]
    return np.bincount(codes, here)[codes], np.bincount(pair, here)[pair]


def tell(codes: np.ndarray, groups: np.ndarray, here: np.ndarray | bool = True) -> np.ndarray:
    """Whether a left-out row is informative, (l,): another group has labels of its class.

    Examples
    --------
    >>> tell(np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 2, 2])).tolist()
    [True, True, True, False, False]
    """
    every, own = alike(codes, groups, here)
    return here & (every > own)


def class_judge(codes: np.ndarray, n_classes: int, groups: np.ndarray, counts) -> Judge:
    """The losses of classes that exclude each other (:func:`class_losses`).

    Parameters
    ----------
    codes : integer array of shape (l,)
    n_classes : int
    groups : integer array of shape (l,)
    counts : array of shape (l,)
    """
    telling = tell(codes, groups)
    asked = codes[telling]
    guess = float(guessed(asked, n_classes).mean()) if len(asked) else 0.0
    losses, price = partial(class_losses, codes=codes), partial(wrong_classes, codes=codes)
    return Judge(losses, price, telling, groups, counts, guess, 0, CLASSES)


def real_judge(Y: np.ndarray, seen: np.ndarray, groups: np.ndarray, counts, signs=()) -> Judge:
    """Squared errors over the variance of each column, for real targets and label sets.

    Labels are not judged by the number of errors, because a model that never finds a rare label
    would look good.

    Parameters
    ----------
    Y : array of shape (l, t)
    seen : bool array of shape (l, 1) or (l, t)
        The observed entries.
    groups : integer array of shape (l,)
    counts : array of shape (l,)
    signs : array of shape (l, t), optional
        For label sets: ±1, from which Y differs by a constant for each column.
    """
    seen = np.broadcast_to(seen, Y.shape)
    spread = np.var(Y, axis=0, where=seen)
    scale = np.where(spread > 0, spread, 1.0)

    def losses(H: np.ndarray) -> np.ndarray:
        return np.where(seen, (Y - H) ** 2 / scale, 0.0).sum(axis=-1) / seen.sum(axis=1)

    telling = np.full(len(Y), len(Y) == 1 or len(np.unique(groups)) > 1)
    columns = float(seen.sum() / len(Y))
    price = partial(wrong_signs, signs=signs, seen=seen, shift=signs - Y) if len(signs) else losses
    return Judge(losses, price, telling, groups, counts, 1.0, columns, SQUARES)


def output_judge(Y: np.ndarray, outputs, codes: np.ndarray, groups, counts) -> Judge:
    """The cost Δ(y, decoded) of structured outputs, plus a smooth term.

    For label sets the smooth term is the error of λ(y), the features of the output. For enumerated
    outputs it is Σ_z Δ(y, z) softmax_z(a h) with the best common a. Δ is divided by its largest
    values. A label is not used if no other label has its output.

    Parameters
    ----------
    Y : array of shape (l, q)
    outputs : built output structure
    codes : integer array of shape (l,)
        The number of the output of each label. 0 for label sets.
    groups : integer array of shape (l,)
    counts : array of shape (l,)
    """
    telling = tell(codes, groups)
    scale = float(np.mean(outputs.worst_loss(Y))) or 1.0
    features, listed = outputs.features(Y), outputs.kernel is not None
    spread = float(np.var(features, axis=0).sum()) or 1.0
    every = np.eye(Y.shape[1]) if listed else np.empty((0, Y.shape[1]))
    far = np.array([outputs.loss(Y, np.tile(z, (len(Y), 1))) for z in every]).T

    def one(H: np.ndarray) -> np.ndarray:
        known = np.nan_to_num(H)
        wrong = outputs.loss(Y, outputs.decode(known)) / scale
        if not listed:
            return wrong + ((features - known) ** 2).sum(axis=1) / spread
        unit = known / max(1.0, float(np.abs(known).max(initial=0.0)))
        soft = (softmax(TEMPERATURES[:, None, None] * unit, axis=2) * far).sum(axis=2) / scale
        return wrong + soft[soft[:, telling].sum(axis=1).argmin()]

    def each(H: np.ndarray) -> np.ndarray:
        return np.array(list(map(one, H)))

    m = max(1, telling.sum())
    common = np.zeros_like(features) + features[telling].sum(axis=0) / m
    guess = float(one(common)[telling].sum() / m)
    sets = partial(wrong_signs, signs=features, seen=features < np.inf)
    price = partial(wrong_classes, codes=codes) if listed else sets
    return Judge(each, price, telling, groups, counts, guess, 0, COSTS)


def wrong_classes(H: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Whether readouts (..., l, t) predict another class, (..., l)."""
    return (best_class(H) != codes).astype(float)


def wrong_signs(H: np.ndarray, signs: np.ndarray, seen: np.ndarray, shift=0.0) -> np.ndarray:
    """The share of the observed ±1 targets whose shifted readout has the other sign, (..., l)."""
    return (seen & (signs * (H + shift) <= 0)).sum(axis=-1) / seen.sum(axis=-1)


def finite(losses: np.ndarray, asked: np.ndarray | bool = True) -> np.ndarray:
    """The losses, with the worst loss of the asked rows in place of NaN and ∞."""
    known = np.isfinite(losses)
    return np.where(known, losses, np.max(losses, initial=1.0, where=asked & known))


def class_losses(H: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The loss of each labeled row, (..., l), from its held-out readout h.

    The loss is 1 for an error, plus the log loss of softmax(a h), or of σ(a h) for two classes. The
    scale a is the best one for all rows, because a readout gives the order of the classes, but not
    their odds.

    Parameters
    ----------
    H : array of shape (..., l, t)
        Held-out readouts of one or several fits. Two classes have one column.
    codes : integer array of shape (l,)
    """
    known = np.isfinite(H).all(axis=-1)
    H = np.where(known[..., None], H, 0.0)
    scores = np.concatenate([-H, H], axis=-1) / 2 if H.shape[-1] == 1 else H
    own = scores[..., np.arange(len(codes)), codes][..., None]
    wrong = (scores >= own).sum(axis=-1) > 1
    # a huge readout would overflow; only its order counts then
    size = np.maximum(1.0, np.abs(H).max(axis=(-2, -1), initial=0.0, keepdims=True))
    losses = _log_losses((scores - own) / size)
    best = losses.mean(axis=-1).argmin(axis=0)
    found = wrong + np.take_along_axis(losses, best[None, ..., None], axis=0)[0]
    return np.where(known, found, np.inf)


def guessed(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """:func:`class_losses` of a guess from the class frequencies alone, (l,).

    Examples
    --------
    >>> guessed(np.array([0, 0, 0, 1]), 2).round(2)
    array([0.29, 0.29, 0.29, 2.39])
    """
    counts = np.bincount(codes, minlength=n_classes)
    return (codes != counts.argmax()) - np.log(counts[codes] / len(codes))


def _log_losses(shifted: np.ndarray) -> np.ndarray:
    """−log softmax(a h) of the true class for each a, (a, ..., l).

    ``shifted`` is h minus its value at the true class.

    No label is certain: half a label of l may be wrong for any readouts. This bounds the loss.
    """
    l, n_classes = shifted.shape[-2:]
    doubt, odds = 0.5 / l, []
    powers = np.exp(TEMPERATURES[0] * shifted)
    for _ in TEMPERATURES:
        odds.append(powers.sum(axis=-1))
        powers *= powers
    return -np.log((1.0 - doubt) / np.array(odds) + doubt / n_classes)
