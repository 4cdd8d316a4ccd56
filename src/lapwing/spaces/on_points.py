"""Values on the points alone: what a graph needs, and all that a million points allow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.base import BaseEstimator

from ..kernels import Kernel
from ..linalg.columns_cg import solve_columns
from ..linalg.form import Form
from ..operators import Operator
from .ambient_view import AmbientRule
from .base import Element, Space
from .deformation import Deformation, MixedKernel, System
from .landmarks import Landmarks

SETTLED = 1e-3
"""Certificate at which a graph's answers hardly change: MNIST's 5.9 % error is 5.7 at 1e-5."""

SECTION_TOL, STEPS = 1e-10, 5_000
"""What is lent is taken off again, and leaves the γ_A-th part: hence the digits."""
FEW_ROWS = 1_000  # for which lending pays
BATCH_BYTES = 2**29  # of the columns that are solved for at once


class OnPoints(BaseEstimator):
    """g, any values at the n points, and f on landmarks that learns what g answers; configuration.

    This is MV's co-regularisation of an intrinsic with an ambient function, the intrinsic one
    first: the loss and M see g alone, ‖g‖² = (1/n) Σ g(x_i)², so that every product is sparse.
    f then learns the answers of g at all points, and ``predict`` asks f. At this scale
    ``transduction_`` is therefore the graph's view, ``predict`` the ambient one, and they may
    differ at a training row. Decision 0085 tells why landmarks alone do not do.

    Parameters
    ----------
    landmarks : Landmarks, optional
        The basis of f; None is ``Landmarks()``.

    References
    ----------
    MV, "Manifold Co-Regularization"; MR §4, "Efficiency Issues".

    Examples
    --------
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.datasets import load_digits
    >>> from lapwing.spaces import OnPoints
    >>> X, y, truth = load_digits(random_state=0)
    >>> model = LapRLSClassifier(space=OnPoints()).fit(X[100:], y[100:])
    >>> bool((model.predict(X[:100]) == truth[:100]).mean() > 0.9)
    True
    """

    def __init__(self, landmarks=None):
        self.landmarks = landmarks

    def build(self, kernel: Kernel, X) -> PointValues:
        """The space over the rows of X."""
        landmarks = Landmarks() if self.landmarks is None else self.landmarks
        landmarks.check(kernel, X.shape[0])
        return PointValues(X.shape[0], AmbientRule(kernel, X, landmarks))


class PointValues(Space):
    """g ∈ ℝⁿ: evaluate(g) = g, represent(r) = n r, inner(a, b) = aᵀb/n.

    Parameters
    ----------
    n : int
    learn : callable, optional
        (n, t) answers ↦ a function of new rows; None where nobody predicts.
    """

    tolerance = SETTLED

    def __init__(self, n: int, learn: Callable | None = None):
        self.n_points = self.n_coef = n
        self.learn = learn

    def evaluate(self, coef):
        return coef

    def evaluate_at(self, X, coef):
        raise TypeError(
            "Values on the points have none elsewhere: predict asks the ambient view, which "
            "learns from the graph's answers."
        )

    def extension(self, answers):
        return None if self.learn is None else self.learn(answers)

    def represent(self, r_M, r_loss):
        return self.n_points * (r_M + r_loss)

    def inner(self, a: Element, b: Element):
        return np.einsum("it,it->t", a.coef, b.coef) / self.n_points

    def pencil(self, form, n_shifts):
        return None

    def system(self, gamma_A, form):
        return None if form.w is None else PointSystem(self, gamma_A, form)

    def nearby(self, gamma_A, form):
        return None

    def deformed(self, operator, gamma_A, lam):
        return PointDeformation(self.n_points, operator, gamma_A, lam)


class PointSystem(System):
    """(γ_A/n + G) g = r/n by conjugate gradients in float32; who needs more digits refines."""

    factored = False

    def __init__(self, space: PointValues, gamma_A: float, form: Form):
        self.space = space
        self.form = form
        self.ridge = gamma_A / space.n_points

    def solve(self, R):
        n = self.space.n_points
        scale = np.abs(R).max() or 1.0
        found = solve_columns(self._apply, (R / scale).astype(np.float32), 0.3 * SETTLED, STEPS)
        return self.space.element(found.astype(np.float64) * (scale / n))

    def _apply(self, V: np.ndarray) -> np.ndarray:
        return self.form.apply(V) + np.float32(self.ridge) * V


class PointDeformation(Deformation):
    """K̃ = (γ_A/n + λM)⁻¹ by conjugate gradients, with weights lent to the rows that are asked for.

    Without labels nothing holds the constants, and K̃ has entries of 1/γ_A. With v_i = v lent to the
    rows, A = γ_A/n + V + λM is well conditioned, and with S = A⁻¹ among the rows

        K̃ = (S⁻¹ − v)⁻¹,    K̃R = A⁻¹(R + v f),  f = K̃R at the rows:

    nothing large is ever subtracted from anything large.
    """

    factored = False

    def __init__(self, n: int, operator: Operator, gamma_A: float, lam: float):
        self.n_rows = n
        self.operator = operator
        self.ridge = gamma_A / n
        self.lam = lam
        self._rows, self._kernel = np.empty(0, dtype=int), np.empty((0, 0))

    def lift(self, R):
        rows = np.flatnonzero(R.any(axis=1))
        if not 0 < len(rows) <= max(FEW_ROWS, len(self._rows)):
            return self._solve(np.zeros(self.n_rows), R)
        lent = self._lent(rows)
        F = self.gram(rows).apply(R[rows])
        moved = R.copy()
        moved[rows] += lent[rows, None] * F
        return self._solve(lent, moved)

    def columns(self, rows):
        unit = np.zeros((self.n_rows, len(rows)))
        unit[rows, np.arange(len(rows))] = 1.0
        return self.lift(unit)

    def gram(self, rows):
        rows = np.asarray(rows)
        if not np.array_equal(rows, self._rows):
            self._rows, self._kernel = rows, self._among(rows)
        return MixedKernel(self, rows, [(self._kernel, None)])

    def _among(self, rows: np.ndarray) -> np.ndarray:
        """K̃ among the rows, a batch of columns at a time."""
        lent = self._lent(rows)
        S = np.empty((len(rows), len(rows)))
        step = max(1, BATCH_BYTES // (8 * 7 * self.n_rows))
        for start in range(0, len(rows), step):
            batch = rows[start : start + step]
            unit = np.zeros((self.n_rows, len(batch)))
            unit[batch, np.arange(len(batch))] = 1.0
            S[:, start : start + step] = self._solve(lent, unit)[rows]
        return self._unlent(S, 1.0 / max(len(rows), 1))

    def _unlent(self, S: np.ndarray, lent: float) -> np.ndarray:
        """(S⁻¹ − v)⁻¹, a matrix function of S; s ≤ 1/(v + γ_A/n), which rounding may hide."""
        s, Q = np.linalg.eigh(0.5 * (S + S.T))
        s = np.maximum(s, 0.0)
        rest = np.maximum(1.0 - lent * s, self.ridge / (self.ridge + lent))
        return (Q * (s / rest)) @ Q.T

    def _lent(self, rows: np.ndarray) -> np.ndarray:
        lent = np.zeros(self.n_rows)
        lent[rows] = 1.0 / max(len(rows), 1)
        return lent

    def _solve(self, lent: np.ndarray, B: np.ndarray) -> np.ndarray:
        form = Form(self.operator, self.lam, lent)
        return solve_columns(lambda V: form.apply(V) + self.ridge * V, B, SECTION_TOL, STEPS)
