"""What is compared: the loss of each labelled row under the fit without its label."""

from __future__ import annotations

import numpy as np

TEMPERATURES = 2.0 ** np.arange(-2, 5)


def row_losses(H: np.ndarray, Y: np.ndarray, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """One number for each labelled row, (l,), from its held-out readout.

    Classes: 1 for an error, plus the log loss of softmax(a h) (or σ(a h) for two classes) with the
    a that suits all rows best, since a readout tells the order of its classes before their odds.
    Other targets: the squared error in units of each column's variance, over what was observed.

    Parameters
    ----------
    H, Y : arrays of shape (l, t)
        Held-out readouts, NaN where nothing was observed, and targets.
    codes : integer array of shape (l,)
    n_classes : int
        0 for other targets.
    """
    if not n_classes:
        spread = np.var(np.where(np.isnan(H), np.nan, Y), axis=0, where=~np.isnan(H))
        squares = (Y - H) ** 2 / np.where(spread > 0, spread, 1.0)
        return np.nanmean(squares, axis=1)
    scores = np.column_stack([-H[:, 0], H[:, 0]]) / 2 if n_classes == 2 else H
    own = scores[np.arange(len(codes)), codes]
    wrong = (scores >= own[:, None]).sum(axis=1) > 1
    # a readout of huge size would overflow; its order is all that counts then
    shifted = (scores - own[:, None]) / max(1.0, float(np.abs(H).max(initial=0.0)))
    odds = np.exp(TEMPERATURES[:, None, None] * shifted).sum(axis=2)
    # no label is certain: half a label in l may be wrong, whatever the readouts say
    doubt = 0.5 / len(codes)
    losses = -np.log((1.0 - doubt) / odds + doubt / n_classes)
    return wrong + losses[losses.mean(axis=1).argmin()]
