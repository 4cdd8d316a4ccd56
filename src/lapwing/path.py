"""Whole grids of regularisation parameters at little more than the cost of one fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import validate_data

from .estimators.targets import Targets
from .estimators.vector_base import VectorValued
from .linalg.cholesky import pivoted_cholesky
from .linalg.pencil import ReducedPencil
from .losses import QuadraticLoss
from .objective import Objective
from .outputs import OutputGraph
from .solvers.sylvester import SylvesterSystem, output_directions, separable_core
from .solvers.vector import reducible
from .spaces import core_of

__all__ = ["PathPoint", "vector_valued_path"]


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
    points, targets, weights = model._validate(X, y, sample_weight)
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
    quadratic = isinstance(objective.loss, QuadraticLoss) and objective.w.shape[1] == 1
    return grid.reduced() if quadratic and reducible(objective) else grid.one_by_one()


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
        Q = outputs.set_params(gamma_O=gamma_O).build(self.targets.Y, self.targets.observed)
        return self.model._vector_space([Q])

    def _objective(self, space, gamma_A: float, gamma_I: float) -> Objective:
        o = self.objective
        weights = np.zeros((o.n_rows, o.w.shape[1]))
        weights[o.rows] = o.w
        return Objective(o.loss, self.targets.Y, weights, space, o.operator, gamma_A, gamma_I)

    def reduced(self) -> Iterator[PathPoint]:
        core, intercept = separable_core(self.objective)
        gram = core.space.gram  # type: ignore[attr-defined]
        kernel_new = None if self.X_new is None else core.space.kernel(self.X_new, core.space.X)  # type: ignore[attr-defined]
        factor = pivoted_cholesky(gram)
        for gamma_I in self.gammas_I:
            whole = self._objective(self.objective.space, self.objective.gamma_A, gamma_I)
            system = SylvesterSystem.of(whole)
            pencil = ReducedPencil(gram, system.form, factor)
            projected = pencil.project(system.rhs)
            for gamma_O, space in self.spaces:
                Q = core_of(space)[0].Q  # type: ignore[attr-defined]
                fits = _row_of_fits(system, pencil, projected, Q, self.gammas_A)
                for gamma_A, (A, F) in zip(self.gammas_A, fits, strict=True):
                    b = system.constants(F) if intercept else 0.0
                    new = None if kernel_new is None else kernel_new @ (A @ Q) + b
                    coef = np.vstack([A, b]) if intercept else A
                    objective = self._objective(space, gamma_A, gamma_I)
                    yield PathPoint(gamma_I, gamma_A, gamma_O, F + b, new, coef, objective)

    def one_by_one(self) -> Iterator[PathPoint]:
        coef = None
        for gamma_I in self.gammas_I:
            for gamma_O, space in self.spaces:
                for gamma_A in self.gammas_A:
                    objective = self._objective(space, gamma_A, gamma_I)
                    start = None if coef is None else space.element(coef)
                    found = self.model._choose_solver(objective).solve(objective, start)
                    coef, n_iter = found.coef, found.n_iter
                    readout = space.element(coef).readout
                    new = None if self.X_new is None else space.evaluate_at(self.X_new, coef)
                    yield PathPoint(
                        gamma_I, gamma_A, gamma_O, readout, new, coef, objective, n_iter
                    )


def _row_of_fits(system, pencil, projected, Q, gammas_A) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """A and F = K A Q for one Q and all γ_A: one block of columns through the reduction."""
    sigma, V = output_directions(Q)
    n_A, q = len(gammas_A), len(sigma)
    gamma = np.repeat(np.asarray(gammas_A), q)
    F = pencil.values(gamma, np.tile(sigma, n_A), np.tile(projected @ V, (1, n_A)))
    rest = np.tile(system.rhs @ V, (1, n_A)) - system.form(F)
    for j in range(n_A):
        block = slice(j * q, (j + 1) * q)
        yield rest[:, block] / gammas_A[j] @ V.T, F[:, block] @ V.T


def _check_grids(model, **grids) -> None:
    for name, grid in grids.items():
        if grid is None:
            continue
        values = np.asarray(grid, dtype=np.float64)
        lowest = {"gamma_A": 0.0}.get(name)
        if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
            raise ValueError(f"{name} is {grid!r}; expected a non-empty sequence of numbers.")
        if (values < 0).any() or (lowest is not None and (values == lowest).any()):
            raise ValueError(f"{name} is {grid!r}; expected {'> 0' if lowest == 0.0 else '>= 0'}.")
    given = model.output_kernel
    if grids["gamma_O"] is not None and not (given is None or isinstance(given, OutputGraph)):
        raise ValueError(
            f"gamma_O varies the output graph, but output_kernel is {given!r}; set it to "
            "OutputGraph(...) or None."
        )
