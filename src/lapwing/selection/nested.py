"""Leave-one-out after a search: each left-out label is answered by settings weighted without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..linalg.labeled import Labeled
from .posterior import HEARD, posterior_weights


class System(NamedTuple):
    """γ_A K̃ of one part at the labels, which tells readouts without any of them.

    Attributes
    ----------
    first : int
        Where the first of its settings stands among all settings.
    gram : array of shape (l, l)
    free : array of shape (l, g), optional
        What nothing penalizes.
    gammas : sequence of float
        Its settings: K̃ = gram/γ.
    """

    first: int
    gram: np.ndarray
    free: np.ndarray | None
    gammas: Sequence[float]


def nested_weights(comparison) -> np.ndarray:
    """The posterior weights of T settings without each label that tells something, (T, l).

    Label i has no part in the weights at its column: the losses of the other labels are those of
    fits without i *and* themselves. With G = [K̃ + sW⁻¹, E; Eᵀ, 0]⁻¹ and a group B that leaves,

        G' = G − G_B G_BB⁻¹ G_Bᵀ,   β' = β − G_B G_BB⁻¹ β_B,   y_j − f_j = β'_j/G'_jj,

    which costs l² for a label, where a fit costs l³. Settings with less than 1e-4 of the largest
    weight stay without any.

    Parameters
    ----------
    comparison : Comparison
    """
    sample, weights = comparison.sample, comparison.weights
    judge, codes = sample.judge, sample.codes[sample.rows]
    rows, unreached = np.flatnonzero(judge.telling), comparison.unreached
    groups = _groups(len(rows))
    asked = np.array([_still_telling(codes, rows, rows[g], sample.n_classes) for g in groups])
    totals = np.full((len(weights), len(groups)), np.inf)
    heard = weights >= HEARD * weights.max()
    for one in comparison.systems:
        at = [(one.first + g, gamma) for g, gamma in enumerate(one.gammas) if heard[one.first + g]]
        closed = bool(at) and sample.w.shape[1] == 1 and np.isfinite(one.gram).all()
        system = Labeled(one.gram, sample.w[:, 0], one.free) if closed else None
        for s, gamma in at:
            own = np.broadcast_to(comparison.held[s], (len(groups), *sample.Y.shape))
            if system is not None:  # else entries are missing one by one, or K̃ overflows
                gone = np.arange(len(groups))[:, None], rows[groups]
                held = held_without(system, sample.Y, gamma, rows[groups])
                held[gone] = own[gone]  # they only tell the temperature
                own = held
            losses = judge.of(own)
            worst = np.max(losses, initial=1.0, where=asked & np.isfinite(losses))
            losses = np.where(np.isfinite(losses), losses, worst)
            totals[s] = judge.total(losses, unreached[s], asked)
    found, prior = np.zeros((len(weights), len(rows))), comparison.prior
    for g, total, kept in zip(groups, totals.T, asked, strict=True):
        found[:, g] = posterior_weights(prior, total, int(kept.sum()))[:, None]
    return found


def optimism(comparison, chosen: int) -> np.ndarray:
    """How much more each left-out label costs where it had no part in the choice, (l,).

    The expected price of settings drawn by :func:`nested_weights`, less the price of the chosen
    one: 1 for a wrong class, the squared error over the variance for real targets. NaN where a
    label tells nothing, empty where settings cannot be weighted without one.
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


def held_without(system: Labeled, Y: np.ndarray, gamma: float, groups: np.ndarray) -> np.ndarray:
    """Readouts at each row of fits of K̃/γ without it and without a group of rows, (g, l, t).

    Parameters
    ----------
    system : Labeled
        Of rows of about equal weight.
    Y : array of shape (l, t)
    gamma : float
    groups : integer array of shape (g, b)
        Rows; one may be named twice. Their own readouts mean nothing.
    """
    left = 1.0 - (groups.shape[1] + 1) / len(Y)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.nan_to_num(
            system.Z / (system.values / gamma + max(left, 0.0)), posinf=0.0, neginf=0.0
        )
    G, beta = scaled @ system.Z.T, scaled @ (system.Z.T @ Y)
    beside = G[groups].transpose(0, 2, 1)
    inner = np.linalg.pinv(G[groups[:, :, None], groups[:, None, :]], hermitian=True)
    along = beside @ inner
    own = np.diagonal(G) - (along * beside).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Y - (beta - along @ beta[groups]) / own[:, :, None]


def _groups(l: int, most: int = 50) -> np.ndarray:
    """Positions among l labels, each alone or in at most 50 equal groups, (g, b); some twice."""
    size = -(-l // most)
    order = np.random.default_rng(0).permutation(l)
    return np.resize(order, (-(-l // size), size))


def _still_telling(codes, rows, gone, n_classes: int) -> np.ndarray:
    """Which labels still say something once a group has left, (l,)."""
    rest = np.zeros(len(codes), dtype=bool)
    rest[rows] = True
    rest[gone] = False
    if not n_classes:
        return rest
    left = np.bincount(codes, minlength=n_classes)
    left = left - np.bincount(codes[np.unique(gone)], minlength=n_classes)
    return rest & (left[codes] > 1)
