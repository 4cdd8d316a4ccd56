"""What all estimators of the equation share: fit is read, choose, compile, solve, store."""

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
    """The frame of every estimator that minimizes the equation; abstract.

    Its recipe says how parameters and data become a problem; ``Classifier`` and ``Regressor`` say
    how y is read and how answers are read.

    Attributes
    ----------
    intercept_ : array of shape (t,)
    solution_ : Solution
        coef, status, n_iter, optimality (the certificate ‖∇‖/‖∇(0)‖ or relative duality gap) and
        its history.
    selection_ : Selection or None
        What "auto" became: choice, reason, runner-up and all trials; None where nothing was to
        choose.
    transduction_ : array of shape (n,) or (n, t)
        Predictions at the training rows. ``predict(X)`` at these rows gives the same.
    extension_error_ : float
        In ``space="graph"``, how far the answers for new rows are from the graph's, at rows left
        out for that; 0 in other spaces.
    leave_one_out_ : array of shape (n,) or (n, t)
        What the fit says of each labeled row once its label is taken away; NaN at other rows.
    leave_one_out_error_ : float
        The error to expect at unlabeled rows, by labels that had no part in the fit nor in the
        choice of its settings; ``leave_one_out_interval_`` is its 95 % interval.
    suspicious_labels_ : array of rows
        Labeled rows whose label is more likely wrong than right, the worst first;
        ``label_suspicion_``, (n,), says how likely.
    labeled_, unreached_ : boolean arrays of shape (n,)
        Rows with a label; rows in a component of the graph without any.
    n_iter_ : int
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

    _losses: Mapping[str, type[Loss]] = {}  # what the names of ``loss`` are; empty: any loss
    _chosen: Mapping[str, Any] = DEFAULTS  # what stands for "auto"; fit replaces it by its choice
    _offset: np.ndarray | float = 0.0  # what class masses add to the readout
    _code: Any  # how readouts become answers
    _row_names: np.ndarray = np.empty(0)  # of training rows and of y's columns, where it is a table
    _target_names: np.ndarray = np.empty(0)
    _library: str = ""
    _on_graph: np.ndarray  # the readout at the training rows, where only these have values

    def _read(self, y, sample_weight) -> Targets:
        """y as targets, and the way back."""
        raise NotImplementedError

    def fit(self, X, y, sample_weight=None, *, groups=None):
        """Learn from the labeled and the unlabeled rows of X.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
            All points. With ``kernel="precomputed"``, the (n, n) Gram matrix.
        y : array of shape (n,), or (n, t) for regression
            Unlabeled rows: −1 among integers, None/NaN/pd.NA among strings and floats.
        sample_weight : array of shape (n,), optional
            Enters the loss only; 0 means unlabeled.
        groups : array of shape (n,), optional
            Rows that belong together: one patient, one document, copies of one row. Labels of a
            group are left out together, where settings are chosen and in all that left-out labels
            tell (``leave_one_out_``, probabilities, suspicious labels). A missing entry is a group
            of its own. The minimizer for given settings does not depend on groups.

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
        """Whether a y without an unlabeled row is likely a mistake: the graph is asked for, and
        nobody said that there is no marker."""
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
        """What the loss would see at new points, (n, t), class masses included."""
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
        """Which training row each row is, −1 where it is none, (m,).

        Of functions that live on the points; none is known where these are not in memory.
        """
        rows = self.extension_.known
        return np.full(points.shape[0], -1) if rows is None else rows.find(points)

    def _new_points(self, X):
        """New points as the space takes them."""
        return self._validated(X, reset=False)

    def predict(self, X):
        """Labels or values at new points, (n,) or (n, t).

        At training rows they are the transduction. With ``space="graph"`` (by default above 500
        rows) the graph answers for these, and an ambient function, which has learned from these
        answers, for all others; ``extension_error_`` says how far it is from them.
        """
        readout = self._readout(X)
        return self._code.decode(readout)

    def _framed(self, values, X):
        """Values of several targets with the names of y's columns, where it was a data frame."""
        return in_frame(values, self._target_names, self._library, X)
