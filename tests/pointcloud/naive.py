"""Formulas as printed (with the errata), slow and obvious: what the tests compare with."""

import numpy as np
import scipy.linalg


def formula_6(kernels, blocks_cloud, blocks_z, blocks_x, a, gammas, lam, M):
    """MV eq. 6 on split data: k̃(z, x), with kernels called on pairs of blocks."""
    m, n = len(kernels), len(blocks_cloud[0])
    K = scipy.linalg.block_diag(*[k(c, c) for k, c in zip(kernels, blocks_cloud, strict=True)])
    A = np.diag(np.repeat(a, n))
    G = np.diag(np.repeat(gammas, n))
    Gi = np.linalg.inv(G)
    k_x = np.vstack([k(c, x) for k, c, x in zip(kernels, blocks_cloud, blocks_x, strict=True)])
    k_z = np.vstack([k(c, z) for k, c, z in zip(kernels, blocks_cloud, blocks_z, strict=True)])
    prior = sum(a[j] ** 2 / gammas[j] * kernels[j](blocks_z[j], blocks_x[j]) for j in range(m))
    middle = np.linalg.solve(np.eye(m * n) + lam * M @ Gi @ K, M @ Gi @ A @ k_z)
    return prior - (lam * k_x.T @ A @ Gi @ middle).T


def pairwise(m, n):
    return np.kron(m * np.eye(m) - np.ones((m, m)), np.eye(n))


def psd(rng, n, rank=None):
    V = rng.standard_normal((n, rank or n))
    return V @ V.T / n
