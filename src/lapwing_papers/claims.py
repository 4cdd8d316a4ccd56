"""What a paper says in words, checked on our records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from .statistics import paired_test

LEVEL = 0.05
"""A difference counts where its paired test has a smaller p, as the papers' own tests do."""


@dataclass(frozen=True)
class Claim:
    """A sentence, whether it holds here, and the numbers behind that.

    Attributes
    ----------
    text : str
    holds : bool
    detail : str
    """

    text: str
    holds: bool
    detail: str = ""


def lower(text: str, ours: np.ndarray, theirs: np.ndarray, unit: str = "") -> Claim:
    """The claim that the first is lower: on average, and by a paired t-test at p < 0.05."""
    return _ordered(text, ours, theirs, unit, sign=1)


def higher(text: str, ours: np.ndarray, theirs: np.ndarray, unit: str = "") -> Claim:
    """The claim that the first is higher: on average, and by a paired t-test at p < 0.05."""
    return _ordered(text, ours, theirs, unit, sign=-1)


def _ordered(text: str, ours: np.ndarray, theirs: np.ndarray, unit: str, *, sign: int) -> Claim:
    if not len(ours) or len(ours) != len(theirs):
        return Claim(text, False, "not run")
    test = paired_test(sign * ours, sign * theirs)
    detail = (
        f"{ours.mean():.3g}{unit} against {theirs.mean():.3g}{unit}, "
        f"{test.wins}–{test.losses} of {len(ours)}, p = {test.pvalue:.2g}"
    )
    ordered = bool(sign * ours.mean() < sign * theirs.mean())
    if ordered and not test.pvalue < LEVEL:
        detail += ": so on average, but not significant"
    return Claim(text, ordered and bool(test.pvalue < LEVEL), detail)


def mostly_lower(text: str, ours: np.ndarray, theirs: np.ndarray) -> Claim:
    """The claim that the first is lower in most pairs, by a sign test at p < 0.05.

    A few large differences decide a mean, and not this.
    """
    if not len(ours) or len(ours) != len(theirs):
        return Claim(text, False, "not run")
    wins, losses = int((ours < theirs).sum()), int((ours > theirs).sum())
    p = float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
    detail = f"{wins}–{losses} of {len(ours)}, sign test p = {p:.2g}; means {ours.mean():.3g} "
    return Claim(text, wins > losses and p < LEVEL, f"{detail}and {theirs.mean():.3g}")
