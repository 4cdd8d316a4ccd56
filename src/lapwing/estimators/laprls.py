"""Laplacian regularised least squares (MR §4.2)."""

from __future__ import annotations

from ..losses import Squared
from .base import CLASSIFIER_PARAMETERS, PARAMETERS, Classifier, Regressor, document


@document(CLASSIFIER_PARAMETERS)
class LapRLSClassifier(Classifier):
    """LapRLS: least squares on ±1 targets that is smooth in space and along the data.

    Minimises, for each class against the rest (once for two classes),

        (1/l) Σ_labelled (y_i − f(x_i) − b)² + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩,

    in closed form: one factorisation for all classes. f lives on all n = l + u points and
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
    >>> y[:40] = truth[:40]                  # 40 labels, the other rows are unlabelled
    >>> model = LapRLSClassifier().fit(X, y)
    >>> bool(np.mean(model.transduction_ == truth) > 0.95)
    True
    >>> model.solution_.status.name
    'CONVERGED'
    """

    def _loss(self):
        return Squared()


@document(PARAMETERS)
class LapRLSRegressor(Regressor):
    """LapRLS: ridge regression in a kernel's space that is smooth along the data.

    Minimises (1/l) Σ_labelled (y_i − f(x_i) − b)² + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩ for each
    target. Rows, or single entries, of y that are NaN are unlabelled.

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

    def _loss(self):
        return Squared()
