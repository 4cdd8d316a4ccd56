"""Views × outputs written out: dense normal equations over all views, rows and outputs at once."""

import numpy as np
import scipy.linalg


def root(K):
    """C with C Cᵀ = K, from the eigenvectors of K."""
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    kept = values > 1e-14 * values.max()
    return vectors[:, kept] * np.sqrt(values[kept])


def least_squares(kernels, weights, Y, Q, gammas, penalty, intercept=False):
    """min Σ w_ij (y_ij − Σ_v a_iv f^v_j(x_i) − b_j)² + Σ_v γ_v ‖f^v‖² + ⟨f, (N ⊗ I) f⟩.

    Parameters
    ----------
    kernels : list of arrays of shape (n, n)
        K^v, zero in rows and columns that lack the view.
    weights : array of shape (n, m)
        a_iv.
    Y : array of shape (n, q), NaN where it is not observed
    Q : array of shape (q, q)
    gammas : array of shape (m,)
    penalty : array of shape (m n, m n)
        N, over the values of all views, view by view.

    Returns
    -------
    readout : array of shape (n, q)
    values : list of arrays of shape (n, q)
        f^v at the rows.
    """
    n, q = Y.shape
    m, mix = len(kernels), root(Q)
    blocks = [np.kron(root(K), mix) for K in kernels]  # rows (i, j), row-major
    phi = scipy.linalg.block_diag(*blocks)
    norm = np.concatenate([np.full(b.shape[1], g) for b, g in zip(blocks, gammas, strict=True)])
    read = np.hstack([np.kron(np.diag(weights[:, v]), np.eye(q)) for v in range(m)])
    D = read @ phi
    free = np.kron(np.ones((n, 1)), np.eye(q)) if intercept else np.zeros((n * q, 0))
    D = np.hstack([D, free])
    l = (~np.isnan(Y)).any(axis=1).sum()
    w = np.where(np.isnan(Y), 0.0, 1.0 / l).ravel()
    P = np.diag(norm) + phi.T @ np.kron(penalty, np.eye(q)) @ phi
    P = scipy.linalg.block_diag(P, np.zeros((free.shape[1],) * 2))
    u = np.linalg.solve(D.T @ (w[:, None] * D) + P, D.T @ (w * np.nan_to_num(Y).ravel()))
    values = (phi @ u[: phi.shape[1]]).reshape(m, n, q)
    return (D @ u).reshape(n, q), list(values)


def disagreement(present):
    """Σ_{v<w} ‖f^v − f^w‖² over rows that have both, as a matrix; present is boolean, (n, m)."""
    n, m = present.shape
    M = np.zeros((m * n, m * n))
    for v in range(m):
        for w in range(v):
            for i in np.flatnonzero(present[:, v] & present[:, w]):
                at = np.array([v * n + i, w * n + i])
                M[np.ix_(at, at)] += np.array([[1.0, -1.0], [-1.0, 1.0]])
    return M


def shares(present, a):
    """a_iv: views that a row has share the weight of those that it lacks."""
    weights = present * a
    return weights * (np.sum(a) / weights.sum(axis=1))[:, None]


def masked(kernel, X, columns, present):
    """K^v over all rows, zero where the view is missing."""
    K = np.zeros((len(X), len(X)))
    rows = np.flatnonzero(present)
    K[np.ix_(rows, rows)] = kernel(X[np.ix_(rows, columns)])
    return K
