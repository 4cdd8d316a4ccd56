"""Vector-valued manifold regularisation (VV): many outputs that share strength."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.metrics import accuracy_score
from sklearn.model_selection import KFold
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..solvers import choose_solver
from ..targets import LabelCoding, Targets, encode_multilabel, is_multilabel
from .base import Classifier, Regressor, document, has_probability
from .calibration import METHODS, calibrate
from .vector_base import PARAMETERS, VectorValued


def _gives_probability(model) -> bool:
    if model.probability:
        return True
    try:
        return has_probability(model)
    except AttributeError:
        raise AttributeError(
            "predict_proba needs probability=True (or 'isotonic') before fit, or loss='logistic'."
        ) from None


@document(PARAMETERS)
class VectorValuedRegressor(VectorValued, Regressor):
    """Several real targets that depend on each other, from few rows with targets and many without.

    Minimises over f: X → R^q in the space of the matrix-valued kernel k(x, z)·Q

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
    >>> model = VectorValuedRegressor(output_kernel=OutputGraph(gamma_O=0.5, k=1), gamma_I=0.1)
    >>> bool(np.abs(model.fit(X, Y).transduction_ - truth).max() < 0.1)
    True
    """

    _task = "regression"


@document(PARAMETERS)
class VectorValuedClassifier(VectorValued, Classifier):
    """Many labels at once, from few labelled rows and many unlabelled ones.

    Minimises over f: X → R^q in the space of the matrix-valued kernel k(x, z)·Q

        (1/l) Σ_observed V(y_ij, f_j(x_i) + b_j) + γ_A ‖f‖² + (γ_I/n²) ⟨f, (M ⊗ I) f⟩

    with y_ij = ±1 for label j of row i, and l the rows with at least one observed entry. Labels
    that are neighbours in the output graph share strength. A one-dimensional y is classes, one
    against the rest.

    Parameters
    ----------
    loss : str or Loss, default="squared"
        ``"squared"``, ``"hinge"``, ``"squared_hinge"``, ``"logistic"``, or any
        :class:`lapwing.losses.Loss`.
    probability : bool, "sigmoid" or "isotonic", default=False
        Offer ``predict_proba``: scores of held-out labelled rows (``cv`` folds, each a fit of its
        own) are calibrated label by label. True is "sigmoid".
    cv : int, default=5
        Folds over the labelled rows behind ``probability``.
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
    >>> Y[60:] = np.nan                      # 60 labelled rows
    >>> outputs = OutputGraph(gamma_O=0.9, k=2)
    >>> model = VectorValuedClassifier(output_kernel=outputs).fit(X, Y)
    >>> bool(macro_auc(truth[60:], model.decision_function(X)[60:]) > 0.75)
    True
    """

    _task = "classification"

    def __init__(
        self,
        *,
        loss="squared",
        output_kernel=None,
        output_regularizer=None,
        probability=False,
        cv=5,
        kernel="rbf",
        regularizer=None,
        gamma_A="auto",
        gamma_I="auto",
        fit_intercept=True,
        space="auto",
        solver="auto",
        tol=None,
        max_iter=None,
        random_state=None,
        verbose=0,
    ):
        super().__init__(
            loss=loss,
            output_kernel=output_kernel,
            output_regularizer=output_regularizer,
            kernel=kernel,
            regularizer=regularizer,
            gamma_A=gamma_A,
            gamma_I=gamma_I,
            fit_intercept=fit_intercept,
            space=space,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            random_state=random_state,
            verbose=verbose,
        )
        self.probability = probability
        self.cv = cv

    def fit(self, X, y, sample_weight=None):
        """Learn from the labelled and the unlabelled rows of X.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
            All points. With ``kernel="precomputed"``, the (n, n) Gram matrix.
        y : array or sparse matrix of shape (n, q), sequence of label sets, or array of shape (n,)
            Indicators 0/1 or −1/1 with NaN where an entry is not known (predictions come in the
            same coding); or a set of labels per row, None for an unlabelled row; or classes, with
            −1 (integers) or None/NaN for unlabelled rows.
        sample_weight : array of shape (n,), optional
            Enters the loss only; 0 means unlabelled.

        Returns
        -------
        self
        """
        super().fit(X, y, sample_weight)
        if self.probability:
            self._calibrate(y, sample_weight)
        return self

    def _check_parameters(self):
        super()._check_parameters()
        if self.probability not in (False, True, *METHODS):
            raise ValueError(
                f"probability={self.probability!r}; expected False, True, 'sigmoid' or 'isotonic'."
            )
        if not isinstance(self.cv, int | np.integer) or isinstance(self.cv, bool) or self.cv < 2:
            raise ValueError(f"cv={self.cv!r} must be an integer of at least 2.")

    def _encode(self, y, sample_weight):
        self._coding: LabelCoding | None = None
        if not is_multilabel(y):
            return super()._encode(y, sample_weight)
        targets, self.classes_, self._coding = encode_multilabel(y, sample_weight)
        return targets

    def _decode(self, readout):
        if self._coding is None:
            return super()._decode(readout)
        return self._coding.decode(readout > 0)

    def decision_function(self, X):
        """The readout: (n, n_labels); for classes (n, n_classes), or (n,) for two."""
        check_is_fitted(self)
        return super().decision_function(X) if self._coding is None else self._readout(X)

    def score(self, X, y, sample_weight=None):
        """Accuracy over the labelled rows: for labels, the share of rows with every label right."""
        check_is_fitted(self)
        if self._coding is None:
            return super().score(X, y, sample_weight)
        truth = self._coding.encode_truth(y)
        seen = ~np.isnan(truth).any(axis=1)
        if not seen.any():
            raise ValueError("No row of y is labelled: a score needs at least one.")
        weight = None if sample_weight is None else np.asarray(sample_weight)[seen]
        positive = self._readout(X)[seen] > 0
        return accuracy_score(truth[seen] > 0, positive, sample_weight=weight)

    @available_if(_gives_probability)
    def predict_proba(self, X):
        """P(label | x), shape (n, n_labels); for classes (n, n_classes), rows summing to one."""
        readout = self._readout(X)
        if self.probability:
            columns = [c.predict(readout[:, j]) for j, c in enumerate(self._calibrations)]
            p = np.column_stack(columns)
        else:
            p = self._loss().probability(readout)
        return p if self._coding is not None else self._normalised(p)

    def _calibrate(self, y, sample_weight) -> None:
        """Cross-fitting: every labelled row is scored by a model that did not see its labels."""
        targets = self._encode(y, sample_weight)
        rows = np.flatnonzero(self.labelled_)
        if len(rows) < self.cv:
            raise ValueError(
                f"probability={self.probability!r} needs at least cv={self.cv} labelled rows, got "
                f"{len(rows)}: lower cv or set probability=False."
            )
        scores = np.zeros_like(targets.Y)
        for _, held in KFold(self.cv, shuffle=True, random_state=0).split(rows):
            scores[rows[held]] = self._held_out(targets, rows[held])
        method = "sigmoid" if self.probability is True else self.probability
        self._calibrations = calibrate(method, scores, targets.Y, targets.observed)

    def _held_out(self, targets: Targets, held: np.ndarray) -> np.ndarray:
        """The readout at labelled rows of a model to which these rows were unlabelled."""
        whole = self.objective_
        weights = np.zeros((whole.n_rows, whole.w.shape[1]))
        weights[whole.rows] = whole.w
        weights[held] = 0.0
        weights /= weights.max(axis=1).sum()
        kept = replace(targets, observed=targets.observed & (weights.max(axis=1) > 0)[:, None])
        objective = whole.relabelled(targets.Y, weights)
        if self.output_kernel is not None:  # an output graph does not see the held-out labels
            objective.space = self._vector_space(self._output_kernels(kept))
            del objective.deformation
        coef = choose_solver(self.solver, objective, self.tol, self.max_iter).solve(objective).coef
        return objective.space.element(coef).readout[held]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags
