"""A certified solver for the small quadratic programs of cutting planes."""

from dataclasses import dataclass

import numpy as np

from .interior_point import Point, Program, iterate


@dataclass(frozen=True)
class QPResult:
    """A feasible x, its value bᵀx − ½ xᵀHx, and a bound on the distance to the maximum."""

    x: np.ndarray
    value: float
    gap: float
    n_iter: int


def maximize_on_simplices(
    H: np.ndarray, b: np.ndarray, group: np.ndarray, cap: np.ndarray, tol: float = 1e-10
) -> QPResult:
    """max bᵀx − ½ xᵀHx subject to x ≥ 0 and Σ_{c in group g} x_c ≤ cap_g.

    Interior points (:mod:`lapwing.linalg.interior_point`) start from a point that is strictly
    feasible for x *and* the multipliers. The returned gap, bound minus value, is computed from x
    alone. It is therefore a certificate for any conditioning of H.

    Parameters
    ----------
    H : array of shape (m, m)
        Symmetric PSD, possibly singular.
    b : array of shape (m,)
    group : integer array of shape (m,)
        The group of each variable, in 0 … g−1.
    cap : array of shape (g,)
        Positive.
    tol : float
        Bound on the gap, relative to the largest |bᵀx| of a feasible x.
    """
    if len(b) == 0:
        return QPResult(np.zeros(0), 0.0, 0.0, 0)
    used, group = np.unique(group, return_inverse=True)
    program = Program(H, -b, group, cap[used], np.zeros((len(b), 0)))
    goal = tol * max(float(program.cap @ _largest(program, np.abs(b))), 1e-300)

    def judge(point: Point, n_iter: int) -> tuple[float, QPResult]:
        found = _certified(program, point.x, n_iter)
        return found.gap, found

    return iterate(program, _feasible(program), judge, goal)[0]


def _certified(program: Program, x: np.ndarray, n_iter: int) -> QPResult:
    """x made feasible, and its gap to the dual value at the best multipliers for this x."""
    b, filled = -program.cost, program.filled(x)
    x = x * np.minimum(1.0, program.cap / np.maximum(filled, 1e-300))[program.group]
    Hx = program.H @ x
    nu = np.maximum(_largest(program, b - Hx), 0.0)
    value = float(b @ x - 0.5 * x @ Hx)
    return QPResult(x, value, max(float(program.cap @ nu + x @ Hx - b @ x), 0.0), n_iter)


def _feasible(program: Program) -> Point:
    """A start: each cap shared evenly by its variables and the slack, and ν so large that z > 0."""
    share = program.cap / (program.filled(np.ones(len(program.cost))) + 1.0)
    x = share[program.group]
    lack = -program.cost - program.H @ x
    nu = np.maximum(_largest(program, lack), 0.0)
    nu = nu + np.maximum(nu, 1e-3 * max(float(np.max(np.abs(lack))), 1e-300))
    return Point(x, nu[program.group] - lack, share.copy(), nu, np.zeros(0))


def _largest(program: Program, values: np.ndarray) -> np.ndarray:
    """The largest value in each group, (g,). No group is empty."""
    out = np.full(len(program.cap), -np.inf)
    np.maximum.at(out, program.group, values)
    return out
