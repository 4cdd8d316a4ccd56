"""One eigenbasis for several symmetric matrices that commute."""

from itertools import combinations

import numpy as np


def commute(*matrices: np.ndarray) -> bool:
    """Whether every two of the symmetric matrices commute, up to rounding."""
    for A, B in combinations(matrices, 2):
        scale = float(np.linalg.norm(A) * np.linalg.norm(B))
        if np.linalg.norm(A @ B - B @ A) > 1e-12 * max(scale, 1e-300):
            return False
    return True


def simultaneous_eigenbasis(*matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """V orthogonal with Vᵀ M V diagonal for all matrices, and the eigenvalues of the first.

    Each matrix in turn splits the eigenspaces that the previous ones have in common.

    Parameters
    ----------
    *matrices : arrays of shape (q, q)
        Symmetric, commuting with one another.

    Returns
    -------
    values : array of shape (q,)
        diag(Vᵀ M_1 V). Eigenvalues that agree to rounding are exactly equal.
    V : array of shape (q, q)
    """
    q = len(matrices[0])
    V = np.eye(q)
    groups = [np.arange(q)]
    first = np.zeros(q)
    for number, M in enumerate(matrices):
        tol = 1e-9 * max(float(np.linalg.norm(M)), 1e-300)
        refined: list[np.ndarray] = []
        for group in groups:
            block = V[:, group].T @ M @ V[:, group]
            values, vectors = np.linalg.eigh((block + block.T) / 2.0)
            V[:, group] = V[:, group] @ vectors
            cuts = np.flatnonzero(np.diff(values) > tol) + 1
            parts = np.split(np.arange(len(group)), cuts)
            refined += [group[part] for part in parts]
            if number == 0:
                for part in parts:
                    first[group[part]] = values[part].mean()
        groups = refined
    return first, V
