"""How likely a label is wrong, by what the other labels say."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from ..targets import both_columns
from .calibration import STEPS, log_prior

TINY = np.finfo(float).tiny

EXPECTED, WORTH = 0.05, 50.0
"""The prior of the share of wrong labels, Beta's: its mean, and how many labels it is worth. With
40 correct labels 0 to 1.2 are listed, with 200 of which 20 are wrong 16 to 20, on five sets
(``benchmarks/suspicion.py``)."""

SUSPICIOUS = 0.5
"""Probability of being wrong from which a label is listed: more likely wrong than right."""

WIDE, FAR = 10.0, 30.0
"""Deviation of wrong real targets, in those of right ones; what is further is as wrong as any."""

ROUNDS = 100


def wrong_labels(scores: np.ndarray, codes: np.ndarray, gap: float) -> np.ndarray:
    """The probability that each label is wrong, (l,), from scores of fits without it.

    A label is right with probability 1 − ε and then of class c with softmax(a s)_c; a wrong one is
    of any other class alike. a and ε are those of the largest posterior: with a temperature that
    was fitted to wrong labels, too, none of them would stand out.

    Parameters
    ----------
    scores : array of shape (l, q) or (l, 1)
    codes : integer array of shape (l,)
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
        own = softmax(np.exp(t) / gap * both, axis=1)[rows, codes]
        wrong, height = mixed(own, (1.0 - own) / (both.shape[1] - 1))
        height += log_prior(t)
        if height > best:
            best, found = height, wrong
    return found


def mixed(own: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, float]:
    """P(wrong) = ε o/((1 − ε) p + ε o), (l,), with the likeliest ε, and its log posterior.

    Parameters
    ----------
    own, others : arrays of shape (l,)
        p and o, how likely each label is if it is right, and if it is wrong.
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
    """The same of real targets, from leave-one-out residuals, (l, t), NaN where nothing is known.

    Right ones are normal with a robust deviation, wrong ones with ten times that; of several
    targets the most suspicious one counts.
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
