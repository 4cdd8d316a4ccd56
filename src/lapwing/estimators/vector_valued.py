"""Vector-valued manifold regularization (VV): many outputs that share strength."""

from typing import Any

from ..confidence import METHODS
from ..outputs import OutputGraph
from ..parameters.arguments import parameters
from .documentation import CLASSES, document
from .parameters import ClassWeightParams
from .regressor import Regressor
from .several_labels import SeveralLabels
from .vector_base import PARAMETERS, VectorValued


@document(PARAMETERS)
@parameters
class VectorValuedRegressor(VectorValued, Regressor):
    """Several real targets that depend on each other, from few rows with targets and many without.

    Minimizes over f: X → R^q in the space of the matrix-valued kernel k(x, z)·Q

        (1/l) Σ_observed V(y_ij, f_j(x_i) + b_j) + γ_A ‖f‖² + (γ_I/n²) ⟨f, (M ⊗ I) f⟩,

    where l counts the rows with at least one observed target: each target of each row may be NaN
    on its own. Squares in closed form (a Sylvester equation); at Q = I this is LapRLS.

    Parameters
    ----------
    loss : str or Loss, default="squared"
        ``"squared"``, ``"huber"``, ``"epsilon_insensitive"``, or any
        :class:`lapwing.losses.Loss`.
    {parameters}

    Attributes
    ----------
    output_kernel_ : array of shape (q, q)
        Q, built.
    {attributes}

    References
    ----------
    Minh, Sindhwani 2011, *Vector-valued Manifold Regularization*, ICML, eqs. 11–17.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import VectorValuedRegressor
    >>> from lapwing.outputs import OutputGraph
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> truth = np.column_stack([np.sin(X[:, 0]), np.sin(X[:, 0]) + 0.1, np.cos(X[:, 0])])
    >>> Y = np.full((60, 3), np.nan)
    >>> Y[::6] = truth[::6]
    >>> Y[0, 1] = np.nan                     # a single missing entry
    >>> outputs = OutputGraph(gamma_O=0.5, n_neighbors=1)
    >>> model = VectorValuedRegressor(output_kernel=outputs, gamma_I=0.1)
    >>> bool(np.abs(model.fit(X, Y).transduction_ - truth).max() < 0.1)
    True
    """


@document(PARAMETERS + CLASSES)
@parameters
class VectorValuedClassifier(ClassWeightParams, VectorValued, SeveralLabels):
    """Many labels at once, from few labeled rows and many unlabeled ones.

    Minimizes over f: X → R^q in the space of the matrix-valued kernel k(x, z)·Q

        (1/l) Σ_observed V(y_ij, f_j(x_i) + b_j) + γ_A ‖f‖² + (γ_I/n²) ⟨f, (M ⊗ I) f⟩

    with y_ij = ±1 for label j of row i, and l the rows with at least one observed entry. Labels
    that are neighbors in the output graph share strength. A one-dimensional y is classes, one
    against the rest.

    Parameters
    ----------
    loss : str or Loss, default="squared"
        ``"squared"``, ``"hinge"``, ``"squared_hinge"``, ``"logistic"``, or any
        :class:`lapwing.losses.Loss`.
    probability : bool, "sigmoid" or "isotonic", default=True
        How ``predict_proba`` calibrates leave-one-out scores, label by label; True is "sigmoid",
        and with False there is none. Classes share one temperature instead.
    {parameters}

    Attributes
    ----------
    output_kernel_ : array of shape (q, q)
        Q, built.
    {attributes}

    References
    ----------
    Minh, Sindhwani 2011, *Vector-valued Manifold Regularization*, ICML, eqs. 11–17.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from lapwing import VectorValuedClassifier
    >>> from lapwing.metrics import macro_auc
    >>> from lapwing.outputs import OutputGraph
    >>> X, truth = make_multilabel_classification(300, random_state=0)
    >>> Y = truth.astype(float)
    >>> Y[60:] = np.nan                      # 60 labeled rows
    >>> outputs = OutputGraph(gamma_O=0.9, n_neighbors=2)
    >>> model = VectorValuedClassifier(output_kernel=outputs).fit(X, Y)
    >>> bool(macro_auc(truth[60:], model.decision_function(X)[60:]) > 0.75)
    True
    """

    probability: Any = True

    def _check_parameters(self):
        super()._check_parameters()
        if self.probability not in (False, True, *METHODS):
            raise ValueError(
                f"probability={self.probability!r}; expected False, True, 'sigmoid' or 'isotonic'."
            )

    def _broken_conditions(self):
        own = self._part("output_kernel")
        estimated = isinstance(own, OutputGraph) and own.estimated
        said = ["the output kernel was estimated from the labels"] if estimated else []
        return super()._broken_conditions() + said
