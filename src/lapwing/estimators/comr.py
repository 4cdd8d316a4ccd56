"""Manifold co-regularization: an ambient and an intrinsic function that keep close (MV)."""

from typing import Any

from ..parameters.arguments import with_parameters
from .classifier import CLASSES as OF_CLASSES
from .classifier import Classifier
from .parameters import ClassParameters, SolverParameters, ViewParameters
from .recipes import CoMRRecipe
from .regressor import Regressor
from .view_answers import ViewAnswers


class IntrinsicParameters:
    """Functions over the training rows alone, beside those of the kernel.

    Parameters
    ----------
    a_I : float, default=0.0
        Weight of the intrinsic functions in the readout Σ_j a_j ((1 − a_I) f^j + a_I g^j). With 0
        (inductive) any x can be predicted; otherwise (transductive; ½ in MV's experiments) only the
        training rows, and other rows are an error. Where several training rows are equal, a single
        one of them is predicted the mean of their values.
    ridge : float, default=0.0
        Added to the diagonal of each M_j. MV needs one where M_j is singular; here g^j is
        eliminated without an inverse of M_j, so that 0 is exact as long as gamma_C > 0.
    coupling : None, Disagreement, Factored or PSD matrix of order 2·m·n, default=None
        M over (f^1 … f^m, g^1 … g^m), view by view, weighted by gamma_C/n²: MV eq. 4 with any M
        over ambient and intrinsic functions. None is Σ_j ‖f^j − g^j‖² + Σ_{j<k} ‖f^j − f^k‖², and
        ``Disagreement(precisions=w)`` another disagreement of the f^j in it. A matrix (dense or
        sparse) or ``Factored(V)`` takes its place; the penalties M_j of the g^j (gamma_I) stay.
        Where a row lacks a view, M is minimized over the values that are not there.

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
    """Manifold co-regularization: smoothness in space and along the data asked of two functions.

    Minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled V(y_i, φ(x_i) + b) + Σ_j γ_j ‖f^j‖² + (γ_I/n²) Σ_j ⟨g^j, M_j g^j⟩
            + (γ_C/n²) (Σ_j ‖f^j − g^j‖² + Σ_{j<k} ‖f^j − f^k‖²),

    φ = Σ_j a_j ((1 − a_I) f^j + a_I g^j), where g^j is any vector of values at the training
    rows. One view is MV's CoMR; several have an intrinsic function each, tied to their own
    ambient one. With a_I = 0, eliminating g^j leaves manifold regularization by
    M_j (I + (γ_I/γ_C) M_j)⁻¹ (MV prints γ_I/2λ): γ_C → ∞ is LapRLS, γ_C → 0 is plain RLS.

    Parameters
    ----------
    loss : {"squared", "hinge", "squared_hinge", "logistic"} or Loss, default="squared"
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    MV, "Manifold Co-Regularization"; Sindhwani & Rosenberg 2008, *An RKHS for multi-view
    learning and manifold co-regularization*.

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
    """Manifold co-regularization for real targets; the objective of :class:`CoMRClassifier`.

    Rows, or single entries, of y that are NaN are unlabeled.

    Parameters
    ----------
    loss : {"squared", "huber", "epsilon_insensitive"} or Loss, default="squared"
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    MV, "Manifold Co-Regularization".

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
