"""A function for new rows: f on landmarks, learned from the answers at the training points."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from ..kernels import Kernel
from ..linalg.blocks import row_blocks, some_rows
from ..linalg.sparse import SparseState
from ..linalg.threads import for_each
from .known_rows import KnownRows
from .landmarks import LandmarkMap

RIDGE, OF_CLASSES = 1e-2, 0.1
"""γ of min_w ‖A − Z w‖² + γ‖w‖², A the answers, Z the features, for values and for classes. Answers
of classes are in part wrong. Values are not: there 0.1 smooths too much (decision 0085)."""

MOST_ROWS = 30_000
"""The most rows that f learns from, drawn at random: m coefficients need no more."""


HELD_ROWS = 300
"""Rows at which the leave-one-out value of f is computed: enough for one temperature."""


class OutOfSampleRule(SparseState):
    """Answers at training rows ↦ a function f for new rows, with the given kernel and landmarks."""

    def __init__(self, kernel: Kernel, X, landmarks):
        self.kernel = kernel
        self.X = X
        self.landmarks = landmarks
        self.keeps = False  # whether other answers at the same rows will follow
        self._kept: Learner | None = None
        self._known: KnownRows | None = None

    def __getstate__(self) -> dict:
        return {**super().__getstate__(), "_kept": None, "_known": None}

    def __call__(
        self, answers: np.ndarray, known: np.ndarray, classes: bool = False
    ) -> tuple[OutOfSample, np.ndarray]:
        """f, and its values at the training rows that have no answer.

        ``classes``: the answers tell classes, and are in part wrong.
        """
        check_answers(answers)
        rows, others = np.flatnonzero(known), np.flatnonzero(~known)
        ridge = OF_CLASSES if classes else RIDGE
        learner = self._kept
        if not (learner and learner.ridge == ridge and np.array_equal(learner.rows, rows)):
            phi = far_reaching(self.kernel, self.landmarks.chosen(self.kernel, self.X))
            learner = Learner(phi, self.X, rows, ridge)
        self._kept = learner if self.keeps else None
        view = learner(answers)
        self._known = view.known = self._known or KnownRows(self.X)
        values = np.empty((len(others), answers.shape[1]))
        for block in row_blocks(len(others), self.X.shape[1]):
            values[block] = view(self.X[others[block]])
        return view, values


class OutOfSample(SparseState):
    """f(x) = φ(x) w with w = (ZᵀZ + γ I)⁻¹ Zᵀ A, φ the landmarks' features, A the answers.

    Parameters
    ----------
    phi : LandmarkMap
    w : array of shape (m, t)

    Attributes
    ----------
    rank : int
        The number of landmarks that are not combinations of the others, to rounding.
    held_rows : integer array of shape (p,)
        Some of the training rows. The array ``held``, (p, t), has the leave-one-out values of f at
        these rows: f(x_i) − h_i (a_i − f(x_i))/(1 − h_i) with h_i = φ_iᵀ(ZᵀZ + γ I)⁻¹φ_i.
    known : KnownRows, optional
        The training rows.
    offset : array of shape (t,) or float
        What is added to f, the intercept of real targets: f falls to 0 far from the landmarks.
    """

    offset: np.ndarray | float = 0.0
    held: np.ndarray | None = None
    held_rows: np.ndarray | None = None
    known: KnownRows | None = None

    def __init__(self, phi, w: np.ndarray):
        self.kernel, self.landmarks, self.rank = phi.kernel, phi.landmarks, phi.rank
        self.coef = phi.sections(w)

    def __call__(self, X) -> np.ndarray:
        """f(x) = Σ_j c_j k(x, z_j) plus the offset, (n, t), in blocks on several threads."""
        out = np.empty((X.shape[0], self.coef.shape[1]))

        def block(rows: slice) -> None:
            out[rows] = self.kernel(X[rows], self.landmarks) @ self.coef + self.offset

        for_each(block, row_blocks(X.shape[0], 4 * self.rank))
        return out


class Learner:
    """Answers at some rows ↦ :class:`OutOfSample`: the features Z of these rows, and one factor.

    All computations are in float64: in float32 ZᵀZ would not be positive definite. New answers at
    the same rows cost one product each.

    Parameters
    ----------
    phi : LandmarkMap
        For values on a graph with a new width of the kernel (:func:`far_reaching`).
    X : array or CSR matrix of shape (n, d)
    rows : integer array of shape (p,)
        The rows of X that have an answer.
    ridge : float
        γ.
    """

    def __init__(self, phi: LandmarkMap, X, rows: np.ndarray, ridge: float = RIDGE):
        self.rows, self.phi, self.ridge = rows, phi, ridge
        self.some = some_rows(len(rows), MOST_ROWS)
        self.Z = self.phi.at(X[rows[self.some]])
        self.factor = ridge_factor(scipy.linalg.blas.dsyrk(1.0, self.Z.T), ridge)

    def __call__(self, answers: np.ndarray) -> OutOfSample:
        """f, with its leave-one-out values at some rows."""
        answers, rows = answers[self.some], self.rows[self.some]
        w = scipy.linalg.cho_solve(self.factor, self.Z.T @ answers, check_finite=False)
        view, few = OutOfSample(self.phi, w), some_rows(len(rows), HELD_ROWS)
        Z, own = self.Z[few], answers[few]
        h = (Z * scipy.linalg.cho_solve(self.factor, Z.T, check_finite=False).T).sum(axis=1)
        # where k(x, x) = 1, a row that alone determines f there has 1 − h = γ/(1 + γ)
        share = (h / np.maximum(1.0 - h, 0.1 * self.ridge))[:, None]
        view.held, view.held_rows = Z @ w - share * (own - Z @ w), rows[few]
        return view


def far_reaching(kernel: Kernel, landmarks) -> LandmarkMap:
    """φ of the landmarks, with the width that the kernel's rule finds among the landmarks.

    RBF("local") is as wide as the edges of a graph over all rows. Landmarks are fewer and lie
    farther apart. With so narrow a kernel, f would fall to 0 between them.
    """
    return LandmarkMap(kernel.resized(landmarks), landmarks)


def check_answers(answers: np.ndarray) -> None:
    """Raise ValueError where an answer is not finite."""
    if not np.isfinite(answers).all():
        raise ValueError(
            "The graph's answers are not finite: the penalty leaves the range of float "
            "arithmetic. Lower gamma_I, raise gamma_A, or scale the columns of X."
        )


def ridge_factor(gram: np.ndarray, ridge: float):
    """The Cholesky factor of G + γ I, from the upper triangle of G.

    γ is the ridge, or the rounding of G where that is larger.
    """
    rounding = 10.0 * len(gram) * np.finfo(float).eps * float(gram.diagonal().max(initial=0.0))
    gram.flat[:: len(gram) + 1] += max(ridge, rounding)
    return scipy.linalg.cho_factor(gram, lower=False, check_finite=False)
