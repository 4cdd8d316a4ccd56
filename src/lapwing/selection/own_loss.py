"""Losses without a closed form: γ_A is chosen again by their own leave-one-out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..kernels import Precomputed
from ..losses import Loss
from ..operators import ZeroOperator
from ..problem import manifold_problem
from ..spaces import Exact, WithFreeFunctions
from .leave_one_out import REFITS, refitted

FINALISTS = 3
"""Values of γ_A compared, the chosen one among them."""

MOST = 600
"""Columns fitted again at most, over all finalists and left-out rows: some seconds."""

SLOW = 60
"""Of these for one finalist at most, where the whole fit had to go the slow way: as long."""

LIMITS = {"tol": 1e-6, "max_iter": 15}
"""Of each of these fits: far below what one label more or less changes."""


def affordable(l: int, columns: int) -> int:
    """How many finalists can be fitted again without each of l rows; fewer than two are none.

    Examples
    --------
    >>> affordable(50, 1), affordable(250, 1), affordable(301, 1), affordable(50, 10)
    (3, 2, 0, 0)
    """
    found = min(FINALISTS, MOST // (l * columns)) if l <= REFITS else 0
    return found if found > 1 else 0


def refitted_grid(
    loss: Loss, K: np.ndarray, fit_intercept: bool, Y, w, gammas: Sequence[float]
) -> list[np.ndarray] | None:
    """Held-out readouts, (l, t), of the loss over K/γ for each γ, by l warm-started fits.

    None where these would take too long.

    Parameters
    ----------
    loss : Loss
    K : array of shape (l, l)
        K̂ of the labeled rows, so that K̃ = K̂/γ.
    fit_intercept : bool
    Y : array of shape (l, t)
    w : array of shape (l, 1) or (l, t)
    gammas : sequence of float
    """
    built = loss.build(Y, w > 0)
    found = []
    for gamma in gammas:
        space = Exact(K, Precomputed(), None)
        whole = WithFreeFunctions(space) if fit_intercept else space
        small = manifold_problem(built, Y, w, whole, ZeroOperator(len(K)), gamma, 0.0)
        held = refitted(small, SLOW, **LIMITS)
        if held is None:
            return None
        found.append(held)
    return found
