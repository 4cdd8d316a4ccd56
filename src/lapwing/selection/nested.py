"""Leave-one-out after a search: each left-out label is answered by settings weighted without it."""

from __future__ import annotations

import numpy as np

from ..linalg.labeled import Labeled
from .criterion import row_losses
from .posterior import HEARD, posterior_weights

GROUPS = 50
"""Groups of labels that leave the weights together: each label alone, up to so many of them."""


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
    problem, weights = comparison.problem, comparison.weights
    rows = np.flatnonzero(comparison.telling)
    codes = problem.codes[problem.rows]
    groups = _groups(len(rows))
    asked = np.array([_still_telling(codes, rows, rows[g], problem.n_classes) for g in groups])
    totals = np.full((len(weights), len(groups)), np.inf)
    heard = weights >= HEARD * weights.max()
    for gram, intercept, first, gammas in comparison.systems:
        at = [g for g in range(len(gammas)) if heard[first + g]]
        if not at:
            continue
        E = np.ones((len(gram), 1)) if intercept else None
        closed = problem.w.shape[1] == 1 and np.isfinite(gram).all()
        system = Labeled(gram, problem.w[:, 0], E) if closed else None
        for s, gamma in ((first + g, gammas[g]) for g in at):
            own = np.broadcast_to(comparison.held[s], (len(groups), *problem.Y.shape))
            if system is not None:  # else entries are missing one by one, or K̃ overflows
                gone = np.arange(len(groups))[:, None], rows[groups]
                held = held_without(system, problem.Y, gamma, rows[groups])
                held[gone] = own[gone]  # they only tell the temperature
                own = held
            losses = row_losses(own, problem.Y, codes, problem.n_classes)
            totals[s] = comparison.totals_at(losses, asked, s)
    found, prior = np.zeros((len(weights), len(rows))), comparison.prior
    for g, total, kept in zip(groups, totals.T, asked, strict=True):
        found[:, g] = posterior_weights(prior, total, int(kept.sum()))[:, None]
    return found


def optimism(comparison, chosen: int) -> np.ndarray:
    """How much more each left-out label costs where it had no part in the choice, (l,).

    The expected price of settings drawn by :func:`nested_weights`, less the price of the chosen
    one: 1 for a wrong class, the squared error over the variance for real targets. NaN where a
    label tells nothing.
    """
    problem, telling = comparison.problem, comparison.telling
    found = np.full(len(telling), np.nan)
    if not telling.any():
        return found
    held = np.array(comparison.held)[:, telling]
    if problem.n_classes:
        prices = (problem.answers(held) != problem.codes[problem.rows][telling]).astype(float)
    else:
        prices = comparison.losses
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
    scaled = system.Z / (system.values / gamma + max(left, 0.0))
    G, beta = scaled @ system.Z.T, scaled @ (system.Z.T @ Y)
    beside = G[groups].transpose(0, 2, 1)
    inner = np.linalg.pinv(G[groups[:, :, None], groups[:, None, :]], hermitian=True)
    along = beside @ inner
    own = np.diagonal(G) - (along * beside).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Y - (beta - along @ beta[groups]) / own[:, :, None]


def _groups(l: int) -> np.ndarray:
    """Positions among l labels, at most 50 groups of equal size, (g, b); some twice."""
    size = -(-l // GROUPS)
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
