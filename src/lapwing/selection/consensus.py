"""What all settings say together, and the one that posterior_weights most of it.

The best of many settings by leave-one-out flatters, the more so the fewer labels there are, and two
settings that do equally well on the labels may differ elsewhere. So no setting is believed alone:
each has a say in proportion to what the labels say of it, and the one is taken whose answers differ
least from all of them, Σ_s p(s) |f_s − f|. Unlabeled rows thus take part in the choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

TEMPER = 0.3
"""Power of the leave-one-out likelihood: it was looked at for thousands of settings."""

HOME, ALONE = 0.5, 0.65
"""Say of the default's frame among all frames, and of γ_I = 0 with each kernel."""

SAY = 1e-4
"""Share of the largest say below which a setting has none."""


def posterior_weights(
    frames: Sequence, kernels: Sequence, alone: Sequence, likelihoods
) -> np.ndarray:
    """What each setting counts, (T,), summing to one: a prior times tempered likelihoods.

    Before the labels are asked, the default's frame counts as much as all others together, and
    the kernels over it the same; a kernel without a graph counts 0.65, with all graphs
    and weights tried 0.35 of it.

    Parameters
    ----------
    frames, kernels : sequences of T hashable
        Each setting's; the first setting is the default.
    alone : sequence of T bool
        Whether there is no graph: γ_I = 0.
    likelihoods : array of shape (T,)
        Logarithms.

    Examples
    --------
    >>> posterior_weights("aaab", "rrrs", [False, False, True, True], np.zeros(4))
    array([0.0875, 0.0875, 0.325 , 0.5   ])
    """
    home = np.array([frame == frames[0] for frame in frames])
    of = list(zip(frames, kernels, alone, strict=True))
    sizes = Counter(of)
    prior = np.array([(ALONE if key[2] else 1.0 - ALONE) / sizes[key] for key in of])
    if not home.all():
        prior[home] *= HOME / prior[home].sum()
        prior[~home] *= (1.0 - HOME) / prior[~home].sum()
    say = TEMPER * np.nan_to_num(likelihoods, nan=-np.inf, neginf=-1e300) + np.log(prior)
    say = np.exp(say - say.max())
    return say / say.sum()


def medoid(say: np.ndarray, answers: np.ndarray, n_classes: int, eligible=True, ranks=0) -> int:
    """The setting whose answers differ least from those of all, each as much as it counts.

    Parameters
    ----------
    say : array of shape (T,)
    answers : array of shape (T, m)
        Class codes, or real values where ``n_classes`` is 0.
    n_classes : int
    eligible : bool or array of shape (T,)
        Which can be taken; all have their say.
    ranks : number or array of shape (T,)
        Of several that answer the same and count alike, within half of the most, the one of
        highest rank is taken.

    Examples
    --------
    >>> answers = np.array([[0, 0, 1, 1], [0, 1, 1, 1], [0, 1, 1, 0], [0, 1, 0, 1]])
    >>> medoid(np.array([0.4, 0.2, 0.2, 0.2]), answers, 2)
    1
    """
    heard = np.flatnonzero(say >= SAY * say.max())
    T = len(say)
    may, rank = np.broadcast_to(eligible, T)[heard], np.broadcast_to(ranks, T)[heard]
    answers, say = answers[heard], say[heard] / say[heard].sum()
    if n_classes:
        votes = np.stack([say @ (answers == c) for c in range(n_classes)])
        apart = 1.0 - votes[answers, np.arange(answers.shape[1])].mean(axis=1)
    else:
        apart = ((answers - say @ answers) ** 2).mean(axis=1)
    apart = np.where(may | ~may.any(), np.round(apart, 12), np.inf)
    best = np.flatnonzero(apart == apart.min())
    best = best[say[best] >= 0.5 * say[best].max()]
    return int(heard[best[np.lexsort((-say[best], -rank[best]))[0]]])
