"""The probability that a label is wrong, given the other labels."""

from __future__ import annotations

import numpy as np

from ..targets import both_columns
from .calibration import STEPS, log_prior, softmax

TINY = np.finfo(float).tiny

EXPECTED, WORTH = 0.05, 50.0
"""The Beta prior of the share of wrong labels: its mean, and the number of labels it counts as. On
five data sets, 0 to 1.2 of 40 correct labels are listed, and 16 to 20 of 200 labels with 20 wrong
ones (``benchmarks/suspicion.py``)."""

SUSPICIOUS = 0.5
"""Probability of being wrong above which a label is listed."""

WIDE, FAR = 10.0, 30.0
"""Deviation of wrong real targets in units of right ones, and the distance where z is clipped."""

ROUNDS = 100


def wrong_labels(scores: np.ndarray, codes: np.ndarray, gap: float) -> np.ndarray:
    """The probability that each label is wrong, (l,), from the scores of fits without it.

    A label is right with probability 1 − ε. A right label is of class c with probability softmax(a
    s)_c. A wrong label is one of the other classes, each with the same probability. The pair (a, ε)
    has the largest posterior. A temperature a fitted to all labels, also the wrong ones, would hide
    the wrong labels.

    Parameters
    ----------
    scores : array of shape (l, q) or (l, 1)
        The scores.
    codes : integer array of shape (l,)
        The class codes.
    gap : float
        The typical gap at unlabeled rows, as for :class:`~lapwing.confidence.Temperature`.

    Examples
    --------
    >>> scores, codes = np.ones((40, 1)), np.ones(40, dtype=int)
    >>> codes[0] = 0
    >>> wrong_labels(scores, codes, 2.0).round(2)[:2]
    array([0.93, 0.  ])
    """
    both, rows = both_columns(scores), np.arange(len(codes))
    best, found = -np.inf, np.full(len(codes), EXPECTED)
    if not gap > 0 or not np.isfinite(gap) or not len(codes):
        return found
    for t in STEPS:
        own = softmax(np.exp(t) / gap * both)[rows, codes]
        wrong, height = mixed(own, (1.0 - own) / (both.shape[1] - 1))
        height += log_prior(t)
        if height > best:
            best, found = height, wrong
    return found


def mixed(own: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, float]:
    """P(wrong) = ε o/((1 − ε) p + ε o), (l,), with the most likely ε, and its log posterior.

    Parameters
    ----------
    own, others : arrays of shape (l,)
        p and o: the probability of each label if it is right, and if it is wrong.
    """
    epsilon = EXPECTED
    for _ in range(ROUNDS):  # expectation and maximization
        total = np.maximum((1.0 - epsilon) * own + epsilon * others, TINY)
        wrong = epsilon * others / total
        last, epsilon = epsilon, (wrong.sum() + EXPECTED * WORTH) / (len(own) + WORTH)
        if abs(epsilon - last) < 1e-7:
            break
    prior = WORTH * (EXPECTED * np.log(epsilon) + (1.0 - EXPECTED) * np.log1p(-epsilon))
    return wrong, float(np.log(total).sum() + prior)


def outlying_probability(residuals: np.ndarray) -> np.ndarray:
    """The probability that each real target is wrong, from leave-one-out residuals, (l, t).

    NaN residuals are unknown. Right targets are normal with a robust deviation, wrong ones with ten
    times that. If a row has several targets, the most suspicious one counts.
    """
    found = np.zeros(len(residuals))
    for r in residuals.T:
        known = ~np.isnan(r)
        scale = 1.4826 * float(np.median(np.abs(r[known]))) if known.any() else 0.0
        if scale > 0:
            z = np.minimum(np.abs(r[known]) / scale, FAR)
            own, wide = np.exp(-0.5 * z**2), np.exp(-0.5 * (z / WIDE) ** 2) / WIDE
            found[known] = np.maximum(found[known], mixed(own, wide)[0])
    return found
