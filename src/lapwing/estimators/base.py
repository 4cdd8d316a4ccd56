"""The base class of all estimators: ``fit`` reads, chooses, compiles, solves and stores."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..linalg.threads import threads_for
from ..losses import Loss
from ..parameters.arguments import is_auto
from ..parameters.checks import is_count
from ..solvers import check_solver_name
from ..spaces import check_space
from ..targets import Targets
from ..targets.doubts import say_all_labeled
from .confident import DiagnosticsMixin
from .fitting import all_or_nothing, choose, finish, read
from .point_cloud import PointCloudModel, in_frame
from .recipes import Recipe
from .settings import DEFAULTS, Settings
from .warm import with_sections


class ManifoldModel(DiagnosticsMixin, PointCloudModel):
    """The base class of every estimator that minimizes the equation; abstract.

    ``recipe`` turns parameters and data into a problem. ``Classifier`` and ``Regressor`` read y and
    decode the predictions.

    Attributes
    ----------
    intercept_ : array of shape (t,)
        The constant b of each of the t columns; 0.0 without an intercept.
    solution_ : Solution
        The solver's result: coef, status, n_iter, optimality and the history of optimality.
        optimality is the certificate: ‖∇‖/‖∇(0)‖ or the relative duality gap.
    selection_ : Selection or None
        The values chosen for "auto": choice, reason, runner-up and all trials. None if nothing was
        chosen.
    transduction_ : array of shape (n,) or (n, t)
        The predictions at the training rows. ``predict(X)`` gives the same at these rows.
    extension_error_ : float
        With ``space="graph"``, the difference between the function for new rows and the graph's
        predictions, measured at held-out rows. 0 in other spaces.
    leave_one_out_ : array of shape (n, t)
        The score or value at each labeled row without its own label. NaN at other rows.
    leave_one_out_error_ : float
        The expected error at unlabeled rows. Each label is predicted without its own part in the
        fit and in the choice of settings. ``leave_one_out_interval_`` is its 95 % interval.
    suspicious_labels_ : array of rows
        The labeled rows whose label is more likely wrong than right, the worst first.
        ``label_suspicion_``, (n,), is the probability that a label is wrong.
    labeled_, unreached_ : boolean arrays of shape (n,)
        ``labeled_`` marks the rows with a label. ``unreached_`` marks the rows in a component of
        the graph without any label.
    n_iter_ : int
        The number of iterations of the solver.
    """

    recipe = Recipe()

    fit_intercept: Any
    space: Any
    loss: Any
    solver: Any
    tol: Any
    max_iter: Any
    random_state: Any
    verbose: Any
    unlabeled: Any
    class_weight: Any = None
    class_prior: Any = None
    warm_start: Any = False

    _losses: Mapping[str, type[Loss]] = {}  # the names of ``loss``; empty means any loss
    _chosen: Mapping[str, Any] = DEFAULTS  # the values for "auto"; fit replaces them by its choice
    _offset: np.ndarray | float = 0.0  # class_prior adds this to the readout
    _code: Any  # decodes readouts to predictions
    _row_names: np.ndarray = np.empty(0)  # names of the training rows, if y or X is a table
    _target_names: np.ndarray = np.empty(0)  # names of y's columns
    _library: str = ""
    _on_graph: np.ndarray  # the readout at the training rows, with space="graph"

    def _read(self, y, sample_weight) -> Targets:
        """Encode y as targets. The result can also decode predictions."""
        raise NotImplementedError

    def fit(self, X, y, sample_weight=None, *, groups=None):
        """Learn from the labeled and the unlabeled rows of X.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
            All rows, labeled and unlabeled. With ``kernel="precomputed"``, the (n, n) Gram matrix.
        y : array of shape (n,), or (n, t) for regression
            The labels. An unlabeled row is −1 among integers, and None, NaN or pd.NA among strings
            and floats.
        sample_weight : array of shape (n,), optional
            Weights of the rows in the loss. 0 means unlabeled.
        groups : array of shape (n,), optional
            Rows that belong together, such as rows of one patient or one document, or copies of one
            row. Leave-one-out leaves out all labels of a group together. This holds for the choice
            of settings, ``leave_one_out_``, probabilities and suspicious labels. A missing entry is
            a group of its own. The minimizer for given settings does not depend on groups.

        Returns
        -------
        self
        """
        with all_or_nothing(self):
            data = read(self, X, y, sample_weight, groups)
            if data.targets.observed.all() and self._wants_unlabeled():
                say_all_labeled(len(data.targets.Y), data.targets.classes)
            with threads_for(data.points.n):
                p = choose(self, data)
                compiled = self.recipe.compile(p, data)
                if self.warm_start:
                    compiled = with_sections(self, data, compiled)
                finish(self, p, data, compiled)
        return self

    def _wants_unlabeled(self) -> bool:
        """Whether a y without unlabeled rows is probably a mistake.

        It is one if the graph has a weight and the user did not set ``unlabeled``.
        """
        known = getattr(self, "regularizer", None) is not None
        return is_auto(self.unlabeled) and known and Settings(self).smooth

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
        self.recipe.check(Settings(self))

    def _readout(self, X) -> np.ndarray:
        """The scores or values at new rows, (n, t), with the shifts of ``class_prior``."""
        check_is_fitted(self)
        points = self._new_points(X)
        if self.extension_ is None:
            return self.objective_.space.evaluate_at(points, self.solution_.coef) + self._offset
        known = self._known(points)
        if (known < 0).all():
            return self.extension_(points) + self._offset
        values = self._on_graph[known]
        values[known < 0] = self.extension_(points[known < 0])
        return values + self._offset

    def _known(self, points) -> np.ndarray:
        """The training row that equals each new row, (m,); −1 if there is none.

        Only for ``space="graph"``. All are −1 if the training rows are not in memory.
        """
        rows = self.extension_.known
        return np.full(points.shape[0], -1) if rows is None else rows.find(points)

    def _new_points(self, X):
        """Validate new rows for the space."""
        return self._validated(X, reset=False)

    def predict(self, X):
        """Predict the labels or values at new rows, (n,) or (n, t).

        At training rows they equal ``transduction_``. With ``space="graph"`` (chosen if
        ``regularizer`` and ``gamma_A`` are "auto") the graph predicts the training rows. A function
        in the kernel's space learns these predictions and predicts all other rows.
        ``extension_error_`` is the difference between the two.
        """
        readout = self._readout(X)  # it says if the model is not fitted
        return self._code.decode(readout)

    def _framed(self, values, X):
        """A data frame with the names of y's columns, if y was a data frame of several targets."""
        return in_frame(values, self._target_names, self._library, X)
