"""Independent solutions of the equation, written with dense numpy and cvxpy only.

Nothing here imports the library: kernels and Laplacians come in as matrices.
"""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.linalg

cp = pytest.importorskip("cvxpy")  # tests of the lowest versions run without it


def eq8(K, M, Y, labeled, gamma_A, gamma_I):
    """α = (J K + γ_A l I + (γ_I l/n²) L K)⁻¹ Y to the letter (MR eq. 8); Y is (n, t)."""
    n, l = len(K), labeled.sum()
    J = np.diag(labeled.astype(float))
    A = J @ K + gamma_A * l * np.eye(n) + gamma_I * l / n**2 * M @ K
    return np.linalg.solve(A, J @ Y)


@dataclass
class Dense:
    """f = Φ u over all n points, Φ Φᵀ = K, and b: one column of a dense solution."""

    features: np.ndarray
    u: np.ndarray
    b: float

    @property
    def readout(self):
        return self.features @ self.u + self.b


def features_of(K):
    """Φ with Φ Φᵀ = K, from the eigenvectors of K."""
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    kept = values > 1e-14 * values.max()
    return vectors[:, kept] * np.sqrt(values[kept])


def least_squares(K, M, y, w, gamma_A, gamma_I, intercept):
    """min Σ w (y − Φu − b)² + γ_A ‖u‖² + (γ_I/n²) uᵀΦᵀMΦu from its normal equations."""
    phi, n = features_of(K), len(K)
    D = np.hstack([phi, np.full((n, 1), float(intercept))])
    penalty = gamma_A * np.eye(phi.shape[1]) + gamma_I / n**2 * phi.T @ M @ phi
    penalty = scipy.linalg.block_diag(penalty, 0.0 if intercept else 1.0)
    x = np.linalg.solve(D.T @ (w[:, None] * D) + penalty, D.T @ (w * y))
    return Dense(phi, x[:-1], x[-1] if intercept else 0.0)


def squared_hinge(K, M, y, w, gamma_A, gamma_I, intercept):
    """Least squares over the rows inside the margin; a set that repeats itself is the solution."""
    inside = w > 0
    for _ in range(100):
        f = least_squares(K, M, y, w * inside, gamma_A, gamma_I, intercept)
        before, inside = inside, (w > 0) & (y * f.readout < 1)
        if (inside == before).all():
            return f
    raise AssertionError("the active set cycles: choose another problem")


LOSSES = {
    "hinge": lambda y, f: cp.pos(1 - cp.multiply(y, f)),
    "epsilon_insensitive": lambda y, f: cp.pos(cp.abs(y - f) - 0.1),
    "logistic": lambda y, f: cp.logistic(-cp.multiply(y, f)),
    "huber": lambda y, f: cp.huber(y - f, 1.0) / 2,
    "squared": lambda y, f: cp.square(y - f),
}


def convex(loss, K, M, y, w, gamma_A, gamma_I, intercept):
    """min Σ w V(y, Φu + b) + γ_A ‖u‖² + (γ_I/n²) uᵀΦᵀMΦu as a cone program."""
    if loss == "squared_hinge":
        return squared_hinge(K, M, y, w, gamma_A, gamma_I, intercept)
    phi, n = features_of(K), len(K)
    rows = np.flatnonzero(w > 0)
    u, b = cp.Variable(phi.shape[1]), cp.Variable()
    f = phi[rows] @ u + (b if intercept else 0.0)
    fit = w[rows] @ LOSSES[loss](y[rows], f)
    smooth = cp.sum_squares(square_root(M) @ phi @ u)
    problem = cp.Problem(cp.Minimize(fit + gamma_A * cp.sum_squares(u) + gamma_I / n**2 * smooth))
    tight(problem)
    return Dense(phi, u.value, float(b.value) if intercept else 0.0)


def hard_margin(K, y):
    """min ‖u‖² with y (Φu + b) ≥ 1: the hard-margin model."""
    phi = features_of(K)
    u, b = cp.Variable(phi.shape[1]), cp.Variable()
    problem = cp.Problem(cp.Minimize(cp.sum_squares(u)), [cp.multiply(y, phi @ u + b) >= 1])
    tight(problem)
    return Dense(phi, u.value, float(b.value))


def eq10_to_12(K, M, y, labeled, gamma_A, gamma_I):
    """LapSVM to the letter: the dual QP (MR eqs. 11, 12) for β, then α (eq. 10); α and β."""
    n, l = len(K), int(labeled.sum())
    J = np.eye(n)[labeled]
    inverse = np.linalg.inv(2 * gamma_A * np.eye(n) + 2 * gamma_I / n**2 * M @ K)
    Y = np.diag(y[labeled])
    Q = Y @ J @ K @ inverse @ J.T @ Y
    beta = cp.Variable(l)
    gain = cp.sum(beta) - 0.5 * cp.sum_squares(square_root(0.5 * (Q + Q.T)) @ beta)
    problem = cp.Problem(cp.Maximize(gain), [beta >= 0, beta <= 1 / l, y[labeled] @ beta == 0])
    tight(problem)
    return inverse @ J.T @ Y @ beta.value, beta.value


def harmonic(W, y, labeled):
    """The values that are y where labeled and the weighted mean of their neighbors elsewhere."""
    L = np.diag(W.sum(axis=1)) - W
    f = np.where(labeled, y, 0.0)
    unlabeled = ~labeled
    f[unlabeled] = np.linalg.solve(
        L[np.ix_(unlabeled, unlabeled)], -L[np.ix_(unlabeled, labeled)] @ y[labeled]
    )
    return f


def square_root(M):
    """R with RᵀR = M."""
    values, vectors = np.linalg.eigh(0.5 * (M + M.T))
    return np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T


def tight(problem):
    """As tightly as rounding lets the interior-point method go."""
    for tol in (1e-13, 1e-11, 1e-9):
        try:
            problem.solve(
                solver=cp.CLARABEL, tol_gap_abs=tol, tol_gap_rel=tol, tol_feas=tol, max_iter=200
            )
        except cp.error.SolverError:
            continue
        if problem.status == "optimal":
            return
    raise AssertionError(f"the dense solution failed: {problem.status}")
