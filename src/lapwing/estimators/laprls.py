"""Laplacian regularized least squares (MR §4.2)."""

from ..parameters.arguments import with_parameters
from .classifier import Classifier
from .parameters import ClassParameters, EquationParameters, SolverParameters, WarmParameters
from .regressor import Regressor


@with_parameters(EquationParameters, SolverParameters, WarmParameters, ClassParameters)
class LapRLSClassifier(Classifier):
    """LapRLS: least squares on ±1 targets that is smooth in space and along the data.

    Minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled (y_i − f(x_i) − b)² + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩,

    in closed form: one factorization for all classes. f lives on all n = l + u points and
    predicts anywhere.

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
    """LapRLS: ridge regression in a kernel's space that is smooth along the data.

    Minimizes (1/l) Σ_labeled (y_i − f(x_i) − b)² + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩ for each
    target. Rows, or single entries, of y that are NaN are unlabeled.

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
