"""Whole grids of regularisation parameters at little more than the cost of one fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import validate_data

from .estimators.base import ManifoldModel
from .estimators.vector_base import VectorValued
from .linalg.arguments import is_auto
from .linalg.cholesky import pivoted_cholesky
from .linalg.form import Form
from .linalg.pencil import ReducedPencil
from .objective import Objective
from .outputs import OutputGraph
from .solvers import choose_solver
from .solvers.direct import row_weights
from .spaces import Element
from .targets import Targets

__all__ = ["PathPoint", "path", "vector_valued_path"]


@dataclass(frozen=True)
class PathPoint:
    """One fit of a grid.

    Attributes
    ----------
    gamma_I, gamma_A, gamma_O : float
        ``gamma_O`` is None where the output kernel was not varied.
    readout : array of shape (n, q)
        f + b at the training rows: what ``decision_function`` or a regressor's ``predict``
        returns there.
    readout_new : array of shape (m, q) or None
        The same at ``X_new``.
    coef : array of shape (n, q), or (n + 1, q) with the intercepts as last row
    objective : Objective
    n_iter : int
        Iterations from the solution before it; 1 where the closed form holds.
    """

    gamma_I: float
    gamma_A: float
    gamma_O: float | None
    readout: np.ndarray = field(repr=False)
    readout_new: np.ndarray | None = field(repr=False)
    coef: np.ndarray = field(repr=False)
    objective: Objective = field(repr=False)
    n_iter: int = 1

    def optimality(self) -> float:
        """The certificate ‖∇‖/‖∇(0)‖ of this point (one product with K)."""
        return self.objective.optimality(self.objective.space.element(self.coef))


def path(
    estimator: ManifoldModel,
    X,
    y,
    *,
    gamma_I: Sequence[float] | None = None,
    gamma_A: Sequence[float] | None = None,
    gamma_O: Sequence[float] | None = None,
    sample_weight=None,
    X_new=None,
) -> Iterator[PathPoint]:
    """Fit any estimator for every (γ_I, γ_A) of a grid, and γ_O for a vector-valued one.

    Kernel, graph and targets are built once, and each point starts from the one before it: over K̃
    on the labelled rows, where that has a factor, from its dual β = −½ w V′; vector-valued
    estimators share one reduction for all γ_A and γ_O (:func:`vector_valued_path`). Estimators
    whose operator holds its own weights (several views) are fitted anew at each point.

    Parameters
    ----------
    estimator : any estimator of the equation
        Not fitted and not changed; where a grid is None its own parameter holds.
    X, y, sample_weight
        As for ``fit``.
    gamma_I, gamma_A, gamma_O : sequences of float, optional
    X_new : array of shape (m, d), optional
        Points to predict along the way.

    Yields
    ------
    PathPoint
        γ_I outermost, γ_A innermost.

    Examples
    --------
    >>> import lapwing
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(80, labels_per_class=3, random_state=0)
    >>> points = lapwing.path(lapwing.LapSVC(kernel="rbf"), X, y, gamma_I=[0.0, 1.0, 10.0])
    >>> [p.gamma_I for p in points]
    [0.0, 1.0, 10.0]
    """
    given = {"gamma_A": gamma_A, "gamma_O": gamma_O, "gamma_I": gamma_I}
    if "output_kernel" in estimator.get_params(deep=False):
        return vector_valued_path(
            estimator, X, y, sample_weight=sample_weight, X_new=X_new, **given
        )
    if gamma_O is not None:
        raise ValueError(
            f"gamma_O varies an output graph, which {type(estimator).__name__} does not have."
        )
    model = clone(estimator)
    _check_numbers(**given)
    for name in ("gamma_A", "gamma_I"):
        if given[name] is not None and name not in model.get_params(deep=False):
            raise ValueError(f"{type(model).__name__} has no parameter {name}.")
    return _points(model, X, y, sample_weight, gamma_A, gamma_I, X_new)


def _points(model: ManifoldModel, X, y, sample_weight, gammas_A, gammas_I, X_new):
    if gammas_I is not None:
        model.set_params(gamma_I=float(max(gammas_I)))
    if gammas_A is not None:
        model.set_params(gamma_A=float(gammas_A[0]))
    points, targets, weights = model._validate(X, y, sample_weight)
    model._choose(points, targets, weights)
    objective = model._objective(points, targets, weights)
    gamma_I = objective.lam * objective.n_rows**2
    own = (gammas_I is None or np.isclose(gamma_I, float(max(gammas_I)))) and (
        gammas_A is None or np.isclose(objective.gamma_A, float(gammas_A[0]))
    )
    if not own:
        yield from _anew(model, X, y, sample_weight, gammas_A, gammas_I, X_new)
        return
    if X_new is not None:
        X_new = model._checked(X_new)
    coef = None
    for lam in [gamma_I] if gammas_I is None else [float(g) for g in gammas_I]:
        for gamma_A in [objective.gamma_A] if gammas_A is None else [float(g) for g in gammas_A]:
            problem = _with_gammas(objective, targets, gamma_A, lam)
            start = None if coef is None else problem.space.element(coef)
            solver = choose_solver(model.solver, problem, model.tol, model.max_iter)
            found = solver.solve(problem, start)
            coef, readout = found.coef, problem.space.element(found.coef).readout
            new = None if X_new is None else problem.space.evaluate_at(X_new, coef)
            yield PathPoint(lam, gamma_A, None, readout, new, coef, problem, found.n_iter)


def _anew(model: ManifoldModel, X, y, sample_weight, gammas_A, gammas_I, X_new):
    """A whole fit for each point."""
    for gamma_I in [None] if gammas_I is None else gammas_I:
        for gamma_A in [None] if gammas_A is None else gammas_A:
            chosen = {"gamma_I": gamma_I, "gamma_A": gamma_A}
            fit = clone(model).set_params(**{k: v for k, v in chosen.items() if v is not None})
            fit.fit(X, y, sample_weight)
            coef, o = fit.solution_.coef, fit.objective_
            readout = o.space.element(coef).readout
            new = None if X_new is None else fit._readout(X_new)
            yield PathPoint(
                fit.gamma_I_, o.gamma_A, None, readout, new, coef, o, fit.solution_.n_iter
            )


def _with_gammas(o: Objective, targets: Targets, gamma_A: float, gamma_I: float) -> Objective:
    weights = np.zeros((o.n_rows, o.w.shape[1]))
    weights[o.rows] = o.w
    return Objective(o.loss, targets.Y, weights, o.space, o.operator, gamma_A, gamma_I)


def vector_valued_path(
    estimator: VectorValued,
    X,
    y,
    *,
    gamma_A: Sequence[float] | None = None,
    gamma_O: Sequence[float] | None = None,
    gamma_I: Sequence[float] | None = None,
    sample_weight=None,
    X_new=None,
) -> Iterator[PathPoint]:
    """Fit a vector-valued estimator for every (γ_I, γ_O, γ_A) of a grid.

    With the squared loss and the same rows observed in every output, one reduction per γ_I serves
    all γ_A and γ_O: (γ_A I + σ_i(γ_O) CᵀGC) z_i = σ_i Cᵀr_i, G not depending on either. The
    factor K = C Cᵀ serves all γ_I. Other losses, missing entries, sums of kernels and M_out are
    solved point by point, each start the solution before it. Points from a reduction are not
    refined any further, as ``fit`` does: ``PathPoint.optimality()`` is their certificate.

    Parameters
    ----------
    estimator : VectorValuedClassifier or VectorValuedRegressor
        Not fitted and not changed; where a grid is None its own parameter holds.
    X, y, sample_weight
        As for ``fit``.
    gamma_A, gamma_O, gamma_I : sequences of float, optional
        γ_O needs ``output_kernel`` to be None or an :class:`~lapwing.outputs.OutputGraph`.
    X_new : array of shape (m, d), optional
        Points to predict along the way.

    Yields
    ------
    PathPoint
        γ_I outermost, then γ_O, γ_A innermost.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import VectorValuedRegressor
    >>> from lapwing.path import vector_valued_path
    >>> X = np.linspace(0, 6, 40)[:, None]
    >>> Y = np.column_stack([np.sin(X[:, 0]), np.cos(X[:, 0]), np.sin(X[:, 0] + 0.3)])
    >>> Y[1::2] = np.nan
    >>> path = vector_valued_path(VectorValuedRegressor(), X, Y,
    ...                           gamma_A=[1e-6, 1e-3], gamma_O=[0.0, 0.5, 1.0])
    >>> [(p.gamma_O, p.gamma_A, p.readout.shape) for p in path][0]
    (0.0, 1e-06, (40, 3))
    """
    model = clone(estimator)
    _check_grids(model, gamma_A=gamma_A, gamma_O=gamma_O, gamma_I=gamma_I)
    if gamma_I is not None:
        # the graph is needed as soon as one γ_I is not zero
        model.set_params(gamma_I=float(max(gamma_I)))
    if gamma_A is not None:
        model.set_params(gamma_A=float(gamma_A[0]))
    if gamma_O is not None and is_auto(model.output_kernel):
        model.set_params(output_kernel=None)  # it is the grid that varies it
    points, targets, weights = model._validate(X, y, sample_weight)
    model._choose(points, targets, weights)
    objective = model._objective(points, targets, weights)
    if X_new is not None:
        X_new = validate_data(model, X_new, accept_sparse="csr", dtype=np.float64, reset=False)
    grid = _Grid(
        model,
        targets,
        objective,
        gammas_A=[objective.gamma_A] if gamma_A is None else [float(g) for g in gamma_A],
        gammas_O=[None] if gamma_O is None else [float(g) for g in gamma_O],
        gammas_I=[objective.lam * objective.n_rows**2] if gamma_I is None else list(gamma_I),
        X_new=X_new,
    )
    return grid.reduced() if _reducible(objective) else grid.one_by_one()


def _reducible(objective: Objective) -> bool:
    """Squares over one kernel k·Q with its Gram matrix, the same rows in all outputs, M on rows."""
    space, operator = objective.space, objective.operator
    quadratic = objective.loss.solver == "direct" and objective.w.shape[1] == 1
    return (
        quadratic
        and space.mixing is not None
        and space.scalar.gram is not None
        and operator.n_outputs == 1
    )


class _Grid:
    """The grid over one prepared problem."""

    def __init__(self, model, targets: Targets, objective, gammas_A, gammas_O, gammas_I, X_new):
        self.model, self.targets, self.objective = model, targets, objective
        self.gammas_A, self.gammas_O, self.gammas_I = gammas_A, gammas_O, gammas_I
        self.X_new = X_new
        self.spaces = [(g, self._space(g)) for g in gammas_O]

    def _space(self, gamma_O: float | None):
        if gamma_O is None:
            return self.objective.space
        given = self.model.output_kernel
        outputs = OutputGraph() if given is None else clone(given)
        Q = outputs.set_params(gamma_O=gamma_O).matrix(self.targets.Y, self.targets.observed)
        return self.model._vector_space([Q])

    def _objective(self, space, gamma_A: float, gamma_I: float) -> Objective:
        o = self.objective
        weights = np.zeros((o.n_rows, o.w.shape[1]))
        weights[o.rows] = o.w
        return Objective(o.loss, self.targets.Y, weights, space, o.operator, gamma_A, gamma_I)

    def reduced(self) -> Iterator[PathPoint]:
        o, scalar = self.objective, self.objective.space.scalar
        factor = pivoted_cholesky(scalar.gram)
        w = row_weights(o).max(axis=1)
        rhs = np.zeros((o.n_rows, o.n_columns))
        rhs[o.rows] = o.y
        for gamma_I in self.gammas_I:
            form = Form(o.operator, gamma_I / o.n_rows**2, w)
            form = form if scalar.free is None else form.without(scalar.free)
            pencil = ReducedPencil(scalar.gram, form, factor)
            asked = Form(o.operator, 0.0, w, form.taken).apply(rhs)
            projected = pencil.project(asked)
            for gamma_O, space in self.spaces:
                for gamma_A, F in self._row(pencil, form, asked, projected, space):
                    objective = self._objective(space, gamma_A, gamma_I)
                    coef = self._with_constants(objective, F, w, rhs)
                    readout = space.element(coef).readout
                    new = None if self.X_new is None else space.evaluate_at(self.X_new, coef)
                    yield PathPoint(gamma_I, gamma_A, gamma_O, readout, new, coef, objective)

    def _row(self, pencil, form, asked, projected, space):
        """(γ_A, F) for one output kernel: one block of columns through the reduction."""
        mixing = space.mixing
        sigma, t = np.einsum("yk,yk->k", mixing, mixing), len(self.gammas_A)
        gamma = np.repeat(np.asarray(self.gammas_A, dtype=float), len(sigma))
        sigma = np.tile(sigma, t)
        f = pencil.values(gamma, sigma, np.tile(projected @ mixing, (1, t)))
        rest = np.tile(asked @ mixing, (1, t)) - sigma * form.apply(f)
        for j, gamma_A in enumerate(self.gammas_A):
            block = slice(j * mixing.shape[1], (j + 1) * mixing.shape[1])
            yield gamma_A, rest[:, block] / gamma_A

    def _with_constants(self, objective: Objective, F, w, Y) -> np.ndarray:
        """F, and below it the constants that fit what it leaves."""
        free = objective.space.free
        if free is None:
            return F
        none = np.zeros((free.shape[1], F.shape[1]))
        left = Y - Element(objective.space, np.vstack([F, none])).readout
        WE = w[:, None] * free
        return np.vstack([F, np.linalg.solve(free.T @ WE, WE.T @ left)])

    def one_by_one(self) -> Iterator[PathPoint]:
        coef = None
        for gamma_I in self.gammas_I:
            for gamma_O, space in self.spaces:
                for gamma_A in self.gammas_A:
                    objective = self._objective(space, gamma_A, gamma_I)
                    start = None if coef is None else space.element(coef)
                    solver = choose_solver(
                        self.model.solver, objective, self.model.tol, self.model.max_iter
                    )
                    found = solver.solve(objective, start)
                    coef, n_iter = found.coef, found.n_iter
                    readout = space.element(coef).readout
                    new = None if self.X_new is None else space.evaluate_at(self.X_new, coef)
                    yield PathPoint(
                        gamma_I, gamma_A, gamma_O, readout, new, coef, objective, n_iter
                    )


def _check_numbers(**grids) -> None:
    for name, grid in grids.items():
        if grid is None:
            continue
        values = np.asarray(grid, dtype=np.float64)
        lowest = {"gamma_A": 0.0}.get(name)
        if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
            raise ValueError(f"{name} is {grid!r}; expected a non-empty sequence of numbers.")
        if (values < 0).any() or (lowest is not None and (values == lowest).any()):
            raise ValueError(f"{name} is {grid!r}; expected {'> 0' if lowest == 0.0 else '>= 0'}.")


def _check_grids(model, **grids) -> None:
    _check_numbers(**grids)
    given = model.output_kernel
    varied = given is None or is_auto(given) or isinstance(given, OutputGraph)
    if grids["gamma_O"] is not None and not varied:
        raise ValueError(
            f"gamma_O varies the output graph, but output_kernel is {given!r}; set it to "
            "OutputGraph(...) or None."
        )
