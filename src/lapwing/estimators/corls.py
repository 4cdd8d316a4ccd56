"""Co-regularization of any number of views, with least squares and other losses (MV)."""

from typing import Any

from ..parameters.arguments import with_parameters
from .classifier import CLASSES as OF_CLASSES
from .classifier import Classifier
from .parameters import ClassParameters, SolverParameters, ViewParameters
from .recipes import CoRLSRecipe
from .regressor import Regressor
from .view_answers import ViewAnswers


class CouplingParameters:
    """The penalty that pulls the views together.

    Parameters
    ----------
    coupling : None, Disagreement, Factored or PSD matrix of order m·n, default=None
        The matrix M over the stacked values of all m views, weighted by gamma_C/n² (MV eq. 4 with
        any M). None is the pairwise disagreement. A matrix (dense or sparse) or ``Factored(V)``
        replaces it, and also replaces the views' own regularizers. If a row lacks a view, M is
        minimized over the missing value.
    """

    coupling: Any = None


@with_parameters(ViewParameters, CouplingParameters, SolverParameters, ClassParameters)
class CoRLSClassifier(ViewAnswers, Classifier):
    """Co-regularized views: one function per view. The functions are pulled together on all rows.

    It minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled V(y_i, Σ_j a_j f^j(x_i) + b) + Σ_j γ_j ‖f^j‖²
            + (γ_C/n²) Σ_{j<k} Σ_i (f^j(x_i) − f^k(x_i))² + (γ_I/n²) Σ_j ⟨f^j, R_j f^j⟩.

    f^j is the function of view j. The loss V is (y − f)² unless another loss is given. R_j is the
    regularizer of view j, if it has one. The views' coupling is eliminated by its structure
    (:mod:`lapwing.linalg.resolvents`). Two views cost one Cholesky factor of order n, and m ≥ 3
    views cost m + 1 of them. A problem of the order of the labeled rows remains.

    This is MV eq. 4 with γ_j = gamma_A · gammas[j] and λ = gamma_C/n². The pairwise disagreement
    has (m − 1) I on its diagonal; the paper's I is not PSD for m ≥ 3. Without an intercept,
    ``KernelRidge(alpha=l)`` and ``SVC(C=1/(2l))`` with :class:`lapwing.MultiViewKernel` give the
    same predictions.

    Parameters
    ----------
    loss : {"squared", "hinge", "squared_hinge", "logistic"} or Loss, default="squared"
        The loss V.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Rosenberg, Sindhwani, Bartlett, Niyogi 2009 (MV), *A Kernel for Semi-Supervised Learning with
    Multi-View Point Cloud Regularization*, eqs. 3 and 4; Sindhwani, Niyogi, Belkin 2005, *A
    co-regularization approach to semi-supervised learning with multiple views*; Brefeld et al.
    2006.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import CoRLSClassifier
    >>> rng = np.random.default_rng(0)
    >>> truth = np.repeat([0, 1], 100)
    >>> X = rng.standard_normal((200, 4)) + 3.0 * truth[:, None]
    >>> y = np.full(200, -1)
    >>> y[[0, 1, 100, 101]] = truth[[0, 1, 100, 101]]
    >>> views = [("left", "rbf", [0, 1]), ("right", "rbf", [2, 3])]
    >>> model = CoRLSClassifier(views).fit(X, y)
    >>> bool((model.transduction_ == truth).mean() > 0.95)
    True
    >>> sorted(model.predict_views(X[:3]))
    ['left', 'right']
    """

    recipe = CoRLSRecipe()
    several_labels = True
    probability = OF_CLASSES


@with_parameters(ViewParameters, CouplingParameters, SolverParameters)
class CoRLSRegressor(ViewAnswers, Regressor):
    """Co-regularized views for real targets: one function per view, pulled together on all rows.

    It minimizes the objective of :class:`CoRLSClassifier` for each target. A row or a single entry
    of y is unlabeled if it is NaN.

    Parameters
    ----------
    loss : {"squared", "huber", "epsilon_insensitive"} or Loss, default="squared"
        The loss V.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Rosenberg, Sindhwani, Bartlett, Niyogi 2009 (MV), *A Kernel for Semi-Supervised Learning with
    Multi-View Point Cloud Regularization*, eqs. 3 and 4; Brefeld et al. 2006, *Efficient
    co-regularized least squares regression*.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import CoRLSRegressor
    >>> t = np.linspace(0, 3, 60)
    >>> X = np.column_stack([t, np.cos(t)])
    >>> y = np.full(60, np.nan)
    >>> y[::6] = np.sin(t[::6])
    >>> model = CoRLSRegressor([("t", "rbf", [0]), ("cos", "rbf", [1])]).fit(X, y)
    >>> bool(np.abs(model.transduction_ - np.sin(t)).max() < 0.1)
    True
    """

    recipe = CoRLSRecipe()
