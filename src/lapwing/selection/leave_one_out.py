"""Leave-one-out: the prediction of each labeled row by a fit without its label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..kernels import Precomputed
from ..linalg.labeled import Labeled, blocks
from ..linalg.memory import require_bytes
from ..linalg.threads import threads_for
from ..losses import Loss
from ..operators import ZeroOperator
from ..problem import Problem, left_out, manifold_problem, reduce
from ..solvers import choose_solver
from ..spaces import Exact, LabeledKernel, WithFreeFunctions

Groups = Sequence[int] | np.ndarray
"""The group of each labeled row; rows of a group are left out together. Empty: no groups."""

REFITS = 300
"""The most labeled rows for which a loss without a closed form is fitted again without each row. If
the loss reads all outputs together, rows times outputs count (60 rows, 60 classes: minutes)."""


def held_out(objective: Problem, groups: Groups = ()) -> np.ndarray | None:
    """The prediction (Rf)(x_i) of the fit without the label of row i, for each labeled row, (l, t).

    The row stays as an unlabeled row. The kernel K̃ (which contains both penalties) therefore does
    not change. The loss is averaged over the other labels. With several outputs the whole row loses
    its labels. Entries without a label are NaN. The squared loss has a closed form. Other losses
    need l warm-started fits over K̃. The result is None for them with more than 300 rows. If the
    loss reads all outputs of a row together, 300 pairs of row and output are the limit.

    Parameters
    ----------
    objective : Problem
    groups : integer array of shape (l,), optional
        Rows of one group lose their labels together. Empty: each row alone.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LapRLSRegressor
    >>> X = np.linspace(0, 6, 30)[:, None]
    >>> y = np.where(np.arange(30) % 3 == 0, np.sin(X[:, 0]), np.nan)
    >>> model = LapRLSRegressor(kernel="rbf", gamma_A=1e-3, gamma_I=1e-3).fit(X, y)
    >>> held_out(model.objective_).shape
    (10, 1)
    """
    if objective.loss.quadratic:
        bend = 0.5 * objective.loss.curvature(objective.y, objective.y)
        kernel = objective.deformation.gram(objective.rows)
        w = objective.w * bend[:, : objective.w.shape[1]]
        return held_out_grid(pieces(kernel, objective.y, w), objective.y, w, [1.0], groups)[0]
    size = objective.y.size if objective.loss.couples else len(objective.rows)
    return refitted(objective, groups) if size <= REFITS else None


class Piece(NamedTuple):
    """One l × l system that answers some entries of the targets, without relation to the others.

    Attributes
    ----------
    system : Labeled
        The system of P equations.
    rows, columns : integer arrays of shape (P, 1), and (1, c) or (P, 1)
        Y[rows, columns], (P, c), are its targets.
    V : array of shape (c, d)
        The system sees Y[rows, columns] V, and Vᵀ brings its answers back.
    """

    system: Labeled
    rows: np.ndarray
    columns: np.ndarray
    V: np.ndarray

    def seen(self, Y: np.ndarray) -> np.ndarray:
        """The targets of the system, (P, d)."""
        return Y[self.rows, self.columns] @ self.V

    def put(self, found: np.ndarray, out: np.ndarray) -> None:
        """Add answers of the system, (..., P, d), to those of all entries, (..., l, t)."""
        out[..., self.rows, self.columns] += found @ self.V.T


def pieces(kernel: LabeledKernel, Y: np.ndarray, w: np.ndarray) -> list[Piece]:
    """The systems of K̃: one per direction between outputs, or per pattern of observed entries.

    If neither exists, because outputs are coupled, it is one system over all observed entries.
    """
    along = kernel.directions(Y.shape[1])
    if w.shape[1] == 1 and along is not None:
        every = np.arange(len(Y))[:, None], np.arange(Y.shape[1])[None]
        return [Piece(Labeled(K, w[:, 0], E), *every, V) for K, V, E in along]
    if kernel.shared is not None:
        return shared_pieces(kernel.shared, kernel.free, w, Y.shape[1])
    W = np.broadcast_to(w, Y.shape)
    i, output = np.nonzero(W)
    require_bytes(
        4 * 8 * len(i) ** 2,
        f"Leave-one-out over {len(i)} observed (row, output) pairs",
        "Label fewer rows, or use an output kernel that decouples.",
    )
    E = kernel.free_pairs(i, output, Y.shape[1])
    system = Labeled(kernel.pairs(i, output), W[i, output], E)
    return [Piece(system, i[:, None], output[:, None], np.eye(1))]


def shared_pieces(K, E, w: np.ndarray, t: int) -> list[Piece]:
    """The systems of a kernel, (l, l), that all t outputs share; none if the kernel overflows.

    Each pattern of observed entries needs one eigendecomposition.

    Parameters
    ----------
    K : array of shape (l, l)
    E : array of shape (l, e), or None
        Functions without a penalty.
    w : array of shape (l, 1) or (l, t)
        Weights that sum to one over the rows. They are 0 where an entry was not observed.
    t : int
    """
    W, found = np.broadcast_to(w, (len(w), t)), []
    seen, which = np.unique(W > 0, axis=1, return_inverse=True)
    for i, here in enumerate(seen.T if np.isfinite(K).all() else []):
        at, columns = np.flatnonzero(here), np.flatnonzero(np.ravel(which) == i)
        if len(at):
            system = Labeled(K[np.ix_(at, at)], W[at, columns[0]], None if E is None else E[at])
            found.append(Piece(system, at[:, None], columns[None], np.eye(len(columns))))
    return found


def held_out_grid(
    parts: Sequence[Piece], Y, w, gammas: Sequence[float], groups: Groups = ()
) -> np.ndarray:
    """y_i − β_i/(C_i⁻¹)_ii with C_i = [K̃/γ + (1 − w_i)W⁻¹, E; Eᵀ, 0], (g, l, t), for each γ.

    W is the diagonal matrix of the weights w, which sum to 1 over the rows. The columns of E are
    functions without a penalty, such as the intercept, and b are their coefficients. With β =
    (w/Σw)(y − f − Eb) the system matrix is C = K̃ + ΣwW⁻¹. Without row i the sum is Σw − w_i. The
    equation of row i then gives the error at its label.

    Parameters
    ----------
    parts : sequence of Piece
        The systems of K̃, which contains γ_A and γ_I (:func:`pieces`). If there are none, the result
        is NaN.
    Y : array of shape (l, t)
    w : array of shape (l, 1) or (l, t)
        w_i/Σw. It is 0 where an entry was not observed; the result is NaN there.
    gammas : sequence of float
        All γ use the same eigendecompositions.
    groups : integer array of shape (l,), optional
        Rows of one group are left out together. Empty: each row alone.
    """
    left, group = _left(w, groups), np.asarray(groups) if len(groups) else np.arange(len(Y))
    out = np.zeros((len(gammas), *Y.shape))
    for part in parts:
        at = part.rows[:, 0]
        part.put(part.system.leave_one_out_grid(part.seen(Y), gammas, left[at], group[at]), out)
    out[:, ~np.broadcast_to(w > 0 if parts else w < 0, Y.shape)] = np.nan
    return out


def _left(w: np.ndarray, groups: Groups) -> np.ndarray:
    """The total weight of the rows outside the group of each row, (l,). NaN if there are none."""
    own = w.max(axis=1)
    left = 1.0 - (np.bincount(groups, own)[groups] if len(groups) else own)
    return np.where((left > 1e-12) | (len(w) == 1), left, np.nan)


def readouts(
    parts: Sequence[Piece], Y: np.ndarray, gammas: Sequence[float], beside: np.ndarray
) -> np.ndarray:
    """Readouts of the whole fit of K̃/γ at m other rows for each γ, (g, m, t).

    Parameters
    ----------
    parts : sequence of Piece
        Of a shared kernel. A function without a penalty must be the constant.
    Y : array of shape (l, t)
    gammas : sequence of float
    beside : array of shape (m, l)
        The kernel between the other rows and the labeled rows.
    """
    said = np.zeros((len(gammas), len(beside), Y.shape[1]))
    for system, at, columns, _ in parts:
        target = Y[at, columns]
        for g, (gamma, beta) in enumerate(zip(gammas, system.duals(target, gammas), strict=True)):
            offset = system.offsets(target, beta, gamma).sum(axis=0)
            said[g][:, columns[0]] = beside[:, at[:, 0]] @ beta / gamma + offset
    return said


def refitted(
    objective: Problem, groups: Groups = (), slow: float = np.inf, **limits
) -> np.ndarray | None:
    """Held-out readouts of any loss, (l, t): one warm-started fit over K̃ per row or group.

    ``limits`` are ``tol`` and ``max_iter`` of the solver. The result is None if more than ``slow``
    columns would need the slow solver. The fit with all labels shows which solver is needed.
    """
    reduced = reduce(objective)
    small = reduced.problem
    solver = choose_solver("auto", small, **limits)
    whole = solver.solve(small)
    if len(whole.slow) * len(objective.rows) > slow:
        return None
    with threads_for(small.n_rows):
        sets = in_turn(groups, len(objective.rows))
        out = left_out(reduced, objective, sets, solver, whole)
    return np.where(objective.w > 0, out, np.nan)


def in_turn(groups: Groups, l: int) -> list[np.ndarray]:
    """The sets of labeled rows that lose their labels together. Empty if one set has all l rows.

    Examples
    --------
    >>> [gone.tolist() for gone in in_turn(np.array([0, 1, 0]), 3)]
    [[1], [0, 2]]
    """
    found = blocks(np.asarray(groups) if len(groups) else np.arange(l))
    return [gone for at in found for gone in at if len(gone) < l or l == 1]


def affordable(l: int, columns: int) -> int:
    """How many values of γ_A, at most 3, can be fitted again without each of l rows. 1 becomes 0.

    The limit is 600 fitted columns over all γ_A and left-out rows. They take a few seconds.

    Examples
    --------
    >>> affordable(50, 1), affordable(250, 1), affordable(301, 1), affordable(50, 10)
    (3, 2, 0, 0)
    """
    found = min(3, 600 // (l * columns)) if l <= REFITS else 0
    return found if found > 1 else 0


def refitted_grid(
    loss: Loss,
    K: np.ndarray,
    fit_intercept: bool,
    Y,
    w,
    gammas: Sequence[float],
    groups: Groups = (),
) -> list[np.ndarray]:
    """Held-out readouts, (l, t), of the loss over K/γ for each γ, by l warm-started fits.

    The result is empty if these fits would take too long. The tolerance of the fits is far below
    the effect of one label.

    Parameters
    ----------
    loss : Loss
    K : array of shape (l, l)
        K̂ of the labeled rows, so that K̃ = K̂/γ.
    fit_intercept : bool
    Y : array of shape (l, t)
    w : array of shape (l, 1) or (l, t)
    gammas : sequence of float
    groups : integer array of shape (l,), optional
    """
    built, space = loss.build(Y, w > 0), Exact(K, Precomputed(), None)
    whole = WithFreeFunctions(space) if fit_intercept else space
    posed = (manifold_problem(built, Y, w, whole, ZeroOperator(len(K)), g, 0.0) for g in gammas)
    found: list[Any] = [refitted(one, groups, slow=60, tol=1e-6, max_iter=15) for one in posed]
    return [] if any(held is None for held in found) else found


def log_evidence(kernel: LabeledKernel, Y: np.ndarray, w: np.ndarray) -> float:
    """log p(y) under the Gaussian process of K̃, summed over the outputs.

    The model is f ~ GP(0, τ²K̃) with noise of variance τ²/w_i. One τ² is used for all outputs, the
    most likely one. Functions without a penalty are integrated out. The posterior mean is the
    minimizer of the squared loss.

    Parameters
    ----------
    kernel : LabeledKernel
    Y : array of shape (l, t)
    w : array of shape (l, 1) or (l, t)

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LapRLSRegressor
    >>> X = np.linspace(0, 6, 30)[:, None]
    >>> fits = [LapRLSRegressor(kernel="rbf", gamma_A=g, gamma_I=0.0).fit(X, np.sin(X[:, 0]))
    ...         for g in (1e-4, 10.0)]
    >>> good, poor = (f.objective_ for f in fits)
    >>> score = [log_evidence(o.deformation.gram(o.rows), o.y, o.w) for o in (good, poor)]
    >>> score[0] > score[1]
    True
    """
    parts = [(part.system, part.seen(Y)) for part in pieces(kernel, Y, w)]
    size = sum(len(s.values) * Z.shape[1] for s, Z in parts)
    tau2 = sum(len(s.values) * s.noise(Z).sum() for s, Z in parts) / size
    return float(sum(s.log_evidence(Z, noise=np.full(Z.shape[1], tau2)).sum() for s, Z in parts))
