"""The dual by libsvm: one margin or a tube, and at most one constant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._scikit_learn import libsvm
from .dual_problem import DualProblem


@dataclass(frozen=True)
class Standard:
    """A model that libsvm can solve: classes at margin 1, or a tube around real targets.

    Attributes
    ----------
    y : array of shape (l,)
        ±1, or the middle of each tube.
    C : array of shape (l,)
        Bounds on |β|.
    margin : float
        The margin m of the classes. Their f is m times a function at margin 1.
    width : float, optional
        Half the width of the tubes. None for classes.
    """

    y: np.ndarray
    C: np.ndarray
    margin: float = 1.0
    width: float | None = None

    @classmethod
    def of(cls, problem: DualProblem) -> Standard | None:
        """The model of the loss's hinges; None for other hinges, or where K̃ is not positive."""
        size = float(np.mean(np.diagonal(problem.K)))
        if problem.E.shape[1] > 1 or not 0 < size < np.inf:
            return None
        pieces = np.bincount(problem.point, minlength=len(problem.y))
        if (pieces == 1).all():
            return cls._classes(problem)
        return cls._tubes(problem) if (pieces == 2).all() else None

    @classmethod
    def _classes(cls, problem: DualProblem) -> Standard | None:
        order = np.argsort(problem.point)
        S, turn = problem.S[order], problem.turn[order]
        sign = np.sign(S)
        margin = float(turn[0] * sign[0])
        alike = margin != 0 and np.array_equal(turn, margin * sign)
        return cls(sign, np.abs(S), margin) if alike else None

    @classmethod
    def _tubes(cls, problem: DualProblem) -> Standard | None:
        order = np.lexsort((problem.S, problem.point))  # first f above the target, then below
        S, turn = (part[order].reshape(-1, 2) for part in (problem.S, problem.turn))
        if not ((S[:, 0] < 0) & (S[:, 1] > 0)).all():
            return None
        width = 0.5 * (turn[:, 0] - turn[:, 1])
        even = np.ptp(width) <= 1e-12 * max(1.0, float(np.abs(turn).max()))
        if not even or not np.array_equal(-S[:, 0], S[:, 1]):
            return None
        return cls(turn.mean(axis=1), S[:, 1], width=float(max(width.mean(), 0.0)))

    def solve(self, problem: DualProblem, max_iter: int) -> tuple[np.ndarray, np.ndarray, int]:
        """β, b and the number of iterations, which is at most ``max_iter``: libsvm cannot resume.

        libsvm always fits an intercept b. Without one, every (φ(x), y) gets a mirrored point
        (−φ(x), −y). The mirrored problem is the same under b → −b. It is therefore solved at b = 0,
        and its minimizer is that of the problem without b.
        """
        K, y, C, l = problem.K, self.y, self.C / self.margin, len(self.y)
        if problem.E.shape[1]:
            if self.width is None and (y == y[0]).all():
                return np.zeros(l), self.margin * y[:1], 1
            beta, b, n_iter = self._fit(K, y, C, max_iter)
            return self.margin * beta, np.array([self.margin * b]), n_iter
        mirrored, both = np.block([[K, -K], [-K, K]]), np.concatenate([C, C]) / 2
        beta, _, n_iter = self._fit(mirrored, np.concatenate([y, -y]), both, max_iter)
        return self.margin * (beta[:l] - beta[l:]), np.zeros(0), n_iter

    def _fit(self, K, y, C, max_iter: int) -> tuple[np.ndarray, float, int]:
        # libsvm stores K in float32; entries near 1 neither overflow nor vanish there
        size = float(np.mean(np.diag(K))) or 1.0
        # C multiplies the bound of every sample; a reference C keeps the numbers near 1
        reference = float(C.max())
        beta, b, n_iter = libsvm(
            np.ascontiguousarray(K / size),
            y,
            C=reference * size,
            weights=C / reference,
            width=self.width,
            tol=1e-7,  # on libsvm's own optimality conditions, with K in float32
            max_iter=max_iter,
        )
        return beta / size, b, n_iter
