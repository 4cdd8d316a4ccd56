"""Leave-one-out after a search: the settings for a left-out label are weighted without it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ..linalg.labeled import Labeled, blocks, solve_blocks
from .losses import tell
from .posterior import HEARD, posterior_weights


class System(NamedTuple):
    """γ_A K̃ of one part at the labels. It gives readouts without any of the labels.

    Attributes
    ----------
    first : int
        The position of its first setting among all settings.
    gram : array of shape (l, l)
    free : array of shape (l, g), optional
        Functions without a penalty.
    gammas : sequence of float
        The γ of its settings. K̃ = gram/γ.
    """

    first: int
    gram: np.ndarray
    free: np.ndarray | None
    gammas: Sequence[float]


def nested_weights(comparison) -> np.ndarray:
    """The posterior weights of T settings without each informative label, (T, l).

    The weights in column i do not use label i. The losses of the other labels come from fits
    without the group of i *and* without their own group. With G = [K̃ + sW⁻¹, E; Eᵀ, 0]⁻¹ and
    left-out rows B,

        G' = G − G_B G_BB⁻¹ G_Bᵀ,   β' = β − G_B G_BB⁻¹ β_B,   y_j − f_j = G'_jj⁻¹β'_j,

    where j is a label or its group. This costs l² per label. A fit costs l³. Settings with less
    than 1e-4 of the largest weight get the weight 0.

    Parameters
    ----------
    comparison : Comparison
    """
    sample, weights = comparison.sample, comparison.weights
    judge, codes = sample.judge, sample.codes[sample.rows]
    which, unreached = _leaving(judge.groups), comparison.unreached
    sets = range(which.max() + 1)
    asked = np.array([judge.telling & tell(codes, judge.groups, which != g) for g in sets])
    totals = np.full((len(weights), len(asked)), np.inf)
    heard = weights >= HEARD * weights.max()
    for one in comparison.systems:
        at = [(one.first + g, gamma) for g, gamma in enumerate(one.gammas) if heard[one.first + g]]
        closed = bool(at) and sample.w.shape[1] == 1 and np.isfinite(one.gram).all()
        # otherwise single entries are missing, or K̃ overflows
        systems = [Labeled(one.gram, sample.w[:, 0], one.free)] if closed else []
        for s, gamma in at:
            own = np.array([comparison.held[s]] * len(asked))
            for system, g in product(systems, blocks(which)):
                held, here = held_without(system, sample.Y, gamma, g, judge.groups), which[g[:, 0]]
                gone = which == here[:, None]  # these only set the temperature
                own[here] = np.where(gone[:, :, None], own[here], held)
            losses = judge.of(own)
            worst = np.max(losses, initial=1.0, where=asked & np.isfinite(losses))
            losses = np.where(np.isfinite(losses), losses, worst)
            totals[s] = judge.total(losses, unreached[s], asked)
    sizes, prior = judge.size(asked), comparison.prior
    pairs = zip(np.where(sizes > 0, totals, 0.0).T, sizes, strict=True)  # none: the prior
    found = np.array([posterior_weights(prior, total, size) for total, size in pairs])
    return found[which[judge.telling]].T


def optimism(comparison, chosen: int) -> np.ndarray:
    """The increase of each left-out label's loss if the label had no part in the choice, (l,).

    It is the expected loss of settings drawn by :func:`nested_weights` minus the loss of the chosen
    setting. The loss is 1 for a wrong class, and the squared error over the variance for real
    targets. It is NaN for labels that are not informative. It is empty if settings cannot be
    weighted without a label.
    """
    sample, telling = comparison.sample, comparison.sample.judge.telling
    if sum(len(system.gammas) for system in comparison.systems) < len(comparison.part):
        return np.empty(0)
    found = np.full(len(telling), np.nan)
    if not telling.any():
        return found
    if sample.n_classes:
        held = np.array(comparison.held)[:, telling]
        prices = (sample.answers(held) != sample.codes[sample.rows][telling]).astype(float)
    else:
        prices = comparison.losses[:, telling]
    found[telling] = (nested_weights(comparison) * prices).sum(axis=0) - prices[chosen]
    return found


def held_without(
    system: Labeled, Y: np.ndarray, gamma: float, gone: np.ndarray, groups: np.ndarray
) -> np.ndarray:
    """Readouts at each row of fits of K̃/γ without its group and without other rows, (g, l, t).

    Parameters
    ----------
    system : Labeled
        The system of rows of about equal weight.
    Y : array of shape (l, t)
    gamma : float
    gone : integer array of shape (g, b)
        The other rows. Their own readouts have no meaning.
    groups : integer array of shape (l,)
        Groups of about equal size.
    """
    left = 1.0 - gone.shape[1] / len(Y) - 1.0 / len(np.unique(groups))
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.nan_to_num(
            system.Z / (system.values / gamma + max(left, 0.0)), posinf=0.0, neginf=0.0
        )
    G, beta = scaled @ system.Z.T, scaled @ (system.Z.T @ Y)
    beside = G[gone].transpose(0, 2, 1)
    inner = np.linalg.pinv(G[gone[:, :, None], gone[:, None, :]], hermitian=True)
    along = beside @ inner
    beta = beta - along @ beta[gone]
    out = np.empty_like(beta)
    for at in blocks(groups):
        own = G[at[:, :, None], at[:, None, :]] - along[:, at] @ beside[:, at].swapaxes(2, 3)
        out[:, at] = Y[at] - solve_blocks(own, beta[:, at], 0.0)[0]
    return out


def _leaving(groups: np.ndarray, most: int = 50) -> np.ndarray:
    """The set of each label, (l,). A set is one group, or several if there are over 50 groups."""
    _, code = np.unique(groups, return_inverse=True)
    m = code.max() + 1
    return np.random.default_rng(0).permutation(m)[code] // -(-m // most)
