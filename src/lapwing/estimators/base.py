"""What all estimators share: encode, build, build, objective, solve, store."""

from __future__ import annotations

import sys
import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ..confidence import (
    Confidence,
    ErrorEstimate,
    Queries,
    by_error,
    by_variance,
    transductive_bound,
)
from ..exceptions import UnreachedWarning
from ..linalg.numbers import is_count, is_number
from ..losses import Loss
from ..objective import Objective
from ..operators import Operator
from ..progress import Counter
from ..regularizers import get_regularizer
from ..regularizers.base import stacked
from ..selection import Selection, is_auto, select
from ..solvers import Status, check_solver_loss, check_solver_name, choose_solver
from ..spaces import Element, FirstRows, Space, WithOffsets, check_space, choose_space
from ..targets import (
    Targets,
    as_labels,
    encode_classes,
    encode_real,
    real_truth,
    unlabelled_mask,
    with_missing,
)
from .choice import probe
from .classes import class_shares, class_weights, mass_offsets
from .documentation import CLASSIFIER_PARAMETERS, PARAMETERS, document
from .point_cloud import DEFAULTS, SELECTED, PointCloudModel, graph_points
from .state import all_or_nothing

__all__ = [
    "CLASSIFIER_PARAMETERS",
    "PARAMETERS",
    "Classifier",
    "ManifoldModel",
    "Regressor",
    "document",
    "unreached",
]


class ManifoldModel(PointCloudModel):
    """The frame of every estimator that minimises the equation; abstract.

    Subclasses say which loss and how targets are read (:class:`Classifier`,
    :class:`Regressor`); nothing else differs.
    """

    _offset: np.ndarray | float = 0.0  # what class masses add to the readout

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
        unlabelled="auto",
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
        self.unlabelled = unlabelled

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
        with all_or_nothing(self):
            X, targets, weights = self._validate(X, y, sample_weight)
            self._choose(X, targets, weights)
            objective = self._objective(X, targets, weights)
            self._solve(objective)
            self._store(objective, targets, objective.operator)
        return self

    def _choose(self, X, targets: Targets, weights: np.ndarray) -> None:
        """Find what was left to "auto" on the labelled rows."""
        self._chosen = DEFAULTS
        self.selection_ = self._select(X, targets, weights)
        if self.selection_ is None:
            return
        self._chosen = {**DEFAULTS, **self.selection_.choice}
        if self.verbose:
            sys.stderr.write(f"{type(self).__name__}  {self.selection_}\n")

    def _select(self, X, targets: Targets, weights: np.ndarray) -> Selection | None:
        """The choice (:func:`lapwing.selection.select`); None where nothing is to choose."""
        given = {name: getattr(self, name, None) for name in SELECTED}
        # what a regularizer adds to the points has no part in the search: the rule then holds
        own = given["regularizer"]
        added = not is_auto(own) and get_regularizer(own).adds_points
        if added or not any(map(is_auto, given.values())):
            return None
        check_solver_loss(self.solver, self._loss())  # before any work
        return select(
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

    def _probe(self, settings: dict[str, Any]):
        """A copy that takes the settings for "auto", for a search to ask."""
        return probe(self, settings)

    def _objective(self, X, targets: Targets, weights: np.ndarray) -> Objective:
        loss = self._loss().build(targets.Y, targets.observed)
        check_solver_loss(self.solver, loss)
        self.kernel_ = self._build_kernel(X)
        # The space first: memory that is not there is said before neighbours are searched.
        self._say(f"functions over {X.shape[0]} points")
        space = self._space(X, targets)
        self._say("graph and regularizer")
        operator = self._operator(X, targets.codes, self._part("gamma_I"))
        gamma_A, gamma_I = self._gammas(X, operator)
        return Objective(loss, targets.Y, weights, space, operator, gamma_A, gamma_I)

    def _space(self, X, targets: Targets) -> Space:
        return self._space_over(self.space, self.kernel_, X, targets, self._part("fit_intercept"))

    def _space_over(self, rule, kernel, X, targets: Targets, fit_intercept: bool) -> Space:
        """Over the rows of X, and the points that the regularizer adds to them."""
        smooth, regularizer = self._part("gamma_I") != 0, self._resolve_regularizer()
        if not regularizer.adds_points or not smooth:
            return choose_space(rule, kernel, X, fit_intercept, smooth)
        if self._precomputed:
            raise ValueError(
                "The regularizer transforms points, but with kernel='precomputed' there are none: "
                "give a kernel on points."
            )
        everything = stacked([X, regularizer.extra_points(X, targets.codes)])
        space = FirstRows(choose_space(rule, kernel, everything, False), X.shape[0])
        return WithOffsets(space) if fit_intercept else space

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
        return X, targets, targets.weights(self._row_weights(targets, sample_weight))

    def _row_weights(self, targets: Targets, sample_weight):
        """What the loss of each row counts; None is 1."""
        return sample_weight

    def _solve(self, objective: Objective) -> None:
        label = type(self).__name__
        counter = Counter(label) if self.verbose else None
        self._say(f"{len(objective.rows)} labelled rows, {objective.n_columns} columns: solving")
        options = self._solver_options()
        if counter is not None:
            options["progress"] = counter
        solver = choose_solver(self.solver, objective, self.tol, self.max_iter, **options)
        self.solution_ = solver.solve(objective)
        text = f"certificate {self.solution_.optimality:.1e} ({self.solution_.status.name.lower()})"
        if counter is not None:
            counter.say(f"{self.solution_.n_iter} iterations, {text}")
        if self.solution_.status is not Status.CONVERGED:
            warnings.warn(
                f"{label} did not converge: {self.solution_.status}. {text}.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _say(self, stage: str) -> None:
        if self.verbose:
            Counter(type(self).__name__).say(stage)

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
        codes = None if targets.classes is None else targets.codes[objective.rows]
        self._confidence = Confidence(objective, codes, signs=is_classifier(self))
        found = Element(objective.space, self.solution_.coef, self.solution_.base)
        self.transduction_ = self._decode(self._adjusted(found.readout))
        self.extension_ = objective.space.extension(self._answers(found.readout))

    def _adjusted(self, readout: np.ndarray) -> np.ndarray:
        """The readout as it is decoded; learned from the training rows."""
        return readout

    def _readout(self, X) -> np.ndarray:
        check_is_fitted(self)
        if self.extension_ is not None:
            return self.extension_(self._checked(X))
        return self.objective_.space.evaluate_at(self._checked(X), self.solution_.coef)

    def _checked(self, X):
        """New points as the space takes them."""
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)

    def _answers(self, readout: np.ndarray) -> np.ndarray:
        """What an ambient view is to learn of the readout at the training rows, (n, t)."""
        return readout

    def predict(self, X):
        """Labels or values at new points, (n,) or (n, t).

        At training rows they are the transduction; not so with ``space="graph"`` (automatic
        above 12,000 rows), where the graph answers for its points and an ambient function, which
        has learned from these answers, for all others.
        """
        return self._decode(self._readout(X))

    @property
    def leave_one_out_(self) -> np.ndarray:
        """What the fit says of each labelled row without its label: scores or values, (n, t).

        NaN at unlabelled rows and entries. The row stays as an unlabelled one.
        """
        check_is_fitted(self)
        out = np.full((self.objective_.n_rows, self.objective_.n_columns), np.nan)
        out[self.objective_.rows] = self._confidence.unseen
        return out

    @property
    def suspicious_labels_(self) -> np.ndarray:
        """Training rows whose label the other labels contradict, the worst first.

        Classes: another class has the larger leave-one-out score. Real targets: the leave-one-out
        residual is beyond three robust standard deviations.
        """
        check_is_fitted(self)
        return self._confidence.suspicious

    def novelty(self, X) -> np.ndarray:
        """How far each row of X is from all that is known, (n,): 0 is known, 1 is far.

        The share of the prior variance k(x, x)/γ_A that the deformed kernel's Gaussian process
        keeps after all points and labels were seen. With a kernel that does not fall with the
        distance (linear, polynomial) no point is far.
        """
        check_is_fitted(self)
        return self._confidence.novelty(self._checked(X))

    def _unsure(self, X, abstain: float) -> np.ndarray:
        if not is_number(abstain) or not 0 < abstain < 1:
            raise ValueError(f"abstain={abstain!r} must be None or a number between 0 and 1.")
        return self.novelty(X) > abstain

    def _queries(self, n, criterion: str, criteria: tuple[str, ...]) -> Queries:
        check_is_fitted(self)
        if not is_count(n):
            raise ValueError(f"n={n!r} must be a positive integer: how many rows to label.")
        if criterion not in criteria:
            raise ValueError(f"criterion={criterion!r} must be one of {criteria}.")
        if self.labelled_.all():
            raise ValueError("Every row is labelled: there is none left to ask for.")
        return Queries(self.objective_)


class Classifier(ClassifierMixin, ManifoldModel):
    """One-vs-rest on targets ±1, one column per class (one column for two classes); abstract."""

    class_weight: Any = None
    class_prior: Any = None

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
        unlabelled="auto",
        class_weight=None,
        class_prior=None,
    ):
        super().__init__(
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
            unlabelled=unlabelled,
        )
        self.class_weight = class_weight
        self.class_prior = class_prior

    def _row_weights(self, targets, sample_weight):
        if self.class_weight is None:
            return sample_weight
        weights = class_weights(self.class_weight, targets.codes, self.classes_)
        return weights if sample_weight is None else weights * sample_weight

    def _adjusted(self, readout):
        self._offset = 0.0
        if self.class_prior is not None:
            codes = self._confidence.codes
            assert codes is not None
            prior = class_shares(self.class_prior, self.classes_, codes)
            self._offset = mass_offsets(readout, prior)
        return readout + self._offset

    def _readout(self, X):
        return super()._readout(X) + self._offset

    def _encode(self, y, sample_weight):
        targets = encode_classes(y, sample_weight, self.unlabelled)
        self.classes_ = np.asarray(targets.classes)
        return targets

    def _decode(self, readout):
        if len(self.classes_) == 2:
            return self.classes_[(readout[:, 0] > 0).astype(int)]
        return self.classes_[readout.argmax(axis=1)]

    def _answers(self, readout):
        """The decisions, ±the mean size of the readout: a graph's values fade far from labels."""
        columns = np.arange(readout.shape[1])
        won = readout > 0 if len(self.classes_) == 2 else readout.argmax(axis=1)[:, None] == columns
        return np.where(won, 1.0, -1.0) * np.mean(np.abs(readout))

    def decision_function(self, X):
        """The readout: (n,) for two classes, positive for ``classes_[1]``; else (n, n_classes)."""
        readout = self._readout(X)
        return readout[:, 0] if len(self.classes_) == 2 else readout

    def predict(self, X, *, abstain=None):
        """Classes at new points, (n,); at training rows, the transduction.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
        abstain : float in (0, 1), optional
            Answer with the unlabelled marker (−1, NaN or None) where ``novelty`` is above this:
            0.5 is where points and labels leave half of the prior variance.
        """
        predicted = super().predict(X)
        return predicted if abstain is None else withheld(predicted, self._unsure(X, abstain))

    def predict_proba(self, X):
        """P(class | x), (n, n_classes), rows summing to one, whatever the loss.

        With the logistic loss σ(f(x) + b), normalised over the classes where there are more than
        two; with any other loss softmax(a f), a fitted to the leave-one-out scores of the labelled
        rows (:class:`lapwing.confidence.Temperature`), so that the largest probability is where
        ``predict`` says.
        """
        readout = self._readout(X)
        p = self._loss().probability(readout)
        return self._confidence.temperature.predict(readout) if p is None else self._normalised(p)

    def next_to_label(self, n=1, *, criterion="error") -> np.ndarray:
        """The unlabelled training rows whose labels would help most, best first, (n,).

        Parameters
        ----------
        n : int
        criterion : {"error", "variance"}
            "error": the smallest expected error once the label is known (Zhu, Lafferty,
            Ghahramani 2003). "variance": the largest fall of the deformed kernel's variance over
            all points, which does not depend on labels. Both by rank-one updates, without a refit.
        """
        queries = self._queries(n, criterion, ("error", "variance"))
        if criterion == "variance":
            return by_variance(queries, n)
        found = self.objective_.space.element(self.solution_.coef)
        q = len(self.classes_)
        targets = np.array([[-1.0], [1.0]]) if q == 2 else 2.0 * np.eye(q) - 1.0
        probability = self._confidence.temperature.predict
        return by_error(queries, found.readout[queries.rows], targets, probability, n)

    def error_bound(self, *, delta=0.05, n_candidates=None) -> ErrorEstimate:
        """What can be promised, and what is likely, of the errors at the unlabelled rows.

        Parameters
        ----------
        delta : float in (0, 1)
            The promise holds with probability 1 − δ over which rows were labelled.
        n_candidates : int, optional
            How many settings, fixed beforehand, the labels chose among (the size of a grid). None
            are those of the estimator's own search (``selection_.n_candidates``), or 1.

        Returns
        -------
        ErrorEstimate
            ``bound``, the transductive Rademacher bound with ``valid``, ``reasons`` and
            ``vacuous`` (:func:`lapwing.confidence.transductive_bound`), and ``leave_one_out``.
        """
        check_is_fitted(self)
        if n_candidates is None:
            n_candidates = max(1, self.selection_.n_candidates) if self.selection_ else 1
        bound = transductive_bound(
            self.objective_, self.solution_.coef, delta=delta, n_candidates=n_candidates,
            reasons=self._broken_conditions(),
        )  # fmt: skip
        wrong = (self._confidence.margins < 0).astype(float)
        spread = float(np.sqrt(wrong.mean() * (1.0 - wrong.mean()) / len(wrong)))
        return ErrorEstimate(bound, float(wrong.mean()), spread)

    def _broken_conditions(self) -> list[str]:
        """What the bound asks for and this fit does not keep."""
        reasons = []
        if self.class_prior is not None:
            reasons.append("class_prior shifts the scores after the fit")
        if getattr(self._chosen_regularizer(), "reads_labels", False):
            reasons.append("the regularizer was built from the labels")
        return reasons

    def _chosen_regularizer(self):
        return self._part("regularizer") if "regularizer" in self.get_params(deep=False) else None

    def _normalised(self, p) -> np.ndarray:
        """One row of probabilities per point, (n, n_classes), from one column per readout."""
        if len(self.classes_) == 2:
            return np.column_stack([1.0 - p[:, 0], p[:, 0]])
        # Far from every class all the p may underflow to 0 together: then nothing is known.
        total = p.sum(axis=1, keepdims=True)
        return np.where(total > 0, p / np.where(total > 0, total, 1.0), 1.0 / p.shape[1])

    def score(self, X, y, sample_weight=None):
        """Accuracy over the labelled rows of y; rows marked as unlabelled do not count."""
        check_consistent_length(X, y)
        labels = as_labels(y)
        seen = ~unlabelled_mask(labels, self.classes_, self.unlabelled)
        return _score(accuracy_score, self.predict(X), labels, seen, sample_weight)


class Regressor(RegressorMixin, ManifoldModel):
    """Real targets, (n,) or (n, t), entries missing one by one where they are NaN; abstract."""

    def _encode(self, y, sample_weight):
        targets = encode_real(with_missing(y, self.unlabelled), sample_weight)
        self._flat = targets.flat
        return targets

    def _decode(self, readout):
        return readout[:, 0] if self._flat else readout

    def predict(self, X, *, return_std=False, abstain=None):
        """Values at new points, (n,) or (n, t); at training rows, the transduction.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
        return_std : bool
            Also the standard deviation of a new y at each point and target, of the same shape:
            that of the deformed kernel's Gaussian process, noise included and scaled by the
            leave-one-out residuals (:class:`lapwing.confidence.Posterior`). Squared loss only.
        abstain : float in (0, 1), optional
            Answer NaN where ``novelty`` is above this.

        Returns
        -------
        array, or (array, array)
        """
        values = super().predict(X)
        if abstain is not None:
            values = withheld(values, self._unsure(X, abstain))
        if not return_std:
            return values
        return values, self._decode(self._confidence.posterior.deviation(self._checked(X)))

    def next_to_label(self, n=1) -> np.ndarray:
        """The n unlabelled training rows whose targets lower the total variance most, best first.

        One after the other, by rank-one updates of the deformed kernel's posterior covariance.
        """
        return by_variance(self._queries(n, "variance", ("variance",)), n)

    def score(self, X, y, sample_weight=None):
        """R² of each target over the rows where it is observed, averaged over the targets."""
        check_consistent_length(X, y)
        truth = real_truth(with_missing(y, self.unlabelled))
        return score_entries(r2_score, truth, self.predict(X), sample_weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def withheld(predicted: np.ndarray, unsure: np.ndarray) -> np.ndarray:
    """Predictions with the unlabelled marker where there is no answer: −1, NaN or None."""
    if predicted.dtype.kind == "f":
        out = predicted.copy()
        out[unsure] = np.nan
    elif predicted.dtype.kind == "i" and predicted.ndim == 1 and -1 not in predicted:
        out = np.where(unsure, -1, predicted)
    else:
        out = predicted.astype(object)
        out[unsure] = None
    return out


def score_entries(metric, truth, prediction, sample_weight=None) -> float:
    """The metric of each column over its observed entries, averaged over the columns.

    Columns with a single observed entry, where R² does not exist, count only if all are such.

    Parameters
    ----------
    metric : callable
        ``metric(truth, prediction, sample_weight=…)`` on one column.
    truth : array of shape (n, t)
        NaN where an entry is not known.
    prediction : array of shape (n,) or (n, t)
    sample_weight : array of shape (n,), optional
    """
    prediction = np.asarray(prediction).reshape(truth.shape)
    seen = ~np.isnan(truth)
    counts = seen.sum(axis=0)
    columns = np.flatnonzero(counts >= max(1, min(2, counts.max(initial=0))))
    if not len(columns):
        raise ValueError("No entry of y is labelled: a score needs at least one.")
    return float(
        np.mean(
            [
                _score(metric, prediction[:, j], truth[:, j], seen[:, j], sample_weight)
                for j in columns
            ]
        )
    )


def _score(metric, prediction, truth, seen, sample_weight) -> float:
    if not seen.any():
        raise ValueError("No row of y is labelled: a score needs at least one.")
    weight = None if sample_weight is None else np.asarray(sample_weight)[seen]
    return metric(list(truth[seen]), prediction[seen], sample_weight=weight)


def unreached(operator: Operator, labelled: np.ndarray) -> np.ndarray:
    """True on points whose component of the graph holds no labelled point, (n,)."""
    if operator.graph is None:
        return np.zeros(len(labelled), dtype=bool)
    components = operator.graph.components[: len(labelled)]
    return ~np.isin(components, components[labelled])
