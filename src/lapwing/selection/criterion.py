"""What is compared: the loss of each labeled row under the fit without its label."""

from __future__ import annotations

import numpy as np

CLASSES = "1 for an error, plus its log loss"
SQUARES = "squared error over the variance of y"
"""What the losses of classes and of real targets are."""

TEMPERATURES = 2.0 ** np.arange(-2, 5)
"""Each twice the one before."""


def row_losses(H: np.ndarray, Y: np.ndarray, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """One number for each labeled row, (..., l), from its held-out readout.

    Classes: 1 for an error, plus the log loss of softmax(a h) (or σ(a h) for two classes) with the
    a that suits all rows best, since a readout tells the order of its classes before their odds.
    Other targets: the squared error in units of each column's variance, over what was observed.

    Parameters
    ----------
    H : array of shape (..., l, t)
        Held-out readouts of one fit or several, NaN where nothing was observed.
    Y : array of shape (l, t)
        Targets.
    codes : integer array of shape (l,)
    n_classes : int
        0 for other targets.
    """
    if not n_classes:
        seen = ~np.isnan(H)
        spread = np.var(np.broadcast_to(Y, H.shape), axis=-2, where=seen, keepdims=True)
        squares = (Y - H) ** 2 / np.where(spread > 0, spread, 1.0)
        return np.nanmean(squares, axis=-1)
    scores = np.concatenate([-H, H], axis=-1) / 2 if n_classes == 2 else H
    own = scores[..., np.arange(len(codes)), codes][..., None]
    wrong = (scores >= own).sum(axis=-1) > 1
    # a readout of huge size would overflow; its order is all that counts then
    size = np.maximum(1.0, np.abs(H).max(axis=(-2, -1), initial=0.0, keepdims=True))
    losses = _log_losses((scores - own) / size)
    best = losses.mean(axis=-1).argmin(axis=0)
    return wrong + np.take_along_axis(losses, best[None, ..., None], axis=0)[0]


def guessed(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """:func:`row_losses` where every row is said to be of the commonest class, (l,).

    Examples
    --------
    >>> guessed(np.array([0, 0, 0, 1]), 2).round(2)
    array([0.29, 0.29, 0.29, 2.39])
    """
    counts = np.bincount(codes, minlength=n_classes)
    return (codes != counts.argmax()) - np.log(counts[codes] / len(codes))


def _log_losses(shifted: np.ndarray) -> np.ndarray:
    """−log softmax(a h) of the own class for every a, (a, ..., l), from h minus the own class's h.

    No label is certain: half a label in l may be wrong, whatever the readouts say.
    """
    l, n_classes = shifted.shape[-2:]
    doubt, odds = 0.5 / l, []
    powers = np.exp(TEMPERATURES[0] * shifted)
    for _ in TEMPERATURES:
        odds.append(powers.sum(axis=-1))
        powers *= powers
    return -np.log((1.0 - doubt) / np.array(odds) + doubt / n_classes)
