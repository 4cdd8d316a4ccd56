"""Laplacian support vector machines (MR §4.4)."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..losses import Hinge, SquaredHinge
from ..parameters.arguments import with_parameters
from .classifier import Classifier
from .fitting import training_readout
from .parameters import ClassParameters, EquationParameters, SolverParameters, WarmParameters


@with_parameters(EquationParameters, SolverParameters, WarmParameters, ClassParameters)
class LapSVC(Classifier):
    """LapSVM: a support vector classifier that is smooth along the data.

    It minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled V(y_i, f(x_i) + b) + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩.

    l is the number of labeled rows and n the number of all rows. The hinge V = max(0, 1 − yf) is
    solved through the dual on the l labeled rows (libsvm). The squared hinge V = max(0, 1 − yf)² is
    solved by Newton's method. At γ_I = 0 the model is ``SVC(C=1/(2 γ_A l))``.

    Parameters
    ----------
    loss : {"hinge", "squared_hinge"}, default="hinge"
        The loss V.
    {parameters}

    Attributes
    ----------
    {attributes}
    support_ : integer array of shape (n_support,)
        The labeled rows with a nonzero multiplier for any class.
    dual_coef_ : array of shape (1, n_support), or (n_classes, n_support)
        The multipliers y_i β_i of MR eqs. 10–12, for each class against the rest. With the hinge, 0
        ≤ β_i ≤ w_i; w_i is 1/l unless rows have weights. Then f = K (2γ_A I + 2(γ_I/n²) M K)⁻¹ Jᵀ
        Yβ; the matrix J picks the labeled rows.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006 (MR), *Manifold Regularization*, JMLR 7, §4.4, eqs. 10–12.
    Melacci, Belkin 2011, *Laplacian SVMs trained in the primal*, JMLR 12 (squared hinge).

    Examples
    --------
    >>> from lapwing import LapSVC
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.graphs import KNN
    >>> from lapwing.kernels import RBF
    >>> from lapwing.regularizers import Laplacian
    >>> X, y, truth = make_two_moons(200, labels_per_class=1, random_state=0)
    >>> model = LapSVC(kernel=RBF("local"), regularizer=Laplacian(KNN())).fit(X, y)
    >>> bool((model.transduction_ == truth).all())
    True
    """

    loss: Any = "hinge"

    _losses = {"hinge": Hinge, "squared_hinge": SquaredHinge}

    @property
    def support_(self) -> np.ndarray:
        return self.objective_.rows[self._supports()]

    @property
    def dual_coef_(self) -> np.ndarray:
        return self._multipliers()[self._supports()].T

    def _supports(self) -> np.ndarray:
        """The positions of the support rows among the labeled rows."""
        check_is_fitted(self)
        largest = np.abs(self._multipliers()).max(axis=1)
        return np.flatnonzero(largest > 1e-9 * self.objective_.w.max())

    def _multipliers(self) -> np.ndarray:
        """y_i β_i of every labeled row, (l, t).

        They are the solver's multipliers, or −w V′ for a smooth loss.
        """
        if self.solution_.multipliers is not None:
            return 2.0 * self.solution_.multipliers
        objective = self.objective_
        f = training_readout(self)[objective.rows]
        return -objective.w * objective.loss.gradient(objective.y, f)
