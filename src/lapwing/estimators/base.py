"""What all estimators share: encode, build, build, objective, solve, store."""

import sys
from abc import ABC
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ..confidence import Diagnostics
from ..exceptions import ChanceWarning, UnreachedWarning, warn
from ..graphs import Distances
from ..kernels import Kernel, check_magnitude, get_kernel
from ..kernels.precomputed import kernel_distances
from ..linalg.threads import threads_for
from ..losses import Loss, loss_for
from ..objective import Objective, Status, above_rounding
from ..operators import Operator, ZeroOperator
from ..parameters.arguments import AUTO, is_auto
from ..parameters.checks import is_count, is_number, is_positive
from ..parameters.fit_cache import FitCache
from ..parameters.spelling import NamedParameters
from ..progress import Counter
from ..regularizers import Regularizer, get_regularizer
from ..regularizers.base import stacked
from ..selection import (
    Selection,
    ambient_rule,
    in_numbers,
    intrinsic_rule,
    multiple_of_rule,
    select,
)
from ..solvers import Solver, check_solver_loss, check_solver_name, choose_solver
from ..solvers.kept import OnKept
from ..spaces import (
    Element,
    GraphValues,
    Space,
    WithExtraPoints,
    WithFreeFunctions,
    check_space,
    choose_space,
)
from ..targets import Targets, checked_weights
from ..targets.doubts import say_all_labeled
from .choice import probe
from .classes import class_shares, class_weights, mass_offsets
from .confident import DiagnosticsMixin
from .parameters import NestedParts
from .reuse import content_key
from .state import Saved
from .validation import validate_points
from .warm import WarmFit, fingerprint

DEFAULTS = {
    "kernel": "rbf",
    "regularizer": "laplacian",
    "gamma_A": "rule",
    "gamma_I": "rule",
    "fit_intercept": True,
    "gamma_C": "rule",
    "gamma_M": "rule",
    "n_components": "rule",
    "output_kernel": None,
}
"""What "auto" means where nothing is searched for."""

SELECTED = ("kernel", "regularizer", "gamma_A", "gamma_I", "fit_intercept")
"""What :func:`lapwing.selection.select` chooses."""


class PointCloudModel(FitCache, Saved, NestedParts, NamedParameters, ABC):
    """A kernel, a regularizer and two γ's over the rows of X; abstract."""

    kernel: Any
    regularizer: Any
    gamma_A: Any
    gamma_I: Any
    tol: Any
    random_state: Any
    kernel_: Any

    _weights: tuple[str, ...] = ("gamma_A", "gamma_I")
    _chosen = DEFAULTS  # what stands for "auto"; fit replaces it by what it found

    def _part(self, name: str):
        """A parameter as it was given, or as it was chosen; γ_I is 0 without a regularizer."""
        value = getattr(self, name)
        if name == "gamma_I" and getattr(self, "regularizer", AUTO) is None:
            return 0.0
        return self._chosen.get(name, value) if is_auto(value) else value

    def _validate_points(self, X):
        # a Gram matrix keeps its precision until it is checked
        dtype = [np.float64, np.float32] if self._precomputed else np.float64
        X = validate_points(self, X, accept_sparse="csr", dtype=dtype, ensure_min_samples=2)
        if self._precomputed and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs the square Gram matrix of the training rows, got "
                f"shape {X.shape}."
            )
        return X

    def _build_kernel(self, X):
        return self._cached(lambda: self._built_kernel(X), "kernel", self._part("kernel"))

    def _built_kernel(self, X) -> Kernel:
        kernel = self._resolve_kernel().build(X, self.random_state)
        check_magnitude(kernel, X)
        return kernel

    def _resolve_kernel(self) -> Kernel:
        return get_kernel(self._part("kernel"))

    def _check_parameters(self) -> None:
        for name in self._weights:
            value = getattr(self, name)
            if isinstance(value, str):
                known = is_auto(value) or multiple_of_rule(value) is not None
            else:
                known = is_number(value) and value >= 0
            if not known:
                raise ValueError(
                    f"{name}={value!r} must be a finite number >= 0, 'auto', 'rule', or a multiple "
                    "such as '0.1*rule'."
                )
        if "gamma_A" in self._weights and vanishes(self.gamma_A):
            raise ValueError("gamma_A=0 must be positive: the limit is a small number like 1e-9.")
        if self.tol is not None and not is_positive(self.tol):
            raise ValueError(f"tol={self.tol!r} must be a positive number, or None.")

    def _gammas(self, X, operator: Operator) -> tuple[float, float]:
        """γ_A and γ_I as numbers: given, or by rule (:mod:`lapwing.selection.rules`)."""
        gamma_A, gamma_I = self._part("gamma_A"), self._part("gamma_I")
        if isinstance(gamma_A, str):
            gamma_A = in_numbers(gamma_A, ambient_rule(self._diagonal(X)))
        if isinstance(gamma_I, str):
            rule = self._cached(lambda: intrinsic_rule(operator), "rule", operator)
            gamma_I = in_numbers(gamma_I, rule * X.shape[0] ** 2)
        return float(gamma_A), float(gamma_I)

    def _diagonal(self, X) -> np.ndarray:
        """k(x, x) of each row, (n,)."""
        return self.kernel_.diagonal(X)

    def _operator(self, X, codes: np.ndarray | None, gamma_I: float | str) -> Operator:
        if vanishes(gamma_I):
            return ZeroOperator(X.shape[0])
        return self._cached(
            lambda: self._in_codes(self._resolve_regularizer()).build(self._points(X), codes),
            "rows",
            self._part("regularizer"),
        )

    def _in_codes(self, regularizer) -> Regularizer:
        """A regularizer that may speak of classes by name, in terms of their codes."""
        found = get_regularizer(regularizer)
        return found.for_classes(vars(self).get("classes_")) if found.reads_labels else found

    def _points(self, X):
        """What a graph sees: the rows of X, or the distances that a Gram matrix stands for."""
        return graph_points(self.kernel_, X) if self._precomputed else X

    def _resolve_regularizer(self) -> Regularizer:
        return get_regularizer(self._part("regularizer"))

    @property
    def _precomputed(self) -> bool:
        try:
            return self._resolve_kernel().precomputed
        except (TypeError, ValueError):  # said where the kernel is built
            return False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._precomputed
        return tags


class ManifoldModel(DiagnosticsMixin, PointCloudModel):
    """The frame of every estimator that minimizes the equation; abstract.

    Subclasses hand over how targets are read and which losses there are (``Classifier``,
    ``Regressor``, and the estimators themselves).
    """

    _offset: np.ndarray | float = 0.0  # what class masses add to the readout

    fit_intercept: Any
    space: Any
    loss: Any
    solver: Any
    max_iter: Any
    verbose: Any
    unlabeled: Any
    class_weight: Any = None
    class_prior: Any = None
    warm_start: Any = False

    _warm: WarmFit | None = None
    _warms = False  # whether a fit leaves its penalties for the next one
    _penalties = (*SELECTED, "space", "random_state")

    _task: str  # the kind of losses: "classification" or "regression"
    _losses: Mapping[str, type[Loss]] | None = None  # the names that ``loss`` may be; None is any
    _reads: Callable[..., Targets]  # (y, sample_weight, marker) ↦ targets

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_space(self.space)
        check_solver_name(self.solver)
        if self.max_iter is not None and not is_count(self.max_iter):
            raise ValueError(f"max_iter={self.max_iter!r} must be None or a positive integer.")
        if not isinstance(self.warm_start, bool | np.bool_):
            raise ValueError(f"warm_start={self.warm_start!r} must be True or False.")
        if not is_auto(self.fit_intercept) and not isinstance(self.fit_intercept, bool | np.bool_):
            raise ValueError(f"fit_intercept={self.fit_intercept!r} must be True, False or 'auto'.")

    def _loss(self) -> Loss:
        """V: any loss for the kind of targets, or one of the estimator's own."""
        if self._losses is None:
            return loss_for(self.loss, self._task)
        if self.loss not in self._losses:
            raise ValueError(
                f"loss={self.loss!r} is none of {type(self).__name__}'s: give one of "
                f"{tuple(self._losses)}, or use ManifoldClassifier for any other loss."
            )
        return self._losses[self.loss]()

    def _built_loss(self, targets: Targets) -> Loss:
        loss = self._loss()
        return loss if loss.build is None else loss.build(targets.Y, targets.observed)

    def _encode(self, y, sample_weight) -> Targets:
        targets = self._reads(y, sample_weight, self.unlabeled)
        self._code = targets.coding
        if targets.classes is not None:
            self.classes_ = np.asarray(targets.classes)
        return targets

    def _decode(self, readout: np.ndarray) -> np.ndarray:
        return self._code.decode(readout)

    def fit(self, X, y, sample_weight=None):
        """Learn from the labeled and the unlabeled rows of X.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
            All points. With ``kernel="precomputed"``, the (n, n) Gram matrix.
        y : array of shape (n,), or (n, t) for regression
            Unlabeled rows: −1 among integers, None/NaN/pd.NA among strings and floats.
        sample_weight : array of shape (n,), optional
            Enters the loss only; 0 means unlabeled.

        Returns
        -------
        self
        """
        with all_or_nothing(self):
            X, targets, weights = self._validate(X, y, sample_weight)
            if targets.observed.all() and self._wants_unlabeled():
                say_all_labeled(len(targets.Y), targets.classes)
            with threads_for(X.shape[0]):
                last = self._recall(X, targets)
                self._choose(X, targets, weights, last=last)
                objective = self._posed(X, targets, weights, last)
                self._solve(objective)
                self._store(objective, targets, objective.operator)
        return self

    def _wants_unlabeled(self) -> bool:
        """Whether a y without an unlabeled row is likely a mistake: the graph is asked for, and
        nobody said that there is no marker."""
        own = getattr(self, "regularizer", None)
        return (
            is_auto(self.unlabeled)
            and not vanishes(getattr(self, "gamma_I", 1.0))
            and (own is not None)
        )

    def _recall(self, X, targets: Targets) -> WarmFit | None:
        """What the last fit left, and a place for what this one will leave."""
        last, self._warm = self._warm, None
        if not (self.warm_start and self._warms):
            return None
        asked = content_key(*(getattr(self, name) for name in self._penalties), self._loss())
        n_classes = 0 if targets.classes is None else len(targets.classes)
        n_labels = int(targets.labeled.sum())
        self._warm = WarmFit(fingerprint(X), asked, n_labels=n_labels, n_classes=n_classes)
        return last

    def _posed(self, X, targets: Targets, weights: np.ndarray, last: WarmFit | None) -> Objective:
        """The objective, over the space, operator and factor of the last fit where these hold."""
        warm = self._warm
        if warm is None:
            return self._objective(X, targets, weights)
        own = self._part("regularizer")
        if not getattr(own, "reads_labels", False):
            warm.parts = content_key(*map(self._part, self._penalties), self.tol)
        if last is None or not last.holds_parts(warm.points, warm.parts):
            objective = self._objective(X, targets, weights)
            warm.keep(objective, None, self.tol is not None)
            return objective
        old, loss = last.objective, self._built_loss(targets)
        assert old is not None
        check_solver_loss(self.solver, loss)
        objective = old.with_labels(loss, targets.Y, weights)
        warm.keep(objective, last, self.tol is not None)
        return objective

    def _choose(
        self,
        X,
        targets: Targets,
        weights: np.ndarray,
        n_rows: int | None = None,
        last: WarmFit | None = None,
    ) -> None:
        """Find what was left to "auto" on the labeled rows, of which there are n in all."""
        self._chosen, warm = DEFAULTS, self._warm
        if warm is not None and last is not None and last.holds_choice(warm):
            warm.selection, warm.n_labels = last.selection, last.n_labels
            self.selection_ = last.selection
        else:
            with threads_for(1):  # many small systems
                self.selection_ = self._select(X, targets, weights, n_rows)
            if warm is not None:
                warm.selection = self.selection_
        if self.selection_ is None:
            return
        self._chosen = {**DEFAULTS, **self.selection_.choice}
        if self.selection_.guesses:
            warn(
                f"{type(self).__name__}: left-out labels are answered no better than by guessing "
                f"the commonest class or the mean ({self.selection_.reason}). The answers at "
                "unlabeled rows are then worth little: check the labels and the columns of X.",
                ChanceWarning,
            )
        if self.verbose:
            sys.stderr.write(f"{type(self).__name__}  {self.selection_}\n")

    def _select(
        self, X, targets: Targets, weights: np.ndarray, n_rows: int | None = None
    ) -> Selection | None:
        """The choice (:func:`lapwing.selection.select`); None where nothing is to choose.

        Graphs of all rows that the search has built are kept for the fit.
        """
        built: dict[int, Operator] = {}
        given = {name: getattr(self, name, None) for name in SELECTED}
        # what a regularizer adds to the points has no part in the search: the rule then holds
        own = given["regularizer"]
        if "regularizer" in self.get_params(deep=False) and own is None:
            given |= {"regularizer": DEFAULTS["regularizer"], "gamma_I": 0.0}
            own = given["regularizer"]
        added = not is_auto(own) and get_regularizer(own).adds_points
        if not is_auto(own) and get_regularizer(own).reads_labels:
            given["regularizer"] = self._in_codes(own)
        if added or not any(map(is_auto, given.values())):
            return None
        check_solver_loss(self.solver, self._loss())  # before any work
        found = select(
            X,
            targets.Y,
            weights,
            targets.codes,
            0 if targets.classes is None else len(targets.classes),
            given=given,
            points=graph_points,
            space=self.space,
            random_state=self.random_state,
            loss=self._loss(),
            n_rows=n_rows,
            built=built,
            say=self._say,
        )
        self._built = built
        return found

    def _probe(self, settings: dict[str, Any]):
        """A copy that takes the settings for "auto", for a search to ask."""
        return probe(self, settings)

    def _objective(self, X, targets: Targets, weights: np.ndarray) -> Objective:
        loss = self._built_loss(targets)
        check_solver_loss(self.solver, loss)
        self.kernel_ = self._build_kernel(X)
        # The space first: memory that is not there is said before neighbors are searched.
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
        smooth, regularizer = not vanishes(self._part("gamma_I")), self._resolve_regularizer()
        if not smooth:  # values on the points would be joined by nothing
            rows = np.flatnonzero(targets.labeled)
            rule = "auto" if isinstance(rule, GraphValues) or rule == "graph" else rule
            return choose_space(rule, kernel, X, fit_intercept, labeled=rows)
        if not regularizer.adds_points:
            return choose_space(rule, kernel, X, fit_intercept, smooth)
        if self._precomputed:
            raise ValueError(
                "The regularizer transforms points, but with kernel='precomputed' there are none: "
                "give a kernel on points."
            )
        if isinstance(rule, GraphValues) or rule == "graph":
            raise ValueError(
                f"The regularizer transforms points, but space={rule!r} has values on the given "
                "rows only: use 'auto', 'exact', 'blockwise', 'landmarks' or 'linear'."
            )
        everything = stacked([X, regularizer.extra_points(X, targets.codes)])
        space = WithExtraPoints(choose_space(rule, kernel, everything, False), X.shape[0])
        return WithFreeFunctions(space) if fit_intercept else space

    def _validate(self, X, y, sample_weight):
        self._check_parameters()
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        X = self._validate_points(X)
        sample_weight = checked_weights(sample_weight, X)
        targets = self._encode(y, sample_weight)
        if len(targets.Y) != X.shape[0]:
            raise ValueError(
                f"X has {X.shape[0]} rows but y has {len(targets.Y)}: give one label (or an "
                "unlabeled marker) per row."
            )
        return X, targets, targets.weights(self._row_weights(targets, sample_weight))

    def _row_weights(self, targets: Targets, sample_weight):
        """What the loss of each row counts; None is 1."""
        if self.class_weight is None:
            return sample_weight
        weights = class_weights(self.class_weight, targets.codes, self.classes_)
        return weights if sample_weight is None else weights * sample_weight

    def _solve(self, objective: Objective) -> None:
        label = type(self).__name__
        counter = Counter(label) if self.verbose else None
        self._say(f"{len(objective.rows)} labeled rows, {objective.n_columns} columns: solving")
        options = self._solver_options()
        if counter is not None:
            options["progress"] = counter
        solver = self._solver_for(objective, options)
        self.solution_ = above_rounding(objective, solver.solve(objective))
        text = f"certificate {self.solution_.optimality:.1e} ({self.solution_.status.name.lower()})"
        if counter is not None:
            counter.say(f"{self.solution_.n_iter} iterations, {text}")
        if self.solution_.status not in (Status.CONVERGED, Status.EARLY_STOPPED):
            warn(
                f"{label} did not converge: {self.solution_.status}. {text}.",
                ConvergenceWarning,
            )

    def _solver_for(self, objective: Objective, options: dict[str, Any]) -> Solver:
        kept = None if self._warm is None else self._warm.kept
        if kept is not None and self.solver == "auto":
            return OnKept(kept, self.tol, self.max_iter, **options)
        return choose_solver(self.solver, objective, self.tol, self.max_iter, **options)

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
        self.coef_ = objective.space.user_coef(self.solution_.coef)
        self.intercept_ = self.solution_.coef[-1] if self._part("fit_intercept") else 0.0
        self.n_iter_ = max(1, self.solution_.n_iter)
        self.labeled_ = targets.labeled
        self.unreached_ = operator.unreached(targets.labeled)
        if self.unreached_.any():
            warn(
                f"{int(self.unreached_.sum())} of {len(self.unreached_)} points lie in components "
                "of the graph without a labeled point: no label reaches them and only the kernel "
                "tells their value. The mask is in unreached_. More neighbors join components: "
                "regularizer=Laplacian(KNN(n_neighbors=20), degree=2).",
                UnreachedWarning,
            )
        codes = None if targets.classes is None else targets.codes[objective.rows]
        self._confidence = Diagnostics(objective, codes, signs=is_classifier(self))
        self.transduction_ = self._decode(self._adjusted(self._extended(objective, targets)))

    def _extended(self, objective: Objective, targets: Targets) -> np.ndarray:
        """The readout at the training rows, (n, t).

        Where functions live on the points alone, one for new points learns from what the labels
        reach, and answers for the rows that they do not.
        """
        found = Element(objective.space, self.solution_.coef, self.solution_.base)
        readout, reached = found.readout, ~self.unreached_
        answers = targets.coding.answers(readout[reached])
        learned = objective.space.extension(answers, reached)
        self.extension_ = None if learned is None else learned[0]
        if learned is None or reached.all():
            return readout
        filled = readout.copy()
        filled[~reached] = learned[1]
        return filled

    def _adjusted(self, readout: np.ndarray) -> np.ndarray:
        """The readout as it is decoded: shifted to the classes' shares where they are known."""
        self._offset = 0.0
        if self.class_prior is not None:
            codes = self._confidence.codes
            assert codes is not None
            self._offset = mass_offsets(
                readout, class_shares(self.class_prior, self.classes_, codes)
            )
        return readout + self._offset

    def _readout(self, X) -> np.ndarray:
        check_is_fitted(self)
        if self.extension_ is not None:
            return self.extension_(self._checked(X)) + self._offset
        values = self.objective_.space.evaluate_at(self._checked(X), self.solution_.coef)
        return values + self._offset

    def _checked(self, X):
        """New points as the space takes them."""
        return validate_points(self, X, accept_sparse="csr", dtype=np.float64, reset=False)

    def predict(self, X):
        """Labels or values at new points, (n,) or (n, t).

        At training rows they are the transduction; not so with ``space="graph"`` (automatic
        above 8,000 rows), where the graph answers for its points and an ambient function, which
        has learned from these answers, for all others.
        """
        return self._decode(self._readout(X))


@contextmanager
def all_or_nothing(model) -> Iterator[None]:
    """What a fit sets stays only if it ends well; an error or Ctrl-C leaves the model as it was.

    Examples
    --------
    >>> class Model:
    ...     pass
    >>> model = Model()
    >>> try:
    ...     with all_or_nothing(model):
    ...         model.classes_ = [0, 1]
    ...         raise ValueError("no solution")
    ... except ValueError:
    ...     vars(model)
    {}
    """
    before = dict(vars(model))
    try:
        yield
    except BaseException:
        vars(model).clear()
        vars(model).update(before)
        raise


def vanishes(gamma) -> bool:
    """Whether a weight is 0, or 0 times the rule."""
    return (multiple_of_rule(gamma) if isinstance(gamma, str) else gamma) == 0


def graph_points(kernel: Kernel, X):
    """What a graph sees: the rows of X, or the distances that a Gram matrix stands for."""
    return Distances(kernel_distances(kernel(X))) if kernel.precomputed else X
