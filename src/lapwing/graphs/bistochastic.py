"""Symmetric Sinkhorn scaling. It gives weights with row and column sums of one."""

import numpy as np
import scipy.sparse as sp

from ..linalg.conjugate_gradients import solve_columns

_DIAGONAL = 1e-2  # ε in units of the mean degree
_TOL = 1e-14  # error of the row sums, which are one; this is rounding


def bistochastic_scaling(W: sp.csr_array) -> tuple[np.ndarray, float]:
    """Return s and ε with s_i Σ_j (W + εI)_ij s_j = 1 for all i.

    ε is a hundredth of the mean degree. Because of this positive diagonal, s exists and is unique
    for every graph: u = log s minimizes the strictly convex function ½ Σ_ij A_ij e^{u_i + u_j} −
    Σ_i u_i. A few steps s ← √(s / As) are enough for most graphs. These steps converge slowly if a
    graph is nearly bipartite (stars, paths). Newton's method then finishes.

    Parameters
    ----------
    W : csr_array of shape (n, n)
        Symmetric, non-negative, with an empty diagonal.

    Returns
    -------
    s : array of shape (n,), positive
    epsilon : float

    References
    ----------
    Knight, Ruiz, Uçar 2014, *A symmetry preserving algorithm for matrix scaling*; Zass, Shashua
    2006, *Doubly stochastic normalization for spectral clustering*.

    Examples
    --------
    >>> W = sp.csr_array([[0.0, 2.0], [2.0, 0.0]])
    >>> s, epsilon = bistochastic_scaling(W)
    >>> s * ((W + epsilon * np.eye(2)) @ s)
    array([1., 1.])
    """
    epsilon = _DIAGONAL * float(W.sum() / W.shape[0]) if W.nnz else 1.0
    A = W / epsilon  # the diagonal is then I
    d = 1.0 + np.asarray(A.sum(axis=1)).ravel()
    s = 1.0 / np.sqrt(d)
    for _ in range(60):
        r = s * (A @ s + s)
        if np.abs(r - 1.0).max(initial=0.0) < _TOL:
            break
        s = s / np.sqrt(r)
    else:
        s = _newton(A, s)
    return s / np.sqrt(epsilon), epsilon


def _newton(A: sp.csr_array, s: np.ndarray) -> np.ndarray:
    """Newton steps in u = log s. Conjugate gradients solve each system (diag(r) + S) v = 1 − r.

    S = diag(s)(A + I)diag(s) has the row sums r. diag(r) + S ≥ 2 diag(s²) is positive definite.
    """
    n, value = len(s), _potential(A, s)
    for _ in range(200):
        As = A @ s + s
        residual = 1.0 - s * As
        worst = np.abs(residual).max()
        if worst < _TOL:
            break

        def hessian(V, s=s[:, None], As=As[:, None]):
            return s * (As * V + A @ (s * V) + s * V)

        def precondition(R, inverse=1.0 / (s * As + s * s)):
            return inverse[:, None] * R

        step = solve_columns(
            hessian,
            residual[:, None],
            tol=min(0.1, np.sqrt(worst)),
            max_iter=20 * n + 100,
            precondition=precondition,
        )[:, 0]
        # e^u grows fast: s_i changes by at most a factor e, and the function must decrease
        step *= min(1.0, 1.0 / np.abs(step).max())
        while True:
            trial = s * np.exp(step)
            tried = _potential(A, trial)
            if tried <= value or np.abs(step).max() < 1e-15:
                break
            step *= 0.5
        if np.abs(step).max() < 1e-15:
            break
        s, value = trial, tried
    return s


def _potential(A: sp.csr_array, s: np.ndarray) -> float:
    return 0.5 * float(s @ (A @ s) + s @ s) - float(np.log(s).sum())
