"""Kernels against independent formulas: scikit-learn's, scipy's, and high precision."""

from math import factorial

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist, pdist
from sklearn.gaussian_process.kernels import Matern as GPMatern
from sklearn.metrics import pairwise

from lapwing.kernels import RBF, Cosine, LaplacianKernel, Linear, Matern, Polynomial, Precomputed
from lapwing.linalg.pairwise import distances_of_pairs, squared_distances
from lapwing.linalg.points import unit_rows
from naming import stable

rng = np.random.default_rng(3)
X, Z = rng.normal(size=(300, 5)), rng.normal(size=(40, 5))
SIGMA = 1.7

ORACLES = [
    (RBF(SIGMA), lambda A, B: pairwise.rbf_kernel(A, B, gamma=1 / (2 * SIGMA**2))),
    (LaplacianKernel(SIGMA), lambda A, B: pairwise.laplacian_kernel(A, B, gamma=1 / SIGMA)),
    (Matern(0.5, SIGMA), GPMatern(SIGMA, nu=0.5)),
    (Matern(1.5, SIGMA), GPMatern(SIGMA, nu=1.5)),
    (Matern(2.5, SIGMA), GPMatern(SIGMA, nu=2.5)),
    (Matern(np.inf, SIGMA), GPMatern(SIGMA, nu=np.inf)),
    (Polynomial(3, 0.5, 0.2), lambda A, B: pairwise.polynomial_kernel(A, B, 3, 0.2, 0.5)),
    (Linear(), pairwise.linear_kernel),
    (Cosine(), pairwise.cosine_similarity),
]


@pytest.mark.parametrize(("kernel", "oracle"), ORACLES, ids=stable)
def test_values(kernel, oracle):
    assert_allclose(kernel(X, Z), oracle(X, Z), rtol=1e-10, atol=1e-13)
    assert_allclose(kernel(X), oracle(X, X), rtol=1e-10, atol=1e-13)


def test_median_width_is_the_median_over_pairs():
    assert_allclose(RBF().build(X).sigma, np.median(pdist(X)), rtol=1e-12)
    assert_allclose(Matern().build(sp.csr_array(X)).sigma, np.median(pdist(X)), rtol=1e-12)
    l1 = np.median(pdist(X, "cityblock"))
    assert_allclose(LaplacianKernel().build(X).sigma, l1, rtol=1e-12)


def test_median_width_of_many_rows_comes_from_a_fixed_sample():
    many = np.random.default_rng(0).normal(size=(5000, 3))
    sigma = RBF().build(many).sigma
    assert RBF().build(many).sigma == sigma
    assert_allclose(sigma, np.median(pdist(many)), rtol=0.03)


def test_median_width_of_duplicates():
    repeated = np.array([[0.0]] * 10 + [[3.0]])  # 45 pairs at 0, 10 at 3
    assert RBF().build(repeated).sigma == 3.0
    assert LaplacianKernel().build(repeated).sigma == 3.0
    # far from the origin rounding must not pass for a distance
    assert RBF().build(np.array([[1e8 + 0.1, 1 / 3]] * 6)).sigma == 1.0
    assert RBF().build(np.array([[1.0, 2.0]])).sigma == 1.0


@pytest.mark.parametrize("kernel", [RBF(), Matern(0.5), Matern(2.5), LaplacianKernel(), Cosine()])
@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e30, 1e160, 1e300])
def test_scale_invariance(kernel, scale):
    scaled = kernel.build(X * scale)(X * scale)
    assert_allclose(scaled, kernel.build(X)(X), rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("kernel", [RBF(0.7), Matern(0.5, 0.7), Matern(1.5, 0.7)])
def test_far_from_the_origin(kernel):
    lattice = np.round(X * 2**20) / 2**20  # survives the shift without rounding
    assert_allclose(kernel(lattice + 2.0**30), kernel(lattice), rtol=1e-9, atol=1e-12)
    assert_allclose(
        kernel(lattice[:5] + 2.0**30, lattice + 2.0**30), kernel(lattice[:5], lattice), rtol=1e-9
    )
    coarse = np.round(X * 2**8).astype(np.float32) / 2**8
    shifted = kernel(coarse + np.float32(2**12))
    assert_allclose(shifted, kernel(coarse.astype(np.float64)), atol=1e-5)


@pytest.mark.parametrize("kernel", [RBF(1e-300), Matern(2.5, 1e-300), LaplacianKernel(1e-300)])
def test_width_far_below_the_distances_gives_the_identity(kernel):
    assert_array_equal(kernel(X * 1e200), np.eye(len(X)))


def test_matern_keeps_digits_of_close_points():
    close = np.array([[1.0, 1.0], [1.0 + 1e-9, 1.0], [-50.0, 20.0]])
    step = close[1, 0] - close[0, 0]
    assert_allclose(1.0 - Matern(0.5, 1.0)(close)[0, 1], step, rtol=1e-6)


def test_matern_tends_to_the_gaussian():
    gaps = [np.abs(Matern(nu, 2.0)(X) - RBF(2.0)(X)).max() for nu in (0.5, 1.5, 2.5, np.inf)]
    assert gaps[0] > gaps[1] > gaps[2] > gaps[3]
    assert gaps[3] < 1e-14


def test_polynomial_is_the_inner_product_of_its_monomials():
    a, b = X[:, :2], Z[:, :2]

    def features(A):  # (⟨a,b⟩ + c)³ = Σ multinomial · monomials
        columns = []
        for i in range(4):
            for j in range(4 - i):
                coefficient = factorial(3) / (factorial(i) * factorial(j) * factorial(3 - i - j))
                columns.append(
                    np.sqrt(coefficient * 0.5 ** (3 - i - j)) * A[:, 0] ** i * A[:, 1] ** j
                )
        return np.column_stack(columns)

    assert_allclose(Polynomial(3, 0.5)(a, b), features(a) @ features(b).T, rtol=1e-10, atol=1e-12)


def test_cosine_of_a_row_of_zeros_is_zero():
    A = np.array([[0.0, 0.0], [1.0, 1.0]])
    for rows in (A, sp.csr_array(A)):
        assert_array_equal(Cosine()(rows), [[0, 0], [0, 1]])
        assert_array_equal(Cosine().diagonal(rows), [0, 1])
    stored = sp.csr_array((np.zeros(1), ([0], [1])), shape=(1, 2))  # an explicit zero
    assert_array_equal(Cosine().diagonal(stored), [0])


def test_precomputed_predicts_with_rows_against_training_columns():
    rows = Linear()(Z, X)
    assert_array_equal(Precomputed()(rows, Linear()(X)), rows)


def test_squared_distances_agree_with_direct_differences():
    assert_allclose(squared_distances(X, Z), cdist(X, Z, "sqeuclidean"), rtol=1e-10)
    many = rng.normal(size=(1300, 3))  # several strips and tiles
    D = squared_distances(many)
    assert_allclose(D, cdist(many, many, "sqeuclidean"), rtol=1e-9, atol=1e-13)
    assert_array_equal(D, D.T)
    assert_array_equal(D.diagonal(), 0.0)
    assert_allclose(squared_distances(X, Z, width=2.0), cdist(X, Z, "sqeuclidean") / 4, rtol=1e-10)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csr_matrix])
def test_distances_of_pairs(form):
    i, j = rng.integers(300, size=500), rng.integers(40, size=500)
    assert_allclose(distances_of_pairs(form(X), i, j, form(Z)), cdist(X, Z)[i, j], rtol=1e-14)
    tiny = distances_of_pairs(form(X * 1e-250), i, j, form(Z * 1e-250))
    assert_allclose(tiny, cdist(X, Z)[i, j] * 1e-250, rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_unit_rows(scale):
    U = unit_rows(np.vstack([X * scale, np.zeros(5)]))
    assert_allclose(np.linalg.norm(U[:-1], axis=1), 1.0, rtol=1e-12)
    assert_array_equal(U[-1], 0.0)
    assert_allclose(unit_rows(sp.csr_array(X * scale)).toarray(), U[:-1], rtol=1e-12)
