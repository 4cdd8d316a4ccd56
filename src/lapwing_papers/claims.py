"""What a paper says in words, checked on our records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from scipy.stats import binomtest

from .statistics import paired_test

LEVEL = 0.05
"""A difference counts where its paired test has a smaller p, as the papers' own tests do."""

NOT_RUN = "not run"
"""The detail of a claim that no record speaks of. It neither holds nor fails."""


@dataclass(frozen=True)
class Claim:
    """A sentence, whether it holds here, and the numbers behind that.

    Attributes
    ----------
    text : str
    holds : bool
    detail : str
    p : float
        Of the test that decided; NaN where the claim is no difference between two methods. The
        largest of several.
    """

    text: str
    holds: bool
    detail: str = ""
    p: float = nan

    @property
    def verdict(self) -> str:
        """What the report says: yes, NO, or not run."""
        if self.detail == NOT_RUN:
            return NOT_RUN
        return "yes" if self.holds else "NO"


def tally(claims: Sequence[Claim]) -> str:
    """How many claims hold, of how many that were judged.

    Examples
    --------
    >>> tally([Claim("a", True), Claim("b", False), Claim("c", False, "not run")])
    '1 of 2 (1 more not run)'
    """
    judged = [claim for claim in claims if claim.verdict != NOT_RUN]
    left = len(claims) - len(judged)
    return f"{sum(c.holds for c in judged)} of {len(judged)}" + (
        f" ({left} more not run)" if left else ""
    )


def lower(text: str, ours: np.ndarray, theirs: np.ndarray, unit: str = "") -> Claim:
    """The claim that the first is lower: on average, and by a paired t-test at p < 0.05."""
    return _ordered(text, ours, theirs, unit, sign=1)


def higher(text: str, ours: np.ndarray, theirs: np.ndarray, unit: str = "") -> Claim:
    """The claim that the first is higher: on average, and by a paired t-test at p < 0.05."""
    return _ordered(text, ours, theirs, unit, sign=-1)


def _ordered(text: str, ours: np.ndarray, theirs: np.ndarray, unit: str, *, sign: int) -> Claim:
    if not len(ours) or len(ours) != len(theirs):
        return Claim(text, False, NOT_RUN)
    test = paired_test(sign * ours, sign * theirs)
    detail = (
        f"{ours.mean():.3g}{unit} against {theirs.mean():.3g}{unit}, "
        f"{test.wins}–{test.losses} of {len(ours)}, p = {test.pvalue:.2g}"
    )
    ordered = bool(sign * ours.mean() < sign * theirs.mean())
    if ordered and not test.pvalue < LEVEL:
        detail += ": so on average, but not significant"
    return Claim(text, ordered and bool(test.pvalue < LEVEL), detail, test.pvalue)


def mostly_lower(text: str, ours: np.ndarray, theirs: np.ndarray) -> Claim:
    """The claim that the first is lower in most pairs, by a sign test at p < 0.05.

    A few large differences decide a mean, and not this.
    """
    if not len(ours) or len(ours) != len(theirs):
        return Claim(text, False, NOT_RUN)
    wins, losses = int((ours < theirs).sum()), int((ours > theirs).sum())
    p = float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
    detail = f"{wins}–{losses} of {len(ours)}, sign test p = {p:.2g}; means {ours.mean():.3g} "
    return Claim(text, wins > losses and p < LEVEL, f"{detail}and {theirs.mean():.3g}", p)


def everywhere(text: str, found: Sequence[Claim], places: Sequence[str]) -> Claim:
    """The claim that the same holds at all of several places, each with its own test."""
    if found and all(one.verdict == NOT_RUN for one in found):
        return Claim(text, False, NOT_RUN)
    against = [place for place, one in zip(places, found, strict=True) if not one.holds]
    worst = max((one.p for one in found), default=nan)
    detail = f"at {len(found) - len(against)} of {len(found)}"
    detail += f", not at {', '.join(against)}" if against else f", largest p = {worst:.2g}"
    return Claim(text, bool(found) and not against, detail, worst)


def slower(text: str, slow: np.ndarray, fast: np.ndarray, *, times: float) -> Claim:
    """The claim that one takes so many times as long: in most fits, by a sign test at p < 0.05."""
    if not len(slow) or len(slow) != len(fast):
        return Claim(text, False, NOT_RUN)
    ratio = slow / fast
    p = mostly_lower("", np.full(len(ratio), times), ratio).p
    detail = (
        f"median ratio {np.median(ratio):.1f}, from {ratio.min():.1f} to {ratio.max():.1f} over "
        f"{len(ratio)} fits, sign test p = {p:.2g}"
    )
    return Claim(text, bool(np.median(ratio) > times) and p < LEVEL, detail, p)
