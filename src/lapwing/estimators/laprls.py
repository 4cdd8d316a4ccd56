"""Laplacian regularized least squares (MR §4.2)."""

from ..parameters.arguments import with_parameters
from .classifier import Classifier
from .parameters import ClassParameters, EquationParameters, SolverParameters, WarmParameters
from .regressor import Regressor


@with_parameters(EquationParameters, SolverParameters, WarmParameters, ClassParameters)
class LapRLSClassifier(Classifier):
    """LapRLS: least squares on targets ±1 that is smooth in space and along the data.

    It minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled (y_i − f(x_i) − b)² + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩.

    l is the number of labeled rows and n the number of all rows. The solution is in closed form:
    one factorization serves all classes. The labeled and the unlabeled rows define f, and f
    predicts any new row.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7, §4.2, eq. 8.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LapRLSClassifier
    >>> from sklearn.datasets import load_digits
    >>> X, truth = load_digits(n_class=4, return_X_y=True)
    >>> y = np.full(len(X), -1)
    >>> y[:40] = truth[:40]                  # 40 labels, the other rows are unlabeled
    >>> model = LapRLSClassifier().fit(X, y)
    >>> bool(np.mean(model.transduction_ == truth) > 0.9)
    True
    >>> model.solution_.status.name
    'CONVERGED'
    """

    loss = "squared"


@with_parameters(EquationParameters, SolverParameters, WarmParameters)
class LapRLSRegressor(Regressor):
    """LapRLS: kernel ridge regression that is smooth along the data.

    It minimizes, for each target,

        (1/l) Σ_labeled (y_i − f(x_i) − b)² + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩.

    l is the number of labeled rows and n the number of all rows. A row or a single entry of y is
    unlabeled if it is NaN.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7, §4.2, eq. 8.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LapRLSRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full(60, np.nan)
    >>> y[::6] = np.sin(X[::6, 0])           # every sixth value is known
    >>> model = LapRLSRegressor().fit(X, y)
    >>> bool(np.abs(model.transduction_ - np.sin(X[:, 0])).mean() < 0.02)
    True
    """

    loss = "squared"
