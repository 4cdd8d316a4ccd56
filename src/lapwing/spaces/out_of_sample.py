"""f on landmarks, learned from answers at all points: statistics streamed over blocks of rows."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from ..kernels import Kernel
from ..linalg.blocks import row_blocks, some_rows
from ..linalg.sparse import SparseState
from ..linalg.threads import for_each
from .known_rows import KnownRows

RIDGE = 1e-2
"""γ of min_w ‖A − Z w‖² + γ‖w‖²; answers are ±1 and rows many: more smooths them away."""

LEAST = 1e-3
"""Of 1 − h: a row that alone tells f's value there is left out to three digits."""

MOST_ROWS = 30_000
"""Rows that f learns from; of more, so many are drawn, since m coefficients need no more."""


HELD_ROWS = 300
"""Rows at which f is asked what it says without them: enough for one temperature."""


class OutOfSampleRule(SparseState):
    """answers ↦ the view that has learned them; its parameters are those of the view."""

    def __init__(self, kernel: Kernel, X, landmarks):
        self.kernel = kernel
        self.X = X
        self.landmarks = landmarks
        self.keeps = False  # whether other answers at the same rows will be asked for
        self._kept: Learner | None = None
        self._known: KnownRows | None = None

    def __getstate__(self) -> dict:
        return {**super().__getstate__(), "_kept": None, "_known": None}

    def __call__(self, answers: np.ndarray, known: np.ndarray) -> tuple[OutOfSample, np.ndarray]:
        """The view, and its values at the rows that have no answer."""
        check_answers(answers)
        rows, others = np.flatnonzero(known), np.flatnonzero(~known)
        view = self._learned(answers, rows)
        if self._known is None:
            self._known = KnownRows(self.X)
        view.known = self._known
        values = np.empty((len(others), answers.shape[1]))
        for block in row_blocks(len(others), self.X.shape[1]):
            values[block] = view(self.X[others[block]])
        return view, values

    def _learned(self, answers: np.ndarray, rows: np.ndarray) -> OutOfSample:
        if not self.keeps:
            return OutOfSample(self.kernel, self.X, self.landmarks, answers, rows)
        if self._kept is None or not np.array_equal(self._kept.rows, rows):
            self._kept = Learner(self.kernel, self.X, self.landmarks, rows)
        return self._kept(answers)


class OutOfSample(SparseState):
    """f(x) = φ(x) w with w = (ZᵀZ + γ I)⁻¹ Zᵀ A, φ the landmarks' features, A the answers.

    Z is never held: ZᵀZ and ZᵀA are sums over blocks of rows, in float64 (in float32 the sum is
    not positive definite any more), X may be memory-mapped.

    Parameters
    ----------
    kernel : Kernel
    X : array or CSR matrix of shape (n, d)
    landmarks : Landmarks
    answers : array of shape (p, t)
    rows : integer array of shape (p,), optional
        The rows of X that have an answer; None is all of them.

    Attributes
    ----------
    rank : int
        Landmarks that are not combinations of the others, to rounding.
    held_rows : integer array of shape (p,)
        Some of the rows; ``held``, (p, t), is what f says of each where it has not learned it,
        f(x_i) − h_i (a_i − f(x_i))/(1 − h_i) with h_i = φ_iᵀ(ZᵀZ + γ I)⁻¹φ_i.
    known : KnownRows, optional
        The training rows.
    """

    held: np.ndarray | None = None
    held_rows: np.ndarray | None = None
    known: KnownRows | None = None

    def __init__(self, kernel: Kernel, X, landmarks, answers: np.ndarray, rows=None):
        phi = landmarks.features(kernel, X)
        rows = np.arange(X.shape[0]) if rows is None else rows
        some = some_rows(len(rows), MOST_ROWS)
        answers, rows = answers[some], rows[some]
        gram, right = statistics(phi, X, answers, rows)
        factor = ridge_factor(gram)
        w = scipy.linalg.cho_solve(factor, right, check_finite=False)
        self._keep(phi, w)
        few = some_rows(len(rows), HELD_ROWS)
        self._leave_out(phi(X[rows[few]]), w, factor, answers[few], rows[few])

    def _keep(self, phi, w: np.ndarray) -> None:
        """All that is needed to predict: the landmarks and a coefficient for each."""
        self.kernel, self.landmarks, self.rank = phi.kernel, phi.landmarks, phi.rank
        self.coef = phi.sections(w)

    def _leave_out(self, Z, w, factor, answers: np.ndarray, rows: np.ndarray) -> None:
        """What f says of some rows without them, from their features."""
        h = (Z * scipy.linalg.cho_solve(factor, Z.T, check_finite=False).T).sum(axis=1)[:, None]
        f = Z @ w
        self.held = f - h / np.maximum(1.0 - h, LEAST) * (answers - f)
        self.held_rows = rows

    def __call__(self, X) -> np.ndarray:
        """f(x) = Σ_j c_j k(x, z_j) at the rows of X, (n, t), blocks of rows on several threads."""
        out = np.empty((X.shape[0], self.coef.shape[1]))

        def block(rows: slice) -> None:
            out[rows] = self.kernel(X[rows], self.landmarks) @ self.coef

        for_each(block, row_blocks(X.shape[0], 4 * self.rank))
        return out


class Learner:
    """The features of all rows that :class:`OutOfSample` learns from, and the factor of its system.

    Answers that change while the rows stay then cost one product each.
    """

    def __init__(self, kernel: Kernel, X, landmarks, rows: np.ndarray):
        self.rows = rows
        self.phi = landmarks.features(kernel, X)
        self.some = some_rows(len(rows), MOST_ROWS)
        at = rows[self.some]
        self.Z = np.empty((len(at), self.phi.rank), dtype=np.float32)
        gram = np.zeros((self.phi.rank,) * 2, order="F")
        for block in row_blocks(len(at), self.phi.rank):
            Z = self.phi(X[at[block]])
            gram = scipy.linalg.blas.dsyrk(1.0, Z.T, beta=1.0, c=gram, overwrite_c=True)
            self.Z[block] = Z
        self.factor = ridge_factor(gram)

    def __call__(self, answers: np.ndarray) -> OutOfSample:
        right = np.zeros((self.phi.rank, answers.shape[1]))
        asked = answers[self.some].astype(np.float32)
        for block in row_blocks(len(asked), self.phi.rank):
            right += self.Z[block].T @ asked[block]
        view = OutOfSample.__new__(OutOfSample)
        w = scipy.linalg.cho_solve(self.factor, right, check_finite=False)
        view._keep(self.phi, w)
        few = some_rows(len(asked), HELD_ROWS)
        rows, own = self.rows[self.some][few], answers[self.some][few]
        view._leave_out(self.Z[few].astype(np.float64), w, self.factor, own, rows)
        return view


def check_answers(answers: np.ndarray) -> None:
    """Refuse to learn what is not finite."""
    if not np.isfinite(answers).all():
        raise ValueError(
            "The graph's answers are not finite: the penalty leaves the range of float "
            "arithmetic. Lower gamma_I, raise gamma_A, or scale the columns of X."
        )


def statistics(phi, X, answers: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """ZᵀZ, (m, m), and ZᵀA, (m, t), over some rows of X, A the answers at these."""
    m = phi.rank
    gram, right = np.zeros((m, m), order="F"), np.zeros((m, answers.shape[1]))
    for block in row_blocks(len(rows), m):
        Z = phi(X[rows[block]])
        # the upper triangle is enough, and half the work
        gram = scipy.linalg.blas.dsyrk(1.0, Z.T, beta=1.0, c=gram, overwrite_c=True)
        right += Z.T @ answers[block]
    return gram, right


def ridge_solution(gram: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(G + γ I)⁻¹ R for G given by its upper triangle."""
    return scipy.linalg.cho_solve(ridge_factor(gram), right, check_finite=False)


def ridge_factor(gram: np.ndarray):
    """Cholesky's factor of G + γ I, G by its upper triangle; γ is no less than G's rounding."""
    rounding = 10.0 * len(gram) * np.finfo(float).eps * float(gram.diagonal().max(initial=0.0))
    gram.flat[:: len(gram) + 1] += max(RIDGE, rounding)
    return scipy.linalg.cho_factor(gram, lower=False, check_finite=False)
