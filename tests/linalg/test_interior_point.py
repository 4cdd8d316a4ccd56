"""One interior-point method: boxes with constraints, simplices, and the same matrices for both."""

import cvxpy as cp
import numpy as np
import pytest

from lapwing.linalg.interior_point import Point, Program, _Newton, iterate


def box(P: int, pieces: int, seed: int) -> Program:
    """A program like the dual of a sum of hinges with two groups of constants."""
    rng = np.random.default_rng(seed)
    m, R = P * pieces, rng.normal(size=(P, P))
    E = np.zeros((P, 2))
    E[np.arange(P), np.arange(P) % 2] = 1.0
    S = np.zeros((P, m))
    S[np.arange(m) % P, np.arange(m)] = rng.uniform(0.5, 2.0, m)
    S[:, ::3] *= -1.0
    H = S.T @ (R @ R.T) @ S
    return Program(H, rng.normal(size=m), np.arange(m), np.ones(m), S.T @ E)


def solved(program: Program) -> tuple[Point, int]:
    x, size = np.full(len(program.cost), 0.5), np.full(len(program.cost), 10.0)
    start = Point(x, size, x, size, np.zeros(program.E.shape[1]))

    def judge(point: Point, n_iter: int) -> tuple[float, Point]:
        slope = program.H @ point.x + program.E @ point.b + program.cost
        missing = np.abs(slope - point.z + point.nu).max(), np.abs(program.E.T @ point.x).max()
        return max(point.mu, *missing), point

    return iterate(program, start, judge, 1e-8, 100)


@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_a_box_with_constants_against_a_general_solver(pieces):
    program = box(12, pieces, pieces)
    found, n_iter = solved(program)
    assert n_iter < 40
    x = cp.Variable(len(program.cost))
    value = 0.5 * cp.quad_form(x, cp.psd_wrap(program.H)) + program.cost @ x
    problem = cp.Problem(cp.Minimize(value), [x >= 0, x <= 1, program.E.T @ x == 0])
    problem.solve(solver=cp.CLARABEL)
    mine = 0.5 * found.x @ program.H @ found.x + program.cost @ found.x
    assert mine == pytest.approx(problem.value, rel=1e-6, abs=1e-8)
    np.testing.assert_allclose(program.E.T @ found.x, 0.0, atol=1e-8)


@pytest.mark.parametrize("groups", [1, 4, 9])
def test_the_factor_is_that_of_newtons_matrix(groups):
    """(K + D)⁻¹ = R(I + RᵀKR)⁻¹Rᵀ with D = diag(z/x) + Gᵀdiag(ν/s)G, coupled groups or a box."""
    rng, m = np.random.default_rng(groups), 9
    R = rng.normal(size=(m, m))
    group = np.arange(m) % groups
    program = Program(R @ R.T, -np.ones(m), group, np.ones(groups), np.zeros((m, 0)))
    x, z, s, nu = (rng.uniform(1e-3, 1.0, k) for k in (m, m, groups, groups))
    newton = _Newton(program, Point(x, z, s, nu, np.zeros(0)))
    G = program.member.toarray()
    D = np.diag(z / x) + G.T @ np.diag(nu / s) @ G
    np.testing.assert_allclose(
        newton.solve(np.eye(m)), np.linalg.inv(program.H + D), rtol=1e-8, atol=1e-12
    )
