"""When the default is left, and for what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

CLEARLY = 2.0
"""Standard errors by which the default must be behind to be left: the best of many flatters."""

ALIKE = 0.5
"""Standard errors within which two settings are as good as each other."""


def preferred(trials: Sequence, least: float = 0.0, clearly: float = CLEARLY, alike: float = ALIKE):
    """The first trial, unless the best beats it clearly; then the nearest to it that is as good.

    Parameters
    ----------
    trials : sequence of trials
        With ``losses``, (l,), and ``steps``; the default first.
    least : float
        A lead in the mean loss that is no evidence, however steady.
    clearly, alike : float
        In standard errors of the paired difference.

    Examples
    --------
    >>> from lapwing.selection import Setting
    >>> close = [Setting({}, np.array([1.0, 0.9, 1.1])), Setting({}, np.array([0.9, 1.0, 1.1]))]
    >>> preferred(close) is close[0]
    True
    """
    best = leading(trials)
    if not is_behind(trials[0], best, clearly, least):
        return trials[0]
    behind = np.array([t.losses for t in trials]) - best.losses
    error = behind.std(axis=1, ddof=1) / np.sqrt(behind.shape[1])
    even = np.flatnonzero(behind.mean(axis=1) <= alike * np.maximum(error, least)).tolist()
    return min((trials[i] for i in even or [0]), key=lambda t: (t.steps, t.score))


def is_behind(trial, best, clearly: float, least: float = 0.0) -> bool:
    """Whether a trial loses by more than so many standard errors, and by more than ``least``."""
    behind = trial.losses - best.losses
    error = behind.std(ddof=1) / np.sqrt(len(behind))
    return bool(behind.mean() > max(clearly * error, least))


def leading(trials: Sequence):
    """The trial of least mean loss, the nearest to the default among equal ones."""
    return min(trials, key=lambda t: (t.score if np.isfinite(t.score) else np.inf, t.steps))


def reason(trials: Sequence, chosen) -> str:
    """One sentence: what was compared, and why the default was kept or left."""
    default, best = trials[0], leading(trials)
    gain = default.losses - best.losses
    error = float(np.std(gain, ddof=1)) / np.sqrt(len(gain))
    return (
        f"leave-one-out over {len(gain)} labels {'keeps' if chosen is default else 'leaves'} "
        f"the default ({default.score:.3g}, best {best.score:.3g}, difference "
        f"{float(gain.mean()):.2g} ± {error:.2g}, chosen {chosen.score:.3g})"
    )
