"""What a paper says in words, checked on our records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .statistics import paired_test


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
    """The claim that the first is lower on average, with a paired test over the repetitions."""
    return _ordered(text, ours, theirs, unit, sign=1)


def higher(text: str, ours: np.ndarray, theirs: np.ndarray, unit: str = "") -> Claim:
    """The claim that the first is higher on average."""
    return _ordered(text, ours, theirs, unit, sign=-1)


def _ordered(text: str, ours: np.ndarray, theirs: np.ndarray, unit: str, *, sign: int) -> Claim:
    if not len(ours) or len(ours) != len(theirs):
        return Claim(text, False, "not run")
    test = paired_test(sign * ours, sign * theirs)
    detail = (
        f"{ours.mean():.3g}{unit} against {theirs.mean():.3g}{unit}, "
        f"{test.wins}–{test.losses} of {len(ours)}, p = {test.pvalue:.2g}"
    )
    return Claim(text, bool(sign * ours.mean() < sign * theirs.mean()), detail)
