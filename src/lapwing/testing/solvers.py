"""The contract of a solver: an honest certificate, and the minimizer."""

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
    """Assert that a solver minimizes an objective and tells the truth about it.

    The certificate it reports is the one computed afresh from its coefficients (smooth losses);
    its status is CONVERGED, and its last history entry agrees; no step in any direction lowers J;
    a second solve, started at the solution, stays there; the objective is left as it was.

    Parameters
    ----------
    solver : Solver
        Set to a tolerance at or below ``tol``.
    objective : Problem
        A loss of the kind the solver ``requires``, over at most a few hundred points.
    tol : float
        Bound on the certificate.
    readout : array of shape (n, t), optional
        The true minimizer at the training points, from elsewhere, to compare with.

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
    """The reported ‖∇‖/‖∇(0)‖ is that of the coefficients, up to the rounding of a gradient."""
    true = objective.optimality(objective.space.element(found.coef))
    assert_allclose(found.optimality, true, rtol=0.5, atol=1e-12)


def check_minimizer(objective: Problem, e: Element, tol: float, n_directions: int = 20) -> None:
    """J(e + s d) ≥ J(e) − slack, for random unit d and steps of many sizes.

    The slack is what a certificate of ``tol`` leaves: tol · J(0) for the value.
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
    """From the solution a solver goes nowhere: the same readout, no more iterations."""
    start = objective.space.element(found.coef)
    again = solver.solve(objective, start)
    assert again.status is Status.CONVERGED
    assert again.n_iter <= max(1, found.n_iter)
    before, after = start.readout, objective.space.element(again.coef).readout
    assert_allclose(after, before, rtol=0, atol=10 * tol * max(1.0, float(np.abs(before).max())))


def _unit(objective: Problem, r: np.ndarray) -> Element:
    """A direction of norm 1 that the data can see."""
    d = objective.space.element(objective.space.represent(0.0, r))
    norm = d.norm
    return objective.space.element(d.coef / np.where(norm > 0, norm, 1.0))
