"""Powers, polynomials and the exponential of L, against the matrices."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import expm

from lapwing import LapRLSRegressor
from lapwing.graphs import KNN, Distances, Given
from lapwing.kernels import RBF
from lapwing.regularizers import Heat, Laplacian, LaplacianPolynomial

N = 50
X = np.random.default_rng(0).normal(size=(N, 3))
W = KNN(n_neighbors=5).build(X).W.toarray()


def dense_laplacian(W, normalized):
    d = W.sum(axis=1)
    if not normalized:
        return np.diag(d) - W
    s = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    return np.diag((d > 0).astype(float)) - s[:, None] * W * s


@pytest.fixture(params=[True, False], ids=["normalized", "combinatorial"])
def normalized(request):
    return request.param


@pytest.mark.parametrize("degree", [1, 2, 5])
def test_power(degree, normalized):
    expected = np.linalg.matrix_power(dense_laplacian(W, normalized), degree)
    built = Laplacian(Given(W), normalized, degree).build(X)
    assert_allclose(built.toarray(), expected, rtol=1e-10, atol=1e-10 * expected.max())


def test_value_is_half_the_double_sum():
    """⟨f, L f⟩ = ½ Σ_ij W_ij (f_i − f_j)²: MR eq. 4 lacks the ½."""
    f = np.random.default_rng(1).normal(size=(N, 1))
    double_sum = np.sum(W * (f - f.T) ** 2)
    assert_allclose(Laplacian(Given(W), normalized=False).build(X).value(f), double_sum / 2)


def test_scaling_by_weights_divides_by_their_sum(normalized):
    """(1/n²) ⟨f, M f⟩ becomes (1/ΣW) ⟨f, L f⟩: MR §2.2."""
    f = np.random.default_rng(1).normal(size=(N, 1))
    points = Laplacian(Given(W), normalized).build(X).value(f)
    weights = Laplacian(Given(W), normalized, scaling="weights").build(X).value(f)
    assert_allclose(weights / N**2, points / W.sum())


def test_null_space(normalized):
    d = W.sum(axis=1)
    null = (np.sqrt(d) if normalized else np.ones(N))[:, None]
    assert_allclose(Laplacian(Given(W), normalized, 3).build(X).apply(null), 0.0, atol=1e-12)


@pytest.mark.parametrize("scaling", ["points", "weights"])
def test_graph_without_edges(scaling, normalized):
    empty = Given(np.zeros((3, 3)))
    points = np.zeros((3, 1))
    built = Laplacian(empty, normalized, scaling=scaling).build(points)
    assert_array_equal(built.toarray(), np.zeros((3, 3)))
    assert_array_equal(Heat(empty, 5.0, normalized).build(points).toarray(), np.eye(3))
    poly = LaplacianPolynomial(empty, (2.0, 1.0), normalized).build(points)
    assert_array_equal(poly.toarray(), 2.0 * np.eye(3))


@pytest.mark.parametrize("points", [np.zeros((2, 1)), np.ones((12, 2)), np.array([[0.0], [1e8]])])
def test_degenerate_points_give_finite_operators(points, normalized):
    """Two points, all points equal, huge scales."""
    f = np.random.default_rng(0).normal(size=(len(points), 2))
    graph = KNN(n_neighbors=1)
    for part in (Laplacian(graph, normalized, 2), Heat(graph, 1.0, normalized)):
        value = part.build(points).value(f)
        assert np.isfinite(value).all()
        assert (value >= 0).all()


@pytest.mark.parametrize("c", [(0.0, 1.0), (3.0,), (1.0, -2.0, 1.0), (0.5, 0.0, 0.0, 2.0, 0.0)])
def test_polynomial(c, normalized):
    L = dense_laplacian(W, normalized)
    expected = sum(a * np.linalg.matrix_power(L, p) for p, a in enumerate(c))
    built = LaplacianPolynomial(Given(W), c, normalized).build(X)
    assert_allclose(built.toarray(), expected, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize(
    ("c", "where"),
    [
        ((0.0, -1.0), "λ = 2,"),  # at the end
        ((-1.0, 1.0), "λ = 0,"),  # at the beginning
        ((0.9, -2.0, 1.0), "λ = 1,"),  # between
        ((0.0, 1.0, 0.0, -0.3), "λ = 2,"),
    ],
)
def test_polynomial_that_is_negative_somewhere(c, where):
    with pytest.raises(ValueError, match=f"at {where}.*not be positive semi-definite"):
        LaplacianPolynomial(coefficients=c).build(X)


def test_polynomial_bound_follows_the_degrees():
    """λ − 0.1λ² is fine up to 10: on a path (bound 4), not on a star with 20 rays (bound 40)."""
    path = np.diag(np.ones(20), 1)
    star = np.zeros((21, 21))
    star[0, 1:] = 1.0
    part = LaplacianPolynomial(Given(path + path.T), (0.0, 1.0, -0.1), normalized=False)
    assert np.linalg.eigvalsh(part.build(np.zeros((21, 1))).toarray())[0] > -1e-12
    part.set_params(graph=Given(star + star.T))
    with pytest.raises(ValueError, match="λ = 40"):
        part.build(np.zeros((21, 1)))


@pytest.mark.parametrize("c", [(), (np.nan,), ((1.0, 2.0),)])
def test_polynomial_coefficients(c):
    with pytest.raises(ValueError, match="non-empty sequence of finite"):
        LaplacianPolynomial(coefficients=c).build(X)


@pytest.mark.parametrize("t", [0.0, 1e-8, 0.1, 1.0, 5.0, 17.0])
def test_heat_is_the_exponential(t, normalized):
    L = dense_laplacian(W, normalized)
    bound = 2.0 if normalized else 2.0 * W.sum(axis=1).max()
    t = t * 2.0 / bound
    expected = expm(t * L)
    error = Heat(Given(W), t, normalized).build(X).toarray() - expected
    # Relative to the bound e^{tb} of ‖M‖ that the expansion covers.
    assert np.abs(error).max() <= 1e-13 * np.exp(t * bound)


@pytest.mark.parametrize("n, t, held", [(30, 1.0, True), (400, 0.5, False)])
def test_heat_is_held_as_a_matrix_only_where_its_products_cost_less(n, t, held):
    path = sp.diags_array([np.ones(n - 1)] * 2, offsets=[-1, 1]).tocsr()
    operator = Heat(Given(path), t).build(np.zeros((n, 1)))
    assert operator.held is held
    f = np.random.default_rng(2).normal(size=(n, 3))
    assert_allclose(
        operator.apply(f), expm(t * dense_laplacian(path.toarray(), True)) @ f, atol=1e-12
    )


def test_heat_is_a_semigroup():
    f = np.random.default_rng(1).normal(size=(N, 2))
    half, whole = Heat(Given(W), 1.0).build(X), Heat(Given(W), 2.0).build(X)
    assert_allclose(half.apply(half.apply(f)), whole.apply(f), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("t", [18.5, 1e3, 1e300])
def test_heat_overflow(t):
    with pytest.raises(ValueError, match=r"Take t ≤ 18\."):
        Heat(t=t).build(X)
    with pytest.raises(ValueError, match="or the normalized Laplacian"):
        Heat(t=t, normalized=False).build(X)


@pytest.mark.parametrize("t", [-1.0, np.nan, np.inf, "auto"])
def test_heat_time(t):
    with pytest.raises(ValueError, match="finite number ≥ 0"):
        Heat(t=t).build(X)


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"degree": 0}, "integer ≥ 1, got 0"),
        ({"degree": 1.5}, "LaplacianPolynomial"),
        ({"degree": True}, "got True"),
        ({"scaling": "edges"}, "'points' or 'weights'"),
        ({"normalized": "yes"}, "True or False"),
    ],
)
def test_laplacian_parameters(params, says):
    with pytest.raises(ValueError, match=says):
        Laplacian(**params).build(X)


def test_wide_values_in_both_precisions():
    """The direct solver applies M to an n × n matrix."""
    points = np.random.default_rng(0).normal(size=(800, 2))
    built = Laplacian(KNN(n_neighbors=10), degree=2).build(points)
    K = np.random.default_rng(1).normal(size=(800, 800))
    L = built.L.toarray()
    assert_allclose(built.apply(K), L @ (L @ K), atol=1e-11)
    assert_allclose(built.apply(K.astype(np.float32)), L @ (L @ K), atol=1e-4)


@pytest.mark.parametrize(
    "part", [Laplacian(KNN(n_neighbors=4), degree=2), Heat(KNN(n_neighbors=4), t=2.0)]
)
def test_sparse_points_and_distances_give_the_same_operator(part):
    points = np.where(np.abs(X) > 0.3, X, 0.0)
    expected = part.build(points).toarray()
    D = np.linalg.norm(points[:, None] - points[None], axis=2)
    for same in (sp.csr_array(points), Distances(D)):
        assert_allclose(part.build(same).toarray(), expected, atol=1e-7)


def test_heat_on_wide_values_needs_little_beside_them():
    """The direct solver applies M to an n × n matrix: the result, and columns in work."""
    points = np.random.default_rng(0).normal(size=(1500, 2))
    built = Heat(KNN(n_neighbors=5), t=2.0).build(points)
    K = np.random.default_rng(1).normal(size=(1500, 1500))
    tracemalloc.start()
    wide = built.apply(K)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.4 * K.nbytes
    assert_allclose(wide[:, 1000:1003], built.apply(K[:, 1000:1003]), rtol=1e-10, atol=1e-10)


def test_without_scaling_the_weight_is_that_of_the_other_papers():
    """γ_I⟨f, L f⟩ without 1/n², as VV, SO, MV and MT write it: γ_I is the same in every fold."""
    X = np.random.default_rng(0).standard_normal((20, 2))
    y = np.where(np.arange(20) < 6, X[:, 0], np.nan)
    parts = {"kernel": RBF(1.0), "gamma_A": 1e-2, "fit_intercept": False}
    plain = LapRLSRegressor(regularizer=Laplacian(KNN(4)), gamma_I=0.3 * 20**2, **parts)
    none = LapRLSRegressor(regularizer=Laplacian(KNN(4), scaling="none"), gamma_I=0.3, **parts)
    np.testing.assert_allclose(none.fit(X, y).predict(X), plain.fit(X, y).predict(X), atol=1e-10)
    K, L = RBF(1.0)(X), Laplacian(KNN(4)).build(X).toarray()
    J = np.diag((np.arange(20) < 6) / 6.0)
    a = np.linalg.solve(J @ K + 1e-2 * np.eye(20) + 0.3 * L @ K, J @ np.nan_to_num(y))
    np.testing.assert_allclose(none.predict(X), K @ a, atol=1e-8)
