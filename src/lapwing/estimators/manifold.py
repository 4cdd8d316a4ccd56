"""The general equation: every part can be chosen by the user."""

from typing import Any

from ..parameters.arguments import with_parameters
from .classifier import Classifier
from .parameters import ClassParameters, EquationParameters, SolverParameters, WarmParameters
from .regressor import Regressor


@with_parameters(EquationParameters, SolverParameters, WarmParameters, ClassParameters)
class ManifoldClassifier(Classifier):
    """Classification with any loss V, kernel and regularizer.

    It minimizes, for each class against the rest,

        (1/l) Σ_labeled V(y_i, f(x_i) + b) + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩.

    l is the number of labeled rows and n the number of all rows.

    Parameters
    ----------
    loss : str or Loss, default="squared_hinge"
        The loss V: ``"squared"``, ``"hinge"``, ``"squared_hinge"``, ``"logistic"``, or any
        :class:`lapwing.losses.Loss`.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7, eq. 4.

    Examples
    --------
    >>> from lapwing import ManifoldClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.kernels import RBF
    >>> from lapwing.regularizers import HessianEnergy
    >>> X, y, truth = make_two_moons(200, labels_per_class=3, random_state=0)
    >>> model = ManifoldClassifier(loss="logistic", kernel=RBF(0.35),
    ...                            regularizer=HessianEnergy(n_components=1)).fit(X, y)
    >>> model.predict(X).shape
    (200,)
    """

    loss: Any = "squared_hinge"


@with_parameters(EquationParameters, SolverParameters, WarmParameters)
class ManifoldRegressor(Regressor):
    """Regression with any loss V, kernel and regularizer.

    It minimizes, for each target,

        (1/l) Σ_labeled V(y_i, f(x_i) + b) + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩.

    l is the number of labeled rows and n the number of all rows.

    Parameters
    ----------
    loss : str or Loss, default="huber"
        The loss V: ``"squared"``, ``"huber"``, ``"epsilon_insensitive"``, or any
        :class:`lapwing.losses.Loss`.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7, eq. 4.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import ManifoldRegressor
    >>> from lapwing.losses import Huber
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full(60, np.nan)
    >>> y[::6] = np.sin(X[::6, 0])
    >>> y[30] = 50.0                         # one wrong measurement
    >>> model = ManifoldRegressor(loss=Huber(0.1), kernel="rbf", regularizer="laplacian",
    ...                           gamma_A=1e-4, gamma_I="rule").fit(X, y)
    >>> bool(abs(model.predict([[1.5]])[0] - np.sin(1.5)) < 0.3)
    True
    """

    loss: Any = "huber"
