"""Vector-valued estimators: one reduction for all γ_A and γ_O."""

from collections.abc import Iterator, Sequence

import numpy as np
from sklearn.base import clone

from ..estimators.vector_base import VectorValued
from ..linalg.cholesky import pivoted_cholesky
from ..linalg.pencil import ReducedPencil
from ..linalg.quadratic_form import QuadraticForm
from ..objective import Objective
from ..outputs import OutputGraph
from ..parameters.arguments import is_auto
from ..solvers.direct import row_weights
from ..spaces import Element
from ..targets import Targets
from .one_by_one import first_problem, solved
from .point import PathPoint, check_numbers, with_gammas


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
    >>> from lapwing.paths import vector_valued_path
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
    if gamma_O is not None and is_auto(model.output_kernel):
        model.set_params(output_kernel=None)  # it is the grid that varies it
    rows, objective, X_new = first_problem(model, X, y, sample_weight, gamma_A, gamma_I, X_new)
    grid = _Grid(
        model,
        rows[1],
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
        return with_gammas(self.objective, self.targets.Y, gamma_A, gamma_I, space)

    def reduced(self) -> Iterator[PathPoint]:
        o, scalar = self.objective, self.objective.space.scalar
        factor, _ = pivoted_cholesky(scalar.gram)
        w = row_weights(o).max(axis=1)
        rhs = np.zeros((o.n_rows, o.n_columns))
        rhs[o.rows] = o.y
        for gamma_I in self.gammas_I:
            form = QuadraticForm(o.operator, gamma_I / o.n_rows**2, w)
            form = form if scalar.free is None else form.without(scalar.free)
            pencil = ReducedPencil(scalar.gram, form, factor)
            asked = QuadraticForm(o.operator, 0.0, w, form.taken).apply(rhs)
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
        problems = (
            (gamma_I, gamma_O, self._objective(space, gamma_A, gamma_I))
            for gamma_I in self.gammas_I
            for gamma_O, space in self.spaces
            for gamma_A in self.gammas_A
        )
        return solved(self.model, problems, self.X_new)


def _check_grids(model, **grids) -> None:
    check_numbers(**grids)
    given = model.output_kernel
    varied = given is None or is_auto(given) or isinstance(given, OutputGraph)
    if grids["gamma_O"] is not None and not varied:
        raise ValueError(
            f"gamma_O varies the output graph, but output_kernel is {given!r}; set it to "
            "OutputGraph(...) or None."
        )
