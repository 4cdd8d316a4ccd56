"""Timing two pieces of work in turns, so that a noisy machine disturbs both alike."""

from __future__ import annotations

import statistics


def clock(function, timer) -> float:
    """Seconds that one call takes."""
    start = timer()
    function()
    return timer() - start


def ratios(first, second, pairs: int, timer) -> tuple[float, float, float]:
    """The median ratio first/second over the pairs, and the median time of each."""
    a, b = [], []
    for _ in range(pairs):
        b.append(clock(second, timer))
        a.append(clock(first, timer))
    ratio = statistics.median(x / y for x, y in zip(a, b, strict=True))
    return ratio, statistics.median(a), statistics.median(b)
