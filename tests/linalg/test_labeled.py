"""Every answer of the labeled system against dense refits and closed forms."""

import numpy as np
import pytest
import scipy.linalg
from scipy.stats import multivariate_normal

from lapwing.linalg.labeled import Labeled, shifted_solve, solve_above_one

L, T = 12, 3


def problem(free: int, equal: bool, rank: int = L, seed: int = 0):
    draw = np.random.default_rng(seed)
    F = draw.standard_normal((L, rank))
    w = np.full(L, 1.0 / L) if equal else draw.uniform(0.2, 1.0, L)
    E = None if not free else np.column_stack([np.ones(L), draw.standard_normal((L, 2))])[:, :free]
    return F @ F.T, w / w.sum(), E, draw.standard_normal((L, T))


def refit(K, w, E, Y):
    """β and b of the whole system, by dense LU."""
    if E is None:
        return np.linalg.solve(K + np.diag(1 / w), Y), np.zeros((0, Y.shape[1]))
    g = E.shape[1]
    whole = np.block([[K + np.diag(1 / w), E], [E.T, np.zeros((g, g))]])
    found = np.linalg.solve(whole, np.vstack([Y, np.zeros((g, Y.shape[1]))]))
    return found[:-g], found[-g:]


CASES = [(free, equal) for free in (0, 1, 3) for equal in (True, False)]


@pytest.mark.parametrize(("free", "equal"), CASES)
def test_the_dual_and_the_offsets_solve_the_whole_system(free, equal):
    K, w, E, Y = problem(free, equal)
    beta, b = refit(K, w, E, Y)
    system = Labeled(K, w, E)
    np.testing.assert_allclose(system.dual(Y), beta, atol=1e-10)
    if free:
        np.testing.assert_allclose(system.offsets(Y, system.dual(Y)), b, atol=1e-10)


@pytest.mark.parametrize(("free", "equal"), CASES)
@pytest.mark.parametrize("gamma", [1.0, 30.0])
def test_leave_one_out_is_a_refit_with_renormalized_weights(free, equal, gamma):
    K, w, E, Y = problem(free, equal)
    held = Labeled(K, w, E).leave_one_out_grid(Y, [gamma])[0]
    for i in range(L):
        rest = np.delete(np.arange(L), i)
        own = None if E is None else E[rest]
        small = K[np.ix_(rest, rest)] / gamma
        beta, b = refit(small, w[rest] / w[rest].sum(), own, Y[rest])
        expected = K[i, rest] / gamma @ beta + (0.0 if E is None else E[i] @ b)
        np.testing.assert_allclose(held[i], expected, atol=1e-8)


def test_many_different_weights_take_the_other_way():
    draw = np.random.default_rng(1)
    F, w = draw.standard_normal((30, 4)), draw.uniform(0.5, 1.5, 30)
    K, w, y = F @ F.T, w / w.sum(), draw.standard_normal((30, 2))
    held = Labeled(K, w, np.ones((30, 1))).leave_one_out(y)
    rest = np.arange(1, 30)
    ones, own = np.ones((29, 1)), K[np.ix_(rest, rest)]
    beta, b = refit(own, w[rest] / w[rest].sum(), ones, y[rest])
    np.testing.assert_allclose(held[0], K[0, rest] @ beta + b[0], atol=1e-9)


@pytest.mark.parametrize("free", [0, 1, 3])
def test_groups_that_leave_together_are_refits(free):
    K, w, E, Y = problem(free, equal=True)
    y, group = Y[:, 0], np.arange(L) // 3
    left = np.full(L, 1.0 - 3.0 / L)
    found = Labeled(K, w, E).leave_one_out_grid(y[:, None], [1.0], left, group)[0, :, 0]
    rest = np.arange(3, L)
    own = None if E is None else E[rest]
    beta, b = refit(K[np.ix_(rest, rest)], np.full(L - 3, 1 / (L - 3)), own, y[rest, None])
    expected = K[:3, rest] @ beta[:, 0] + (0.0 if E is None else E[:3] @ b[:, 0])
    np.testing.assert_allclose(found[:3], expected, atol=1e-9)


@pytest.mark.parametrize(("free", "equal"), CASES)
def test_covariances_are_those_of_the_limit_of_a_flat_prior(free, equal):
    """b ~ N(0, huge): the Gaussian process with kernel K̃ + huge EEᵀ."""
    draw = np.random.default_rng(3)
    F, huge = draw.standard_normal((L + 4, L)), 1e6
    _, w, E, _ = problem(free, equal)
    K = F @ F.T
    h = draw.standard_normal((4, free)) if free else None
    lifted = K.copy()
    if free:
        both = np.vstack([E, h])
        lifted += huge * both @ both.T
    C, k = lifted[:L, :L] + np.diag(1 / w), lifted[L:, :L]
    expected = lifted[L:, L:] - k @ np.linalg.solve(C, k.T)
    system = Labeled(K[:L, :L], w, E)
    found = system.covariance(K[L:, :L], K[L:, :L], K[L:, L:], h, h)
    np.testing.assert_allclose(found, expected, rtol=2e-4, atol=1e-3)
    variance = system.variance(K[L:, :L], np.diagonal(K[L:, L:]), h)
    np.testing.assert_allclose(variance, np.diagonal(found), atol=1e-9)
    plain = K[L:, :L] @ np.linalg.solve(K[:L, :L] + np.diag(1 / w), K[L:, :L].T)
    np.testing.assert_allclose(system.explained(K[L:, :L]), np.diagonal(plain), rtol=1e-8)


def test_the_evidence_is_the_density_of_the_labels():
    K, w, _, Y = problem(0, equal=False)
    tau2 = 0.7
    expected = [multivariate_normal(cov=tau2 * (K + np.diag(1 / w))).logpdf(y) for y in Y.T]
    found = Labeled(K, w).log_evidence(Y, noise=np.full(T, tau2))
    np.testing.assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize("free", [0, 2])
def test_labels_come_and_go(free):
    K, w, E, Y = problem(free, equal=True)
    rest = np.arange(L - 1)
    fewer = Labeled(K[np.ix_(rest, rest)], np.full(L - 1, 1 / (L - 1)), E[rest] if free else None)
    more = fewer.add(K[-1, :-1], K[-1, -1], w, E[-1] if free else ())
    np.testing.assert_allclose(more.dual(Y), Labeled(K, w, E).dual(Y), atol=1e-10)
    back = more.drop(L - 1, fewer.w)
    np.testing.assert_allclose(back.dual(Y[:-1]), fewer.dual(Y[:-1]), atol=1e-10)


def test_a_row_that_alone_holds_a_free_function_tells_nothing():
    K, w, _, Y = problem(0, equal=True)
    E = np.zeros((L, 2))
    E[:, 0], E[4, 1] = 1.0, 1.0
    held = Labeled(K, w, E).leave_one_out(Y)
    assert np.isnan(held[4]).all()
    assert np.isfinite(np.delete(held, 4, axis=0)).all()


def test_a_huge_kernel_along_the_constants_loses_no_digits():
    """K̃ has entries of 1/γ where nothing holds the constants; leave-one-out does not see them."""
    K, w, E, Y = problem(1, equal=True)
    plain = Labeled(K, w, E).leave_one_out(Y)
    lifted = Labeled(K + 1e9, w, E).leave_one_out(Y)
    np.testing.assert_allclose(lifted, plain, atol=1e-5)


def test_newtons_step_solves_its_system_where_some_rows_do_not_curve():
    K, _, _, Y = problem(0, equal=True, rank=3)
    h = np.random.default_rng(5).uniform(0, 1, L) * (np.arange(L) % 3 > 0)
    found = shifted_solve(K, h, 0.3, Y)
    np.testing.assert_allclose(0.3 * found + h[:, None] * (K @ found), Y, atol=1e-10)


def test_eigenvalues_below_one_are_one():
    Q = scipy.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    B, R = (Q * [5.0, 2.0, 1.0, -1e-3]) @ Q.T, np.eye(4)
    np.testing.assert_allclose(solve_above_one(B, R), (Q / [5.0, 2.0, 1.0, 1.0]) @ Q.T, atol=1e-12)


def test_what_is_not_finite_is_said():
    with pytest.raises(ValueError, match="Increase gamma_A"):
        solve_above_one(np.full((2, 2), np.inf), np.eye(2))
