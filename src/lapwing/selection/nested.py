"""Leave-one-out after a search: the settings for a left-out label are weighted without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..linalg.labeled import Labeled, blocks, solve_blocks
from .leave_one_out import Piece
from .losses import finite, tell
from .posterior import posterior_weights


class System(NamedTuple):
    """γ_A K̃ of one part at the labels. It gives readouts without any of the labels.

    Attributes
    ----------
    first : int
        The position of its first setting among all settings.
    pieces : sequence of Piece
        The systems of γ_A K̃. There are none if it overflows.
    gammas : sequence of float
        The γ of its settings. K̃ is divided by γ.
    gram : array of shape (l, l), optional
        γ_A K̃ itself, for other losses.
    """

    first: int
    pieces: Sequence[Piece]
    gammas: Sequence[float]
    gram: np.ndarray = np.empty((0, 0))


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
    sample, heard = comparison.sample, comparison.heard
    judge, codes = sample.judge, sample.codes[sample.rows]
    which, unreached = _leaving(judge.groups), comparison.unreached
    gone = which == np.arange(which.max() + 1)[:, None]
    asked = np.array([judge.telling & tell(codes, judge.groups, ~rows) for rows in gone])
    totals = np.full((len(heard), len(asked)), np.inf)
    for one in comparison.systems:
        for s, gamma in enumerate(one.gammas, one.first):
            if heard[s] and one.pieces:
                own = readouts_without(one.pieces, sample.Y, gamma, which, judge.groups)
                # the left-out rows only set the temperature
                own = np.where(gone[:, :, None], comparison.held[s], own)
                totals[s] = judge.total(finite(judge.of(own), asked), unreached[s], asked)
    sizes, prior = judge.size(asked), comparison.prior
    pairs = zip(np.where(sizes > 0, totals, 0.0).T, sizes, strict=True)  # none: the prior
    found = np.array([posterior_weights(prior, total, size) for total, size in pairs])
    return found[which[judge.telling]].T


def optimism(comparison, chosen: int) -> np.ndarray:
    """The increase of each left-out label's price if the label had no part in the choice, (l,).

    It is the expected price of settings drawn by :func:`nested_weights` minus the price of the
    chosen setting (:attr:`.Judge.price`). It is NaN for labels that are not informative.
    """
    judge = comparison.sample.judge
    found = np.full(len(judge.telling), np.nan)
    if judge.telling.any():
        prices = finite(judge.price(np.array(comparison.held)))[:, judge.telling]
        found[judge.telling] = (nested_weights(comparison) * prices).sum(axis=0) - prices[chosen]
    return found


def readouts_without(
    parts: Sequence[Piece], Y: np.ndarray, gamma: float, which: np.ndarray, groups: np.ndarray
) -> np.ndarray:
    """Readouts at each row of fits of K̃/γ without its group and without a set, (sets, l, t).

    ``which``, (l,), is the set of each row. Readouts at rows of the set itself have no meaning.
    """
    out, own_share = np.zeros((which.max() + 1, *Y.shape)), 1.0 / len(np.unique(groups))
    for part in parts:
        rows = part.rows[:, 0]
        own = which[rows]
        order, counts = np.argsort(own, kind="stable"), np.bincount(own, minlength=len(out))
        for size in np.unique(counts):  # 0 if no row of a set is observed here
            sets, found = counts == size, np.zeros((np.sum(counts == size), *Y.shape))
            at = order[sets[own[order]]].reshape(len(found), size)
            left = max(
                1.0 - np.isin(which, np.flatnonzero(sets)).mean() / len(found) - own_share, 0.0
            )
            part.put(held_without(part.system, part.seen(Y), gamma, at, groups[rows], left), found)
            out[sets] += found
    return out


def held_without(
    system: Labeled, Y, gamma: float, gone: np.ndarray, groups: np.ndarray, left: float
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
    left : float
        The weight of the rows that stay.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.nan_to_num(system.Z / (system.values / gamma + left), posinf=0.0, neginf=0.0)
    G, beta = scaled @ system.Z.T, scaled @ (system.Z.T @ Y)
    if not (np.isfinite(G).all() and np.isfinite(beta).all()):
        return np.full((len(gone), *Y.shape), np.nan)  # γ beyond the range of floats: no answer
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
