"""What the theory promises and what happens, as the coupling grows."""

import numpy as np

from lapwing.estimators import LapSVC
from lapwing.inspection.display import TitledDisplay
from lapwing.pointcloud.base import PointCloudKernel
from lapwing.pointcloud.theory import generalization_bound, rademacher_complexity, with_strength


class BoundDisplay(TitledDisplay):
    """Theorem 2's bound, the complexity in it, and the held-out error, against λ.

    Parameters
    ----------
    lams : array of shape (k,)
    bound, complexity, training_error, held_out_error : arrays of shape (k,)

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    lines_ : list of Line2D

    References
    ----------
    MV Theorem 2 and "Unlabeled Data Improves the Bound".

    Examples
    --------
    >>> from lapwing_papers.inspection import BoundDisplay
    >>> display = BoundDisplay(lams=[0.1, 1.0], bound=[2.0, 1.5], complexity=[0.5, 0.3],
    ...                        training_error=[0.0, 0.0], held_out_error=[0.3, 0.2])
    >>> display.plot().ax_.get_xscale()
    'log'
    """

    def __init__(self, *, lams, bound, complexity, training_error, held_out_error):
        self.lams = lams
        self.bound = bound
        self.complexity = complexity
        self.training_error = training_error
        self.held_out_error = held_out_error

    @classmethod
    def from_kernel(cls, kernel, X, y, X_test, y_test, *, lams=None, delta=0.05):
        """A support vector machine at each λ, with its bound.

        The model solves problem (4) with the hinge and *without an intercept*: its ‖φ‖² ≤
        V(0, ·) = 1, so it lies in the class of radius 1 (an ``SVC``, whose constant nothing
        penalizes, does not), and the bound is on its ramp loss, which the 0-1 loss never exceeds.
        The λ must be fixed beforehand: a λ that is picked from the picture needs δ divided by
        their number.

        Parameters
        ----------
        kernel : PointCloudKernel
            Fitted on unlabeled rows only, or the theorem does not hold (a ValueError).
        X, y : the labeled rows and their labels
        X_test, y_test : rows to measure the error on
        lams : array, optional
            Default: 13 values from 1e-3 to 1e3.
        delta : float in (0, 1)
        """
        if not isinstance(kernel, PointCloudKernel):
            raise TypeError(f"Only a kernel with a point cloud depends on λ, got {kernel!r}.")
        lams = np.logspace(-3, 3, 13) if lams is None else np.asarray(lams, dtype=float)
        rows = [_at(with_strength(kernel, lam), X, y, X_test, y_test, delta) for lam in lams]
        bound, complexity, training, held_out = np.transpose(rows)
        return cls(
            lams=lams,
            bound=bound,
            complexity=complexity,
            training_error=training,
            held_out_error=held_out,
        )

    def _draw(self, ax):
        curves = (
            (self.bound, "bound on |R̂ − R|", "0.4", "-"),
            (self.complexity, "Rademacher complexity", "0.4", ":"),
            (self.held_out_error, "held-out error", "C3", "-"),
            (self.training_error, "training error", "C0", "--"),
        )
        self.lines_ = [
            ax.plot(self.lams, values, style, color=color, label=label)[0]
            for values, label, color, style in curves
        ]
        ax.set_xscale("log")
        ax.set_ylim(bottom=0.0)
        ax.set_xlabel("λ")
        ax.legend()

    def _title(self):
        return "What agreement between views buys"


def _at(kernel, X, y, X_test, y_test, delta) -> tuple[float, float, float, float]:
    bound = generalization_bound(kernel, X, delta=delta)
    if not bound.valid:
        raise ValueError("The theorem does not hold: " + "; ".join(bound.reasons) + ".")
    gram = kernel(X)
    model = LapSVC(kernel="precomputed", gamma_A=1.0, gamma_I=0.0, fit_intercept=False)
    model.set_params(unlabeled=None).fit(gram, y)
    return (
        bound,
        rademacher_complexity(kernel, X),
        1.0 - model.score(gram, y),
        1.0 - model.score(kernel(X_test, X), y_test),
    )
