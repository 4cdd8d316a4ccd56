"""Manifold co-regularization: an ambient and an intrinsic function that stay close (MV)."""

from typing import Any

from ..parameters.arguments import with_parameters
from .classifier import CLASSES as OF_CLASSES
from .classifier import Classifier
from .parameters import ClassParameters, SolverParameters, ViewParameters
from .recipes import CoMRRecipe
from .regressor import Regressor
from .view_answers import ViewAnswers


class IntrinsicParameters:
    """Functions on the training rows only, in addition to those of the kernel.

    Parameters
    ----------
    a_I : float, default=0.0
        Weight of the intrinsic functions g^j in the prediction Σ_j a_j ((1 − a_I) f^j + a_I g^j).
        With 0 (inductive) the model predicts any row. Otherwise (transductive; ½ in MV's
        experiments) it predicts only the training rows, and other rows raise an error. If several
        training rows are equal, the prediction is the mean of their values.
    ridge : float, default=0.0
        A number added to the diagonal of each M_j. MV needs it if M_j is singular. Here g^j is
        eliminated without an inverse of M_j, so 0 is exact if gamma_C > 0.
    coupling : None, Disagreement, Factored or PSD matrix of order 2·m·n, default=None
        The matrix M over the stacked values (f^1 … f^m, g^1 … g^m), weighted by gamma_C/n² (MV eq.
        4 with any M over ambient and intrinsic functions). None is Σ_j ‖f^j − g^j‖² + Σ_{j<k} ‖f^j
        − f^k‖². ``Disagreement(precisions=w)`` changes the disagreement of the f^j in it. A matrix
        (dense or sparse) or ``Factored(V)`` replaces it. The penalties M_j of the g^j (gamma_I)
        stay. If a row lacks a view, M is minimized over the missing values.

    Attributes
    ----------
    intrinsic_ : dict of arrays of shape (n_j, t)
        The values of g^j, by the name of the view.
    """

    a_I: Any = 0.0
    ridge: Any = 0.0
    coupling: Any = None


@with_parameters(ViewParameters, IntrinsicParameters, SolverParameters, ClassParameters)
class CoMRClassifier(ViewAnswers, Classifier):
    """Manifold co-regularization: one function is smooth in space, another along the data.

    It minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled V(y_i, φ(x_i) + b) + Σ_j γ_j ‖f^j‖² + (γ_I/n²) Σ_j ⟨g^j, M_j g^j⟩
            + (γ_C/n²) (Σ_j ‖f^j − g^j‖² + Σ_{j<k} ‖f^j − f^k‖²),

    with the prediction φ = Σ_j a_j ((1 − a_I) f^j + a_I g^j). f^j is a function in the kernel's
    space of view j (ambient). g^j is a vector of values at the training rows (intrinsic). One view
    is MV's CoMR. With several views, each view has its own intrinsic function, tied to its ambient
    one. With a_I = 0, eliminating g^j gives manifold regularization with M_j (I + (γ_I/γ_C) M_j)⁻¹
    (MV prints γ_I/2λ). The limit γ_C → ∞ is LapRLS, and γ_C → 0 is plain regularized least squares.

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
    Multi-View Point Cloud Regularization*, "Manifold Co-Regularization"; Sindhwani, Rosenberg 2008,
    *An RKHS for multi-view learning and manifold co-regularization*.

    Examples
    --------
    >>> from lapwing import CoMRClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.kernels import RBF
    >>> X, y, truth = make_two_moons(200, labels_per_class=3, random_state=0)
    >>> views = [("x", RBF(0.35), slice(None))]
    >>> inductive = CoMRClassifier(views).fit(X, y)
    >>> bool((inductive.predict(X) == truth).mean() > 0.95)
    True
    >>> transductive = CoMRClassifier(views, a_I=0.5).fit(X, y)
    >>> transductive.predict([[0.0, 0.0]])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: 1 of the 1 rows are not training rows ...
    """

    recipe = CoMRRecipe()
    several_labels = True
    probability = OF_CLASSES


@with_parameters(ViewParameters, IntrinsicParameters, SolverParameters)
class CoMRRegressor(ViewAnswers, Regressor):
    """Manifold co-regularization for real targets.

    It minimizes the objective of :class:`CoMRClassifier` for each target. A row or a single entry
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
    Multi-View Point Cloud Regularization*, "Manifold Co-Regularization".

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import CoMRRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full(60, np.nan)
    >>> y[::6] = np.sin(X[::6, 0])
    >>> model = CoMRRegressor().fit(X, y)
    >>> bool(np.abs(model.transduction_ - np.sin(X[:, 0])).max() < 0.2)
    True
    """

    recipe = CoMRRecipe()
