"""Small random joint problems, and the full dual SO (9) by a general solver."""

from __future__ import annotations

from dataclasses import dataclass

import cvxpy as cp
import numpy as np
import pytest


@dataclass
class Dense:
    """n points, |Y| outputs, everything as dense matrices over the pairs, row-major."""

    K_x: np.ndarray
    K_y: np.ndarray
    L: np.ndarray  # over the pairs
    delta: np.ndarray
    rows: np.ndarray
    codes: np.ndarray  # of the labeled rows
    gamma_A: float
    lam: float  # γ_I/n²

    @property
    def q(self) -> int:
        return len(self.K_y)

    @property
    def K(self) -> np.ndarray:
        return np.kron(self.K_x, self.K_y)

    @property
    def deformed(self) -> np.ndarray:
        """K̃ = γ_A K (γ_A I + λ L K)⁻¹: SO (18) without the inverse of K."""
        A = self.gamma_A * np.eye(len(self.K)) + self.lam * self.L @ self.K
        tilde = self.gamma_A * np.linalg.solve(A.T, self.K.T).T
        return 0.5 * (tilde + tilde.T)

    def J(self) -> np.ndarray:
        """Columns e_i ⊗ (ē_{y_i} − ē_y), i labeled, y ≠ y_i (SO Proposition 2)."""
        columns = []
        for i, code in zip(self.rows, self.codes, strict=True):
            for y in range(self.q):
                if y != code:
                    column = np.zeros(len(self.K))
                    column[i * self.q + code] += 1.0
                    column[i * self.q + y] -= 1.0
                    columns.append(column)
        return np.array(columns).T

    def full_dual(self, rescaling: str, weights=None) -> float:
        """The maximum of SO (9), by Clarabel over all l(|Y| − 1) variables."""
        l = len(self.rows)
        w = np.full(l, 1.0 / l) if weights is None else weights
        J = self.J()
        Q = J.T @ self.deformed @ J / self.gamma_A
        values, vectors = np.linalg.eigh(Q)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        costs = np.array([np.delete(self.delta[c], c) for c in self.codes])
        beta = cp.Variable((l, self.q - 1), nonneg=True)
        flat = cp.vec(beta, order="C")
        quadratic = 0.25 * cp.sum_squares(root.T @ flat)
        if rescaling == "slack":
            gain, mass = cp.sum(beta), cp.sum(cp.multiply(beta, 1.0 / costs), axis=1)
        else:
            gain, mass = cp.sum(cp.multiply(beta, costs)), cp.sum(beta, axis=1)
        problem = cp.Problem(cp.Maximize(gain - quadratic), [mass <= w])
        problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
        return float(problem.value)


@pytest.fixture
def make_problem():
    """A factory of random problems; the output structure and the joint L are given."""

    def make(outputs, *, seed=0, n=14, l=8, gamma_A=0.01, lam=0.05, L_x=None, L=None) -> Dense:
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, 3))
        K_x = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
        if L_x is None:
            W = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2))
            np.fill_diagonal(W, 0.0)
            L_x = np.diag(W.sum(axis=1)) - W
        q = len(outputs.classes)
        L = np.kron(L_x, np.eye(q)) if L is None else L
        rows = np.sort(rng.choice(n, l, replace=False))
        codes = rng.integers(0, q, l)
        problem = Dense(K_x, outputs.kernel, L, outputs.loss_matrix, rows, codes, gamma_A, lam)
        problem.X, problem.L_x = X, L_x
        return problem

    return make
