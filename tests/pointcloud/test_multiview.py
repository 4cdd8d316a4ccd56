"""The multi-view kernel against formula (6), joint minimization and its special cases."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from sklearn.kernel_ridge import KernelRidge

from lapwing.kernels import RBF, Linear, Polynomial
from lapwing.pointcloud import DeformedKernel, MultiViewKernel
from lapwing.regularizers import Disagreement, Factored, Laplacian, Matrix

from .naive import formula_6, pairwise, psd

KERNELS = [RBF(1.3), Linear(), Polynomial(degree=2), RBF(0.7), RBF(3.0)]
N, D = 18, 2


def problem(m, seed=0):
    rng = np.random.default_rng(seed)
    cloud, X, Z = (rng.standard_normal((n, m * D)) for n in (N, 7, 6))
    columns = [list(range(D * j, D * j + D)) for j in range(m)]
    views = [(f"v{j}", KERNELS[j], columns[j]) for j in range(m)]
    a, gammas = rng.uniform(-0.5, 1.0, m), rng.uniform(0.2, 2.0, m)
    split = lambda data: [data[:, at] for at in columns]  # noqa: E731
    return rng, cloud, X, Z, views, a, gammas, split


def assert_is_formula_6(kernel, cloud, X, Z, views, a, gammas, lam, M, split, tol=1e-8):
    kernels = [view[1] for view in views]
    parts = (split(cloud), split(Z), split(X), a, gammas, lam, M)
    expected = formula_6(kernels, *parts)
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(kernel(Z, X), expected, atol=tol * scale)
    square = formula_6(kernels, split(cloud), split(X), split(X), a, gammas, lam, M)
    found = kernel(X)
    np.testing.assert_allclose(found, square, atol=tol * scale)
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_allclose(kernel.diag(X), np.diag(found), atol=tol * scale)
    assert np.linalg.eigvalsh(found)[0] > -1e-10 * np.abs(found).max()


@pytest.mark.parametrize("lam", [0.0, 1e-2, 1.0, 1e3])
@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_disagreement_is_formula_6(m, lam):
    _, cloud, X, Z, views, a, gammas, split = problem(m)
    kernel = MultiViewKernel(views, a, gammas, lam).fit(cloud)
    assert_is_formula_6(kernel, cloud, X, Z, views, a, gammas, lam, pairwise(m, N), split)


def given(kind, rng, m):
    size = m * N
    if kind == "dense":
        return psd(rng, size)
    if kind == "low rank":
        return psd(rng, size, 3)
    if kind == "sparse":
        M = np.zeros((size, size))
        at = rng.choice(size, size // 3, replace=False)
        M[np.ix_(at, at)] = psd(rng, len(at))
        return sp.csr_array(M)
    if kind == "disagreement":
        return sp.csr_array(pairwise(m, N))
    if kind == "disagreement, dense":
        return 0.5 * pairwise(m, N)
    if kind == "between views":
        return np.kron(psd(rng, m), np.eye(N))
    return Factored(rng.standard_normal((size, 4)))


@pytest.mark.parametrize(
    "kind",
    ["dense", "low rank", "sparse", "disagreement", "disagreement, dense", "between views", "V"],
)
@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_any_penalty_is_formula_6(m, kind):
    rng, cloud, X, Z, views, a, gammas, split = problem(m, seed=m)
    M = given(kind, rng, m)
    dense = M.V @ M.V.T if kind == "V" else M.toarray() if sp.issparse(M) else M
    kernel = MultiViewKernel(views, a, gammas, 0.7, M).fit(cloud)
    assert_is_formula_6(kernel, cloud, X, Z, views, a, gammas, 0.7, dense, split)


@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_own_regularizers_add_their_blocks_to_M(m):
    _, cloud, X, Z, views, a, gammas, split = problem(m)
    own = [0.5 * Laplacian(normalized=False, degree=1 + j % 2) for j in range(m)]
    own = [r if j != 1 else None for j, r in enumerate(own)]  # one view has none
    kernel = MultiViewKernel(
        [(*v, r) if r is not None else v for v, r in zip(views, own, strict=True)], a, gammas, 0.8
    ).fit(cloud)
    blocks = [
        np.zeros((N, N)) if r is None else r.build(c).toarray()
        for r, c in zip(own, split(cloud), strict=True)
    ]
    M = pairwise(m, N) + scipy.linalg.block_diag(*blocks)
    assert_is_formula_6(kernel, cloud, X, Z, views, a, gammas, 0.8, M, split)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_least_squares_is_joint_minimization_over_all_views(m):
    """KernelRidge(alpha=l) minimizes (1/l)Σ(y − Σa_j f^j)² + Σγ_j‖f^j‖² + λ⟨f, M f⟩."""
    rng, cloud, X, _, views, a, gammas, split = problem(m)
    labeled, lam = np.arange(5), 0.6
    y, l = rng.standard_normal(5), 5
    model = KernelRidge(alpha=l, kernel=MultiViewKernel(views, a, gammas, lam).fit(cloud))
    model.fit(cloud[labeled], y)
    K = [v[1](c) for v, c in zip(views, split(cloud), strict=True)]
    full = scipy.linalg.block_diag(*K)
    R = np.hstack([a[j] * K[j][labeled] for j in range(m)])  # readout of stacked coefficients
    penalty = scipy.linalg.block_diag(*[g * k for g, k in zip(gammas, K, strict=True)])
    H = R.T @ R / l + penalty + lam * full @ pairwise(m, N) @ full
    c = np.linalg.lstsq(H, R.T @ y / l, rcond=None)[0]
    expected = sum(
        a[j] * views[j][1](x, z) @ c[j * N : (j + 1) * N]
        for j, (x, z) in enumerate(zip(split(X), split(cloud), strict=True))
    )
    np.testing.assert_allclose(model.predict(X), expected, atol=1e-7)


def test_one_view_is_the_deformed_kernel_over_gamma():
    _, cloud, X, Z, *_ = problem(1)
    penalty = Laplacian(degree=2)
    multi = MultiViewKernel([("x", RBF(1.0), [0, 1])], 1.0, 0.3, 0.6, penalty).fit(cloud)
    deformed = DeformedKernel(RBF(1.0), penalty, ratio=0.6 / 0.3).fit(cloud)
    np.testing.assert_allclose(multi(X, Z), deformed(X, Z) / 0.3, atol=1e-10)


def test_deformed_kernel_is_its_formula():
    rng, cloud, X, Z, *_ = problem(1)
    k, M = RBF(1.0), psd(rng, N)
    K = k(cloud)
    middle = np.linalg.solve(np.eye(N) + 2.0 * M @ K, 2.0 * M @ k(cloud, Z))
    expected = k(X, Z) - k(cloud, X).T @ middle
    for penalty in (M, Matrix(M), Factored(np.linalg.cholesky(M)), sp.csr_array(M)):
        found = DeformedKernel(k, penalty, ratio=2.0).fit(cloud)
        np.testing.assert_allclose(found(X, Z), expected, atol=1e-9)


@pytest.mark.parametrize("m", [2, 3])
def test_bayesian_co_training_is_this_kernel_plus_a_nugget(m):
    """Yu et al. 2008: covariance of the consensus, (Σ_j (K_j + σ_j² I)⁻¹)⁻¹ on the cloud."""
    rng, cloud, _, _, views, _, _, split = problem(m)
    sigma2 = rng.uniform(0.3, 2.0, m)
    K = [v[1](c) for v, c in zip(views, split(cloud), strict=True)]
    theirs = np.linalg.inv(
        sum(np.linalg.inv(k + s * np.eye(N)) for k, s in zip(K, sigma2, strict=True))
    )
    nugget = 1.0 / (1.0 / sigma2).sum()
    kernel = MultiViewKernel(
        views, nugget / sigma2, 1.0, 1.0, Disagreement(precisions=1.0 / sigma2)
    ).fit(cloud)
    np.testing.assert_allclose(kernel(cloud) + nugget * np.eye(N), theirs, atol=1e-8)
    if m == 2:
        two = MultiViewKernel(views, nugget / sigma2, 1.0, 1.0 / sigma2.sum()).fit(cloud)
        np.testing.assert_allclose(two(cloud), kernel(cloud), atol=1e-10)


def test_gram_matrices_are_psd_on_random_point_sets():
    rng, cloud, _, _, views, a, gammas, _ = problem(3)
    kernel = MultiViewKernel(views, a, gammas, 1e4).fit(cloud)
    for n in (1, 2, 30):
        X = np.vstack([rng.standard_normal((n, 3 * D)), cloud[:5]])
        K = kernel(X)
        assert np.linalg.eigvalsh(K)[0] > -1e-9 * np.abs(K).max()


def test_missing_views_leave_their_terms_out():
    _, cloud, X, _, views, _, gammas, split = problem(3)
    a = np.array([0.5, 0.3, 0.2])
    cloud[3, :2], cloud[4, 2:], X[0, 2:4] = np.nan, np.nan, np.nan
    kernel = MultiViewKernel(views, a, gammas, 0.7).fit(cloud)
    # the definition: functionals of f over the present coordinates only
    here = [~np.isnan(c).any(axis=1) for c in split(cloud)]
    K = scipy.linalg.block_diag(
        *[v[1](c[h]) / g for v, c, h, g in zip(views, split(cloud), here, gammas, strict=True)]
    )
    at = np.concatenate([np.flatnonzero(h) for h in here])
    M = np.zeros((len(at), len(at)))
    for i in range(N):
        who = np.flatnonzero(at == i)
        M[np.ix_(who, who)] = len(who) * np.eye(len(who)) - 1.0
    full = np.where(np.isnan(X[:, [0, 2, 4]]), 0.0, a)
    weights = full / full.sum(axis=1, keepdims=True)  # Σ a = 1
    prior, b = np.zeros((7, 7)), []
    for j, (v, c, h, x) in enumerate(zip(views, split(cloud), here, split(X), strict=True)):
        x0 = np.nan_to_num(x)
        prior += weights[:, [j]] * v[1](x0) / gammas[j] * weights[:, j]
        b.append(v[1](c[h], x0) / gammas[j] * weights[:, j])
    b = np.vstack(b)
    T = np.linalg.solve(np.eye(len(at)) + 0.7 * M @ K, 0.7 * M)
    np.testing.assert_allclose(kernel(X), prior - b.T @ T @ b, atol=1e-8)


def test_sparse_input_gives_the_same_kernel():
    _, cloud, X, _, views, a, gammas, _ = problem(2)
    cloud, X = np.where(cloud > 0.3, cloud, 0.0), np.where(X > 0.3, X, 0.0)
    dense = MultiViewKernel(views, a, gammas).fit(cloud)
    sparse = MultiViewKernel(views, a, gammas).fit(sp.csr_array(cloud))
    np.testing.assert_allclose(sparse(sp.csr_array(X)), dense(X), atol=1e-12)


@pytest.mark.parametrize("m", [2, 3])
def test_degenerate_clouds_have_a_finite_psd_kernel(m):
    views = problem(m)[4]
    views = [(v[0], RBF(1.0), v[2]) for v in views]
    X = np.random.default_rng(1).standard_normal((4, m * D))
    for cloud in (np.zeros((5, m * D)), np.ones((1, m * D)), np.repeat(X[:2], 3, axis=0), 1e8 * X):
        K = MultiViewKernel(views, lam=1e6).fit(cloud)(X)
        assert np.isfinite(K).all()
        assert np.linalg.eigvalsh(K)[0] > -1e-9


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"views": []}, "non-empty list"),
        ({"views": [("a", "rbf")]}, "must be a tuple"),
        ({"views": [("a", "rbf", [0]), ("a", "rbf", [1])]}, "must differ"),
        ({"views": [("a", "rbf", [9])]}, "asks for column 9"),
        ({"views": [("a", "rbf", [])]}, "no columns"),
        ({"views": [("a", "rbf", "width")]}, "without column names"),
        ({"views": [("a", "nonsense", [0])]}, "no kernel"),
        ({"views": [("a", "precomputed", [0])]}, "precomputed"),
        ({"view_weights": [1.0]}, "view_weights"),
        ({"gammas": 0.0}, "gammas must be positive"),
        ({"lam": -1.0}, "lam must be"),
        ({"regularizer": np.eye(3)}, "expected m·n"),
        ({"regularizer": -np.eye(2 * N)}, "positive semi-definite"),
        ({"regularizer": Laplacian()}, "belongs to one view"),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(change, match):
    cloud = problem(2)[1]
    params = {"views": [("a", "rbf", [0, 1]), ("b", "rbf", [2, 3])], **change}
    with pytest.raises((ValueError, TypeError), match=match):
        MultiViewKernel(**params).fit(cloud)


def test_rows_that_are_partly_or_wholly_missing_are_refused():
    cloud = problem(2)[1]
    kernel = MultiViewKernel([("a", "rbf", [0, 1]), ("b", "rbf", [2, 3])])
    cloud[2, 0] = np.nan
    with pytest.raises(ValueError, match="Row 2 is NaN in 1 of the 2 columns"):
        kernel.fit(cloud)
    cloud[2] = np.nan
    with pytest.raises(ValueError, match="every view"):
        kernel.fit(cloud)
