"""What all estimators share: encode, build, build, objective, solve, store."""

from __future__ import annotations

import sys
import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ..exceptions import UnreachedWarning
from ..linalg.numbers import is_count
from ..losses import Loss
from ..objective import Objective
from ..operators import Operator
from ..progress import Counter
from ..selection import is_auto, select
from ..solvers import Status, check_solver_loss, check_solver_name, choose_solver
from ..spaces import Element, Space, check_space, choose_space
from ..targets import Targets, as_labels, encode_classes, encode_real, unlabelled_mask
from .documentation import PARAMETERS, document
from .point_cloud import DEFAULTS, PointCloudModel, graph_points

__all__ = ["PARAMETERS", "Classifier", "ManifoldModel", "Regressor", "document", "unreached"]


class ManifoldModel(PointCloudModel):
    """The frame of every estimator that minimises the equation; abstract.

    Subclasses say which loss and how targets are read (:class:`Classifier`,
    :class:`Regressor`); nothing else differs.
    """

    _selects = True  # whether "auto" is searched for; else it is the rule

    def __init__(
        self,
        *,
        kernel="auto",
        regularizer="auto",
        gamma_A="auto",
        gamma_I="auto",
        fit_intercept="auto",
        space="auto",
        solver="auto",
        tol=None,
        max_iter=None,
        random_state=None,
        verbose=0,
    ):
        self.kernel = kernel
        self.regularizer = regularizer
        self.gamma_A = gamma_A
        self.gamma_I = gamma_I
        self.fit_intercept = fit_intercept
        self.space = space
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.verbose = verbose

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_space(self.space)
        check_solver_name(self.solver)
        if self.max_iter is not None and not is_count(self.max_iter):
            raise ValueError(f"max_iter={self.max_iter!r} must be None or a positive integer.")
        if not is_auto(self.fit_intercept) and not isinstance(self.fit_intercept, bool | np.bool_):
            raise ValueError(f"fit_intercept={self.fit_intercept!r} must be True, False or 'auto'.")

    @abstractmethod
    def _loss(self) -> Loss: ...

    @abstractmethod
    def _encode(self, y, sample_weight) -> Targets: ...

    @abstractmethod
    def _decode(self, readout: np.ndarray) -> np.ndarray: ...

    def fit(self, X, y, sample_weight=None):
        """Learn from the labelled and the unlabelled rows of X.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
            All points. With ``kernel="precomputed"``, the (n, n) Gram matrix.
        y : array of shape (n,), or (n, t) for regression
            Unlabelled rows: −1 among integers, None/NaN/pd.NA among strings and floats.
        sample_weight : array of shape (n,), optional
            Enters the loss only; 0 means unlabelled.

        Returns
        -------
        self
        """
        X, targets, weights = self._validate(X, y, sample_weight)
        self._choose(X, targets, weights)
        objective = self._objective(X, targets, weights)
        self._solve(objective)
        self._store(objective, targets, objective.operator)
        return self

    def _choose(self, X, targets: Targets, weights: np.ndarray) -> None:
        """Find what was left to "auto" on the labelled rows (:func:`lapwing.selection.select`)."""
        given = {name: getattr(self, name, None) for name in DEFAULTS}
        if not self._selects or not any(map(is_auto, given.values())):
            self._chosen, self.selection_ = DEFAULTS, None
            return
        check_solver_loss(self.solver, self._loss())  # before any work
        self.selection_ = select(
            X,
            targets.Y,
            weights,
            targets.codes,
            0 if targets.classes is None else len(targets.classes),
            given=given,
            points=graph_points,
            space=self.space,
            random_state=self.random_state,
        )
        self._chosen = self.selection_.choice
        if self.verbose:
            sys.stderr.write(f"{type(self).__name__}  {self.selection_}\n")

    def _objective(self, X, targets: Targets, weights: np.ndarray) -> Objective:
        loss = self._loss()
        check_solver_loss(self.solver, loss)
        self.kernel_ = self._build_kernel(X)
        # The space first: memory that is not there is said before neighbours are searched.
        space = self._space(X, targets)
        operator = self._operator(X, targets.codes, self._part("gamma_I"))
        gamma_A, gamma_I = self._gammas(X, operator)
        return Objective(loss, targets.Y, weights, space, operator, gamma_A, gamma_I)

    def _space(self, X, targets: Targets) -> Space:
        return choose_space(self.space, self.kernel_, X, self._part("fit_intercept"))

    def _validate(self, X, y, sample_weight):
        self._check_parameters()
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        X = self._validate_points(X)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
        targets = self._encode(y, sample_weight)
        if len(targets.Y) != X.shape[0]:
            raise ValueError(
                f"X has {X.shape[0]} rows but y has {len(targets.Y)}: give one label (or an "
                "unlabelled marker) per row."
            )
        return X, targets, targets.weights(sample_weight)

    def _solve(self, objective: Objective) -> None:
        label = type(self).__name__
        counter = Counter(label) if self.verbose else None
        options = self._solver_options()
        if counter is not None:
            options["progress"] = counter
        solver = choose_solver(self.solver, objective, self.tol, self.max_iter, **options)
        self.solution_ = solver.solve(objective)
        text = f"certificate {self.solution_.optimality:.1e} ({self.solution_.status.name.lower()})"
        if counter is not None:
            counter.close(f"{self.solution_.n_iter} iterations, {text}")
        if self.solution_.status is not Status.CONVERGED:
            warnings.warn(
                f"{label} did not converge: {self.solution_.status}. {text}.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _solver_options(self) -> dict[str, Any]:
        """What an earlier fit has left for the solver."""
        return {}

    def _store(self, objective: Objective, targets: Targets, operator: Operator) -> None:
        self.objective_ = objective
        self.regularizer_ = operator
        self.gamma_A_ = objective.gamma_A
        self.gamma_I_ = objective.lam * objective.n_rows**2
        self.coef_ = objective.space.public_coef(self.solution_.coef)
        self.intercept_ = self.solution_.coef[-1] if self._part("fit_intercept") else 0.0
        self.n_iter_ = max(1, self.solution_.n_iter)
        self.labelled_ = targets.labelled
        self.unreached_ = unreached(operator, targets.labelled)
        if self.unreached_.any():
            warnings.warn(
                f"{int(self.unreached_.sum())} of {len(self.unreached_)} points lie in components "
                "of the graph without a labelled point: no label reaches them and only the kernel "
                "tells their value. The mask is in unreached_; a larger k joins components.",
                UnreachedWarning,
                stacklevel=3,
            )
        found = Element(objective.space, self.solution_.coef, self.solution_.base)
        self.transduction_ = self._decode(found.readout)

    def _readout(self, X) -> np.ndarray:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return self.objective_.space.evaluate_at(X, self.solution_.coef)

    def predict(self, X):
        """Labels or values at new points, (n,) or (n, t); at training rows, the transduction."""
        return self._decode(self._readout(X))


def has_probability(model: ManifoldModel) -> bool:
    """Whether the model's loss gives probabilities."""
    if model._loss().probability(np.zeros((1, 1))) is not None:
        return True
    raise AttributeError(
        f"predict_proba needs the logistic loss: LapLogisticClassifier, or loss='logistic' where "
        f"{type(model).__name__} has that parameter."
    )


class Classifier(ClassifierMixin, ManifoldModel):
    """One-vs-rest on targets ±1, one column per class (one column for two classes); abstract."""

    def _encode(self, y, sample_weight):
        targets = encode_classes(y, sample_weight)
        self.classes_ = np.asarray(targets.classes)
        return targets

    def _decode(self, readout):
        if len(self.classes_) == 2:
            return self.classes_[(readout[:, 0] > 0).astype(int)]
        return self.classes_[readout.argmax(axis=1)]

    def decision_function(self, X):
        """The readout: (n,) for two classes, positive for ``classes_[1]``; else (n, n_classes)."""
        readout = self._readout(X)
        return readout[:, 0] if len(self.classes_) == 2 else readout

    @available_if(has_probability)
    def predict_proba(self, X):
        """P(class | x), (n, n_classes), rows summing to one; only with the logistic loss.

        P(y = 1 | x) = σ(f(x) + b), normalised over the classes where there are more than two.
        """
        return self._normalised(self._loss().probability(self._readout(X)))

    def _normalised(self, p) -> np.ndarray:
        """One row of probabilities per point, (n, n_classes), from one column per readout."""
        if len(self.classes_) == 2:
            return np.column_stack([1.0 - p[:, 0], p[:, 0]])
        # Far from every class all the p may underflow to 0 together: then nothing is known.
        total = p.sum(axis=1, keepdims=True)
        return np.where(total > 0, p / np.where(total > 0, total, 1.0), 1.0 / p.shape[1])

    def score(self, X, y, sample_weight=None):
        """Accuracy over the labelled rows of y; rows marked as unlabelled do not count."""
        labels = as_labels(y)
        seen = ~unlabelled_mask(labels, self.classes_)
        return _score(accuracy_score, self.predict(X), labels, seen, sample_weight)


class Regressor(RegressorMixin, ManifoldModel):
    """Real targets, (n,) or (n, t), entries missing one by one where they are NaN; abstract."""

    def _encode(self, y, sample_weight):
        targets = encode_real(y, sample_weight)
        self._flat = targets.flat
        return targets

    def _decode(self, readout):
        return readout[:, 0] if self._flat else readout

    def score(self, X, y, sample_weight=None):
        """R² over the rows of y without a NaN."""
        targets = encode_real(y)
        seen = np.broadcast_to(targets.observed, targets.Y.shape).all(axis=1)
        prediction = self.predict(X).reshape(targets.Y.shape)
        return _score(r2_score, prediction, targets.Y, seen, sample_weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _score(metric, prediction, truth, seen, sample_weight) -> float:
    if not seen.any():
        raise ValueError("No row of y is labelled: a score needs at least one.")
    weight = None if sample_weight is None else np.asarray(sample_weight)[seen]
    return metric(list(truth[seen]), prediction[seen], sample_weight=weight)


def unreached(operator: Operator, labelled: np.ndarray) -> np.ndarray:
    """True on points whose component of the graph holds no labelled point, (n,)."""
    if operator.graph is None:
        return np.zeros(len(labelled), dtype=bool)
    components = operator.graph.components
    return ~np.isin(components, components[labelled])
