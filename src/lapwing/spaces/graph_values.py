"""Functions that have values at the training points only: all products are sparse."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..kernels import Kernel
from ..linalg.psd import check_psd
from ..linalg.smooth_modes import EXACT
from ..linalg.two_level import Coarse
from ..operators import Operator
from ..parameters.spelling import NamedParameters
from .base import Element, SameAs, Space
from .landmarks import Landmarks
from .modal import EVERY_DIGIT, FEW_POINTS, ModalSections, modal_sections
from .out_of_sample import OutOfSampleRule
from .point_systems import EARLY_STOPPED, PointDeformation, point_system


class GraphValues(NamedParameters):
    """Any values g at the n training points, and a function f that learns them for new rows.

    This object is the configuration. The fit finds g first. The loss and the penalty M see g alone,
    and ‖g‖² = (1/n) Σ g(x_i)². Every product is therefore sparse, also for a million rows.
    Afterwards f, a function on landmarks, learns the values of g at all points. This is the
    co-regularization of MV with an intrinsic function g and an ambient function f.

    ``transduction_``, and ``predict`` at training rows, come from g. ``predict`` at new rows comes
    from f. ``extension_error_`` says how far the two differ. Decision 0085 explains why landmarks
    alone are not enough. Decision 0151 says when this space is the default.

    Parameters
    ----------
    landmarks : Landmarks, optional
        The basis of f. None is ``Landmarks()``.

    References
    ----------
    MV, "Manifold Co-Regularization"; MR §4, "Efficiency Issues".

    Examples
    --------
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.datasets import load_digits
    >>> from lapwing.spaces import GraphValues
    >>> X, y, truth = load_digits(random_state=0)
    >>> model = LapRLSClassifier(space=GraphValues()).fit(X[100:], y[100:])
    >>> bool((model.predict(X[:100]) == truth[:100]).mean() > 0.9)
    True
    """

    def __init__(self, landmarks=None):
        self.landmarks = landmarks

    def build(self, kernel: Kernel, X) -> GraphValuesSpace:
        """The space over the rows of X, (n, d)."""
        landmarks = self.landmarks or Landmarks()
        landmarks.check(kernel, X.shape[0])
        check_kernel(kernel, X)
        return GraphValuesSpace(X.shape[0], OutOfSampleRule(kernel, X, landmarks))


def check_kernel(kernel: Kernel, X) -> None:
    """ValueError if a user's kernel is not PSD at the first 500 rows of X; K is not formed.

    A given Gram matrix is checked as a whole.
    """
    if kernel.user_given:
        rows = X if kernel.precomputed else X[:500]
        check_psd(kernel(rows), f"The Gram matrix of {rows.shape[0]} rows")


class GraphValuesSpace(Space):
    """g ∈ ℝⁿ: evaluate(g) = g, represent(r) = n r, inner(a, b) = aᵀb/n.

    Parameters
    ----------
    n : int
        The number of training points.
    learn : callable, optional
        (answers, known rows) ↦ a function of new rows, and its values at the unknown rows. None
        where nothing is predicted at new rows.
    """

    out_of_sample = SameAs("learn")

    def __init__(self, n: int, learn: Callable | None = None):
        self.n_points = self.n_coef = n
        self.tolerance = EVERY_DIGIT if n <= FEW_POINTS else EARLY_STOPPED
        self.learn = learn
        self._made: dict[str, tuple] = {}

    def _once(self, name: str, make: Callable, *given):
        """``make(*given)``, kept until it is called with other arguments."""
        if self._made.get(name, ((), None))[0] != given:
            self._made[name] = given, make(*given)
        return self._made[name][1]

    def coarse(self, operator: Operator) -> Coarse | None:
        """The coarse level of a two-level preconditioner: M on cells of points."""
        return self._once("coarse", Coarse.of, operator)

    def modal(
        self, operator: Operator, gamma_A: float, lam: float, tol: float = EXACT
    ) -> ModalSections | None:
        """K̃ from the smoothest functions and a polynomial, kept until the penalties change."""
        return self._once("modal", modal_sections, operator, gamma_A, lam, tol)

    def __getstate__(self) -> dict:
        return {**vars(self), "_made": {}}

    def keep_features(self) -> None:
        """Keep the features of f, because other answers at the same rows will be learned too."""
        if hasattr(self.learn, "keeps"):
            self.learn.keeps = True  # type: ignore[union-attr]

    def evaluate(self, coef):
        return coef

    def evaluate_at(self, X, coef):
        raise TypeError(
            "Values on the points have none elsewhere: predict asks the ambient view, which "
            "learns from the graph's answers."
        )

    def represent(self, r_M, r_loss):
        return self.n_points * (r_M + r_loss)

    def inner(self, a: Element, b: Element):
        return np.einsum("it,it->t", a.coef, b.coef) / self.n_points

    def system(self, gamma_A, form, n_shifts=1):
        return point_system(self, gamma_A, form)

    def deformed(self, operator, gamma_A, lam):
        return PointDeformation(self, operator, gamma_A, lam)
