"""The formula of the choice: a prior, leave-one-out losses, posterior weights and the medoid.

    weight(s) ∝ prior(s) · exp(−T Σ_i loss_i(s)),  T = l/(l + 50)
    choice    = argmin_s Σ_r weight(r) |f_r − f_s|

loss_i(s) is the loss of label i under setting s fitted without it, and l is the number of labels.
f_s holds the predictions of setting s at unlabeled rows. The choice is the setting whose
predictions are nearest to the weighted vote of all settings (the medoid). ``docs/choosing.md`` has
the table of the alternatives that were compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

DOUBTED = 50
"""The number of labels with T = l/(l + 50) = ½. The losses of many settings at the same few labels
are not independent, and few labels are no fair sample. Fewer labels therefore count less."""

DEFAULT = 5
"""5 labels halve the prior mass of the documented default, 2^(−l/5): all without labels, half with
5, 1/1000 with 50. A dozen labels tell too little to leave it; tables with 20 lose by keeping it."""

HOME = 0.5
"""The prior mass of the frame of the default, among all frames."""

ALONE = 1 / 3
"""The prior mass of γ_I = 0 (no graph) within each frame. In doubt unlabeled rows play a part."""

HEARD = 1e-4
"""Settings below this share of the largest weight do not vote."""


def prior_masses(
    frames: Sequence, alone: Sequence, parts: Sequence, default: int = 0, l: float = 0.0
) -> np.ndarray:
    """The prior masses of T settings, (T,). Their sum is one.

    The default has 2^(−l/5). Half of the rest goes to the frame of the default. Within a frame, the
    settings without a graph have a third together. Within these two sets, the parts (kernels or
    graphs) have equal shares. The settings of one part have equal shares too.

    Parameters
    ----------
    frames, parts : sequences of T hashable
    alone : sequence of T bool
        Whether γ_I = 0.
    default : int
    l : float
        The number of left-out labels, or of groups of them.

    Examples
    --------
    >>> prior_masses("aab", [False, True, False], "xyx", l=5).round(3)
    array([0.667, 0.083, 0.25 ])
    """
    keys = list(zip(frames, map(bool, alone), parts, strict=True))
    sizes = Counter(keys)
    kinds = Counter((frame, without) for frame, without, _ in sizes)
    every, home = list(dict.fromkeys(frames)), frames[default]
    mass = np.empty(len(keys))
    for i, (frame, without, part) in enumerate(keys):
        share = 1.0 if len(every) == 1 else HOME if frame == home else (1 - HOME) / (len(every) - 1)
        kind = (ALONE if without else 1 - ALONE) if (frame, not without) in kinds else 1.0
        mass[i] = share * kind / kinds[frame, without] / sizes[frame, without, part]
    kept = 2.0 ** (-l / DEFAULT)
    return kept * (np.arange(len(mass)) == default) + (1.0 - kept) * mass / mass.sum()


def temper(l: float) -> float:
    """T = l/(l + 50), the power of the likelihood of l labels.

    Examples
    --------
    >>> temper(0), temper(50), round(temper(450), 3)
    (0.0, 0.5, 0.9)
    """
    return l / (l + DOUBTED)


def posterior_weights(prior: np.ndarray, totals: np.ndarray, l: float) -> np.ndarray:
    """weight(s) ∝ prior(s) exp(−T totals(s)), shape (T,). The weight is 0 if the total is NaN.

    Parameters
    ----------
    prior, totals : arrays of shape (T,)
        Prior masses, and Σ_i loss_i of each setting.
    l : float
        The number of left-out labels, or of groups of them.

    Examples
    --------
    >>> posterior_weights(np.array([0.5, 0.5]), np.array([0.0, 2.0]), 50).round(3)
    array([0.731, 0.269])
    """
    costs = np.nan_to_num(totals, nan=np.inf, posinf=np.inf)
    logs = np.log(np.maximum(prior, 1e-300)) - temper(l) * costs  # without labels a mass may be 0
    if not np.isfinite(logs).any():
        return prior
    found = np.exp(logs - logs.max())
    return found / found.sum()


def medoid(weights: np.ndarray, answers: np.ndarray, n_classes: int) -> int:
    """The setting with the smallest weighted distance of its predictions to those of all settings.

    Parameters
    ----------
    weights : array of shape (T,)
    answers : array of shape (T, m)
        Class codes, or real values if ``n_classes`` is 0.
    n_classes : int

    Examples
    --------
    >>> answers = np.array([[0, 0, 1, 1], [0, 1, 1, 1], [0, 1, 1, 0], [0, 1, 0, 1]])
    >>> medoid(np.array([0.4, 0.2, 0.2, 0.2]), answers, 2)
    1
    """
    if not answers.shape[1]:  # without voters all distances are 0
        return int(weights.argmax())
    heard = np.flatnonzero(weights >= HEARD * weights.max())
    answers, own = answers[heard], weights[heard] / weights[heard].sum()
    if n_classes:
        votes = np.stack([own @ (answers == c) for c in range(n_classes)])
        apart = 1.0 - votes[answers, np.arange(answers.shape[1])].mean(axis=1)
    else:
        # distances, not squares: a setting with half of the weight is then always the medoid
        apart = _distances(answers.astype(float)) @ own
    apart = np.nan_to_num(np.round(apart, 12))
    even = np.flatnonzero(apart == apart.min())
    return int(heard[even[own[even].argmax()]])


def _distances(answers: np.ndarray) -> np.ndarray:
    """The root mean square differences between the rows, (T, T)."""
    squares = (answers**2).sum(axis=1)
    apart = squares[:, None] + squares - 2.0 * answers @ answers.T
    np.fill_diagonal(apart, 0.0)
    return np.sqrt(np.maximum(apart, 0.0) / max(answers.shape[1], 1))
