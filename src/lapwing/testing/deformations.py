"""Check that a deformation computes K̃ as defined."""

import numpy as np
from numpy.testing import assert_allclose

from ..operators import Operator
from ..spaces import Space
from ..types import MatrixLike


def check_deformation(
    space: Space,
    operator: Operator,
    gamma_A: float = 0.1,
    lam: float = 0.7,
    *,
    n_columns: int = 3,
    X: MatrixLike = None,
    rtol: float = 1e-6,
) -> None:
    """Assert that all methods of a deformation agree with K̃ = R (γ_A P + λΦ*MΦ)⁺ R*.

    K̃ is formed as a dense matrix. The checks are: ``gram(rows)`` for some rows, as one matrix over
    pairs, as a product and as cross values; ``lift`` of a dual vector, from all rows and from the
    given rows; and the readouts of the free functions. If X is given and the space has a kernel at
    new points, ``cross`` and ``diagonal`` are checked too.

    Parameters
    ----------
    space : Space
        A space over a few dozen points. All matrices are formed.
    operator : Operator
        M on the values of the space.
    gamma_A, lam : float
        The weights γ_A and λ.
    n_columns : int
        The number of outputs. A space or an operator that couples outputs sets it itself.
    X : optional
        The training points.
    rtol : float
        The largest error, relative to the largest entry.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.regularizers import Laplacian
    >>> from lapwing.spaces import WithFreeFunctions, linear
    >>> X = np.random.default_rng(0).normal(size=(20, 3))
    >>> check_deformation(WithFreeFunctions(linear(X)), Laplacian().build(X))
    """
    rng = np.random.default_rng(0)
    K = dense_kernel(space, operator, gamma_A, lam, n_columns)
    scale = float(np.abs(K).max())
    found = space.deformed(operator, gamma_A, lam)
    n, q = space.n_rows, n_columns
    rows = np.sort(rng.choice(n, min(5, n), replace=False))
    kernel = found.gram(rows)
    i, output = (part.ravel() for part in np.indices((len(rows), q)))
    at = rows[i] * q + output
    assert_allclose(kernel.pairs(i, output), K[np.ix_(at, at)], atol=rtol * scale)
    G, D = rng.normal(size=(2, len(rows), q))
    expected = (K[np.ix_(at, at)] @ G.ravel()).reshape(G.shape)
    assert_allclose(kernel.apply(G), expected, atol=10 * rtol * scale)
    every = np.arange(len(rows))
    crossed = kernel.cross(every, G, every, D)
    blocks = K[np.ix_(at, at)].reshape(len(rows), q, len(rows), q)
    assert_allclose(crossed, np.einsum("ia,iajb,jb->ij", G, blocks, D), atol=30 * rtol * scale)
    if kernel.shared is not None:
        assert_allclose(kernel.shared, K[np.ix_(at[::q], at[::q])], atol=rtol * scale)
    R = rng.normal(size=(n, q))
    lifted = space.element(found.lift(R)).readout
    assert_allclose(lifted, (K @ R.ravel()).reshape(n, q), atol=30 * rtol * scale)
    _check_way_back(space, kernel, K, rows, G, rtol * scale)
    if X is not None:
        check_new_points(space, operator, gamma_A, lam, X, K[::q, ::q], rtol)


def _check_way_back(space: Space, kernel, K, rows, G, atol: float) -> None:
    n, q = space.n_rows, G.shape[1]
    R = np.zeros((n, q))
    R[rows] = G
    g = kernel.free.shape[1]
    b = np.arange(1.0, g * q + 1.0).reshape(g, q)
    readout = space.element(kernel.lift(G, b)).readout[rows]
    free = kernel.free @ b
    assert_allclose(readout, (K @ R.ravel()).reshape(n, q)[rows] + free, atol=30 * atol)


def check_new_points(
    space: Space,
    operator: Operator,
    gamma_A: float,
    lam: float,
    X: MatrixLike,
    K: np.ndarray,
    rtol: float,
) -> None:
    """Check that the kernel at new points equals K̃ if these are the training points."""
    found = space.deformed(operator, gamma_A, lam)
    atol = rtol * float(np.abs(K).max())
    assert_allclose(found.cross(X), K, atol=atol)
    assert_allclose(found.cross(X, X), K, atol=atol)
    assert_allclose(found.diagonal(X), np.diagonal(K), atol=atol)


def dense_kernel(
    space: Space, operator: Operator, gamma_A: float, lam: float, q: int
) -> np.ndarray:
    """R (γ_A P + λΦ*MΦ)⁺ R* over pairs (row, output), row-major, computed from the definition."""
    units = np.eye(space.n_coef * q).reshape(-1, space.n_coef, q)
    elements = [space.element(unit) for unit in units]
    values = np.stack([e.values.ravel() for e in elements], axis=1)
    readout = np.stack([e.readout.ravel() for e in elements], axis=1)
    smooth = np.stack([operator.apply(e.values).ravel() for e in elements], axis=1)
    ambient = _metric(space, elements)
    H = gamma_A * ambient + lam * values.T @ smooth
    keep = ~_free(space, q)  # free functions are not part of K̃
    H, R = H[np.ix_(keep, keep)], readout[:, keep]
    return R @ np.linalg.pinv(0.5 * (H + H.T), rcond=1e-13, hermitian=True) @ R.T


def _metric(space: Space, elements) -> np.ndarray:
    """The matrix ⟨e_i, P e_j⟩, summed over all columns."""
    penal = [e.penalized() for e in elements]
    return np.array([[space.inner(p, e).sum() for p in penal] for e in elements])


def _free(space: Space, q: int) -> np.ndarray:
    g = space.free.shape[1]
    mask = np.zeros((space.n_coef, q), dtype=bool)
    mask[space.n_coef - g :] = True
    return mask.ravel()
