"""Vector-valued estimators: one reduction for all γ_A and γ_O."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from sklearn.base import clone

from ..estimators.base import ManifoldModel
from ..linalg.cholesky import pivoted_cholesky
from ..linalg.pencil import ReducedPencil
from ..linalg.quadratic_form import QuadraticForm
from ..outputs import OutputGraph
from ..parameters.arguments import is_auto
from ..problem import Problem
from ..solvers.direct import row_weights
from ..spaces import Element, Space, scalar
from .one_by_one import Prepared, point_of, points_of
from .point import PathPoint, check_numbers


def vector_valued_path(
    estimator: ManifoldModel,
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
    given = {"gamma_I": gamma_I, "gamma_O": gamma_O, "gamma_A": gamma_A}
    grids = {name: grid for name, grid in given.items() if grid is not None}
    check_numbers(**grids)
    _check_outputs(estimator.output_kernel, grids)
    if gamma_O is not None and is_auto(estimator.output_kernel):
        estimator = clone(estimator).set_params(output_kernel=None)  # the grid varies it
    prepared = Prepared.of(estimator, X, y, sample_weight, grids, X_new)
    if not _reducible(prepared.first):
        return points_of(prepared, grids)
    outputs = [{"gamma_O": float(g)} for g in grids["gamma_O"]] if "gamma_O" in grids else [{}]
    spaces = [(s, prepared.at(s).space if s else prepared.first.space) for s in outputs]
    return reduced_points(prepared, grids, spaces)


def _reducible(objective: Problem) -> bool:
    """Squares over one kernel k·Q with its Gram matrix, the same rows in all outputs, M on rows."""
    space, operator = objective.space, objective.operator
    quadratic = objective.loss.quadratic and objective.w.shape[1] == 1
    return (
        quadratic
        and space.mixing.related
        and len(scalar(space).gram) > 0
        and operator.n_outputs == 1
    )


def reduced_points(
    prepared: Prepared, grids: Mapping[str, Sequence[float]], spaces: list[tuple[dict, Space]]
) -> Iterator[PathPoint]:
    """One reduction per γ_I for all γ_O and γ_A."""
    o = prepared.first
    gammas_I = grids.get("gamma_I", [o.gammas["gamma_I"]])
    gammas_A = np.asarray(grids.get("gamma_A", [o.gamma_A]), dtype=float)
    alone = scalar(o.space)
    factor, _ = pivoted_cholesky(alone.gram)
    w = row_weights(o).max(axis=1)
    rhs = np.zeros((o.n_rows, o.n_columns))
    rhs[o.rows] = o.y
    for gamma_I in gammas_I:
        form = QuadraticForm(o.operator, gamma_I / o.n_rows**2, w)
        form = form.without(alone.free) if alone.free.shape[1] else form
        pencil = ReducedPencil(alone.gram, form, factor)
        asked = QuadraticForm(o.operator, 0.0, w, form.taken).apply(rhs)
        projected = pencil.project(asked)
        for setting, space in spaces:
            for gamma_A, F in _row(pencil, form, asked, projected, space.mixing.matrix, gammas_A):
                problem = o.with_gammas(space, gamma_A=gamma_A, gamma_I=float(gamma_I))
                yield point_of(prepared, setting, problem, _with_constants(problem, F, w, rhs))


def _row(pencil, form, asked, projected, mixing, gammas_A: np.ndarray):
    """(γ_A, F) for one output kernel: one block of columns through the reduction."""
    sigma, t = np.einsum("yk,yk->k", mixing, mixing), len(gammas_A)
    gamma = np.repeat(gammas_A, len(sigma))
    sigma = np.tile(sigma, t)
    f = pencil.values(gamma, sigma, np.tile(projected @ mixing, (1, t)))
    rest = np.tile(asked @ mixing, (1, t)) - sigma * form.apply(f)
    for j, gamma_A in enumerate(gammas_A.tolist()):
        block = slice(j * mixing.shape[1], (j + 1) * mixing.shape[1])
        yield gamma_A, rest[:, block] / gamma_A


def _with_constants(problem: Problem, F, w, Y) -> np.ndarray:
    """F, and below it the constants that fit what it leaves."""
    free = problem.space.free
    if not free.shape[1]:
        return F
    none = np.zeros((free.shape[1], F.shape[1]))
    left = Y - Element(problem.space, np.vstack([F, none])).readout
    WE = w[:, None] * free
    return np.vstack([F, np.linalg.solve(free.T @ WE, WE.T @ left)])


def _check_outputs(given, grids: Mapping[str, Sequence[float]]) -> None:
    varied = given is None or is_auto(given) or isinstance(given, OutputGraph)
    if "gamma_O" in grids and not varied:
        raise ValueError(
            f"gamma_O varies the output graph, but output_kernel is {given!r}; set it to "
            "OutputGraph(...) or None."
        )
