"""Vector-valued manifold regularization (VV): many outputs that share strength."""

from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..confidence import METHODS
from ..outputs import OutputGraph
from ..parameters.arguments import parameters
from ..targets import LabelCoding, encode_multilabel, is_multilabel, with_missing
from .classifier import Classifier
from .documentation import CLASSES, document
from .parameters import ClassWeightParams
from .regressor import Regressor
from .vector_base import PARAMETERS, VectorValued


def _gives_probability(model) -> bool:
    if model.probability:
        return True
    raise AttributeError("predict_proba needs probability=True, 'sigmoid' or 'isotonic'.")


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
class VectorValuedClassifier(ClassWeightParams, VectorValued, Classifier):
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

    def _encode(self, y, sample_weight):
        self._coding: LabelCoding | None = None
        y = with_missing(y, self.unlabeled)
        if not is_multilabel(y):
            return super()._encode(y, sample_weight)
        if self.class_weight is not None or self.class_prior is not None:
            raise ValueError(
                "class_weight and class_prior are for classes that exclude each other; y holds "
                "several labels per row. Use sample_weight."
            )
        targets, self.classes_, self._coding = encode_multilabel(y, sample_weight)
        return targets

    def _broken_conditions(self):
        own = self._part("output_kernel")
        estimated = isinstance(own, OutputGraph) and own.estimated
        said = ["the output kernel was estimated from the labels"] if estimated else []
        return super()._broken_conditions() + said

    def _decode(self, readout):
        if self._coding is None:
            return super()._decode(readout)
        return self._coding.decode(readout > 0)

    def decision_function(self, X):
        """The readout: (n, n_labels); for classes (n, n_classes), or (n,) for two."""
        check_is_fitted(self)
        return super().decision_function(X) if self._coding is None else self._readout(X)

    def score(self, X, y, sample_weight=None):
        """Accuracy over the labeled rows; of labels, the share with every observed one right."""
        check_is_fitted(self)
        if self._coding is None:
            return super().score(X, y, sample_weight)
        check_consistent_length(X, y)
        truth = self._coding.encode_truth(with_missing(y, self.unlabeled))
        missing = np.isnan(truth)
        seen = ~missing.all(axis=1)
        if not seen.any():
            raise ValueError("No row of y is labeled: a score needs at least one.")
        weight = None if sample_weight is None else np.asarray(sample_weight)[seen]
        right = ((self._readout(X) > 0) == (truth > 0)) | missing
        return float(np.average(right[seen].all(axis=1), weights=weight))

    @available_if(_gives_probability)
    def predict_proba(self, X):
        """P(label | x), shape (n, n_labels); for classes (n, n_classes), rows summing to one.

        With the logistic loss from the loss itself; else calibrated on leave-one-out scores.
        """
        check_is_fitted(self)
        if self._coding is None:
            return super().predict_proba(X)
        readout = self._readout(X)
        p = self._loss().probability(readout)
        if p is not None:
            return p
        method = "sigmoid" if self.probability is True else self.probability
        return self._confidence.columns(method).predict(readout)

    def next_to_label(self, n=1, *, criterion="error"):
        """The unlabeled training rows whose labels would help most, best first, (n,).

        Parameters
        ----------
        n : int
        criterion : {"error", "variance"}
            As for classes; with labels that do not exclude each other, always by variance.
        """
        check_is_fitted(self)
        multilabel = self._coding is not None
        return super().next_to_label(n, criterion="variance" if multilabel else criterion)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags
