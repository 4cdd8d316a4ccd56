"""Check that a `Kernel` behaves as the library expects, on given points."""

import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from ..kernels import Kernel
from ..types import MatrixLike


def check_kernel(kernel: Kernel, X: MatrixLike, *, sparse: bool = True) -> None:
    """Assert the properties of a kernel on the rows of X.

    Parameters
    ----------
    kernel : Kernel
    X : array of shape (n, d), n at least 4, or the (n, n) Gram matrix for `Precomputed`
    sparse : bool
        Whether the kernel accepts CSR matrices.

    Examples
    --------
    >>> from lapwing.kernels import RBF
    >>> check_kernel(RBF(), np.random.default_rng(0).normal(size=(8, 2)))
    """
    check_configuration(kernel, X)
    built = kernel.build(X)
    check_gram(built, X)
    check_algebra(built, X)
    if not built.precomputed:  # a precomputed matrix has no values at other points
        check_pairs(built, X)
        check_features(built, X)
    if sparse:
        check_sparse(built, X)


def check_configuration(kernel: Kernel, X: MatrixLike) -> None:
    """Check that ``build`` does not change the kernel and that ``clone`` gives the same values."""
    before = repr(kernel.get_params())
    built = kernel.build(X)
    assert repr(kernel.get_params()) == before, "build() changed the kernel it was called on"
    assert_array_equal(built.build(X)(X), built(X))
    assert repr(built.build(X).get_params()) == repr(built.get_params())
    assert_array_equal(clone(built)(X), built(X))
    copy = clone(kernel).set_params(**kernel.get_params(deep=False))
    assert_array_equal(copy.build(X)(X), built(X))


def check_gram(kernel: Kernel, X: MatrixLike) -> None:
    """Check that k(X) is finite, exactly symmetric and PSD, with ``diagonal`` as its diagonal."""
    K = kernel(X)
    assert K.shape == (len(X), len(X))
    assert np.isfinite(K).all()
    assert_array_equal(K, K.T)
    assert_allclose(kernel.diagonal(X), K.diagonal(), rtol=1e-10, atol=1e-12 * np.abs(K).max())
    eigenvalues = np.linalg.eigvalsh(K)
    assert eigenvalues[0] >= -1e-10 * len(X) * max(eigenvalues[-1], 0.0), "not PSD"


def check_pairs(kernel: Kernel, X: MatrixLike) -> None:
    """Check that k(X, Z) = k(Z, X)ᵀ is a block of the Gram matrix. float32 must stay float32."""
    m = len(X) // 2
    K, block = kernel(X), kernel(X[:m], X[m:])
    small = 1e-10 * np.abs(K).max()
    assert_allclose(block, K[:m, m:], rtol=1e-9, atol=small)
    assert_allclose(kernel(X[m:], X[:m]), block.T, rtol=1e-9, atol=small)
    assert_allclose(kernel(X[:1]), K[:1, :1], rtol=1e-9, atol=small)
    single = kernel(X.astype(np.float32))
    assert single.dtype == np.float32 and kernel(X.astype(np.float64)).dtype == np.float64
    assert kernel.diagonal(X.astype(np.float32)).dtype == np.float32
    assert_allclose(single, K, rtol=2e-3, atol=2e-3 * np.abs(K).max())


def check_features(kernel: Kernel, X: MatrixLike) -> None:
    """Check Φ(X)Φ(Z)ᵀ = k(X, Z) if the kernel has features Φ. CSR rows have sparse features."""
    m = len(X) // 2
    phi, psi = kernel.features(X[:m]), kernel.features(sp.csr_array(X[m:]))
    assert (phi is None) == (psi is None)
    if phi is not None:
        K = kernel(X[:m], X[m:])
        assert sp.issparse(psi)
        assert_allclose((psi @ phi.T).T, K, rtol=1e-9, atol=1e-10 * np.abs(K).max())


def check_algebra(kernel: Kernel, X: MatrixLike) -> None:
    """Check that k + k′, k · k′ and c · k are kernels and act on each entry of the Gram matrix."""
    K, d = kernel(X), kernel.diagonal(X)
    cases: list[tuple[Kernel, np.ndarray, np.ndarray]] = [
        (kernel + kernel, K + K, d + d),
        (kernel * kernel, K * K, d * d),
        (kernel.__rmul__(0.5), 0.5 * K, 0.5 * d),
        (kernel * 2, 2.0 * K, 2.0 * d),
    ]
    for combined, gram, diagonal in cases:
        assert combined.precomputed == kernel.precomputed
        assert combined.user_given == kernel.user_given
        assert_allclose(combined.build(X)(X), gram, rtol=1e-12)
        assert_allclose(combined.diagonal(X), diagonal, rtol=1e-12)
        check_gram(combined, X)


def check_sparse(kernel: Kernel, X: MatrixLike) -> None:
    """Check that CSR rows (matrix or array) give the same values as dense rows."""
    K, m = kernel(X), len(X) // 2
    small = 1e-9 * np.abs(K).max()
    for csr in (sp.csr_array, sp.csr_matrix):
        S = csr(X)
        assert isinstance(kernel(S), np.ndarray)
        assert_allclose(kernel(S), K, rtol=1e-7, atol=small)
        assert_allclose(kernel.diagonal(S), kernel.diagonal(X), rtol=1e-9, atol=small)
        assert_array_equal(kernel(S), kernel(S).T)
        if not kernel.precomputed:
            assert_allclose(kernel(S[:m], X[m:]), K[:m, m:], rtol=1e-7, atol=small)
            assert_allclose(kernel(X[:m], S[m:]), K[:m, m:], rtol=1e-7, atol=small)
