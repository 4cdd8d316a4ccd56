"""Check that a solver finds the minimizer and reports a correct certificate."""

import numpy as np
from numpy.testing import assert_allclose

from ..problem import Problem
from ..solvers import Solution, Solver, Status
from ..spaces import Element


def check_solver(
    solver: Solver,
    objective: Problem,
    *,
    tol: float = 1e-6,
    readout: np.ndarray | None = None,
) -> Solution:
    """Assert that a solver minimizes an objective and reports the result correctly.

    For smooth losses, the reported certificate must equal the one computed from the coefficients.
    The status must be CONVERGED, and the last entry of the history must agree. No step in any
    tested direction may lower the objective J. A second solve from the solution must stay there.
    The objective must not be changed.

    Parameters
    ----------
    solver : Solver
        A solver with a tolerance of at most ``tol``.
    objective : Problem
        A problem over at most a few hundred points. Its loss must be of the kind that the solver
        ``requires``.
    tol : float
        The bound on the certificate.
    readout : array of shape (n, t), optional
        The true minimizer at the training points, from another source.

    Returns
    -------
    Solution

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.losses import Squared
    >>> from lapwing.problem import manifold_problem
    >>> from lapwing.operators import ZeroOperator
    >>> from lapwing.solvers import CG
    >>> from lapwing.spaces import linear
    >>> X, w = np.eye(4), np.full((4, 1), 0.25)
    >>> J = manifold_problem(Squared(), np.ones((4, 1)), w, linear(X), ZeroOperator(4), 0.1, 0.0)
    >>> check_solver(CG(), J).status.name
    'CONVERGED'
    """
    space, n_columns = objective.space, objective.n_columns
    found = solver.solve(objective)
    assert found.coef.shape == (space.n_coef, n_columns)
    assert np.isfinite(found.coef).all()
    assert found.n_iter >= 0 and len(found.history) >= 1
    assert found.status is Status.CONVERGED, f"{found.status}: {found.optimality:.1e}"
    assert found.optimality <= tol
    if objective.loss.smooth:
        check_certificate(objective, found)
    e = space.element(found.coef)
    if readout is not None:
        scale = max(1.0, float(np.abs(readout).max()))
        assert_allclose(e.readout, readout, rtol=0, atol=tol * scale)
    check_minimizer(objective, e, tol)
    check_restart(solver, objective, found, tol)
    return found


def check_certificate(objective: Problem, found: Solution) -> None:
    """Check the reported ‖∇‖/‖∇(0)‖ against the coefficients, up to rounding."""
    true = objective.optimality(objective.space.element(found.coef))
    assert_allclose(found.optimality, true, rtol=0.5, atol=1e-12)


def check_minimizer(objective: Problem, e: Element, tol: float, n_directions: int = 20) -> None:
    """Check J(e + s d) ≥ J(e) − slack for random unit directions d and many step sizes s.

    A certificate of ``tol`` allows the slack tol · J(0) of the value.
    """
    rng = np.random.default_rng(0)
    slack = tol * np.maximum(objective.value(objective.start), objective.value(e))
    for _ in range(n_directions):
        d = _unit(objective, rng.normal(size=(objective.n_rows, objective.n_columns)))
        for step in (1e-3, 1e-1, 1.0):
            for sign in (-1.0, 1.0):
                size = sign * step * np.maximum(e.norm, 1e-12)
                assert (objective.value(e.plus(size, d)) >= objective.value(e) - slack).all()


def check_restart(solver: Solver, objective: Problem, found: Solution, tol: float) -> None:
    """Check that a solver stays at the solution: the same readout, and no more iterations."""
    start = objective.space.element(found.coef)
    again = solver.solve(objective, start)
    assert again.status is Status.CONVERGED
    assert again.n_iter <= max(1, found.n_iter)
    before, after = start.readout, objective.space.element(again.coef).readout
    assert_allclose(after, before, rtol=0, atol=10 * tol * max(1.0, float(np.abs(before).max())))


def _unit(objective: Problem, r: np.ndarray) -> Element:
    """A direction of norm 1 that changes values at the data."""
    d = objective.space.element(objective.space.represent(0.0, r))
    norm = d.norm
    return objective.space.element(d.coef / np.where(norm > 0, norm, 1.0))
