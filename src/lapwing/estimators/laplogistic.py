"""Laplacian logistic regression: the logistic loss with a penalty along the data."""

from ..parameters.arguments import with_parameters
from .classifier import Classifier
from .parameters import ClassParameters, EquationParameters, SolverParameters, WarmParameters


@with_parameters(EquationParameters, SolverParameters, WarmParameters, ClassParameters)
class LapLogisticClassifier(Classifier):
    """Kernel logistic regression that is smooth along the data.

    It minimizes, for each class against the rest (once for two classes),

        (1/l) Σ_labeled log(1 + exp(−y_i (f(x_i) + b))) + γ_A ‖f‖²_K + (γ_I/n²) ⟨f, M f⟩

    by Newton's method. l is the number of labeled rows and n the number of all rows. σ(f(x) + b),
    with the logistic function σ, is the probability of the model for two classes. Penalties that
    are chosen for few errors make it far too unsure or too sure. ``predict_proba`` therefore
    calibrates f on left-out labels, as with every loss.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, *Manifold Regularization*, JMLR 7, eq. 4 with the logistic loss.

    Examples
    --------
    >>> from lapwing import LapLogisticClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(200, labels_per_class=3, random_state=0)
    >>> model = LapLogisticClassifier().fit(X, y)
    >>> model.predict_proba(X).shape
    (200, 2)
    """

    loss = "logistic"
