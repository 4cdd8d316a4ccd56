"""Laplacian support vector machines (MR §4.4)."""

from typing import Any

from ..losses import Hinge, SquaredHinge
from ..parameters.arguments import parameters
from .classifier import Classifier
from .documentation import CLASSIFIER_PARAMETERS, document
from .parameters import ClassWeightParams, EquationParams, SolverParams, WarmStartParams


@document(CLASSIFIER_PARAMETERS)
@parameters
class LapSVC(ClassWeightParams, WarmStartParams, SolverParams, EquationParams, Classifier):
    """LapSVM: the support vector machine that is smooth along the data.

    Minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled V(y_i, f(x_i) + b) + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩

    with V = max(0, 1 − yf), through the dual on the l labeled points (libsvm), or V =
    max(0, 1 − yf)², by Newton's method. At γ_I = 0 it is ``SVC(C=1/(2 γ_A l))``.

    Parameters
    ----------
    loss : {"hinge", "squared_hinge"}, default="hinge"
        V.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7, §4.4, eqs. 10–12.
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
