"""The Hessian energy against analytic Hessians; the kernel norm against the inverse."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from lapwing.graphs import Distances
from lapwing.kernels import RBF, Linear
from lapwing.regularizers import HessianEnergy, KernelNorm

RNG = np.random.default_rng(0)


def plane(n=60, dim=2, ambient=5, seed=0):
    """Coordinates z of a dim-plane, and the points in a rotated, shifted ambient space."""
    rng = np.random.default_rng(seed)
    z = rng.uniform(-1, 1, size=(n, dim))
    Q = np.linalg.qr(rng.normal(size=(ambient, ambient)))[0][:dim]
    return z, z @ Q + rng.normal(size=ambient)


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("k", [None, "least"])
def test_quadratics_cost_their_hessian(dim, k):
    """Σ_i ‖H‖²_F = n ‖A + Aᵀ‖²_F for f = zᵀAz + ⟨b, z⟩ + c, at any rotation of the plane."""
    z, X = plane(dim=dim)
    A, b = RNG.normal(size=(dim, dim)), RNG.normal(size=dim)
    f = np.einsum("ni,ij,nj->n", z, A, z) + z @ b + 3.0
    least = dim + dim * (dim + 1) // 2
    M = HessianEnergy(n_neighbors=least + 1 if k else None, n_components=dim).build(X)
    assert_allclose(M.value(f[:, None]), len(X) * np.sum((A + A.T) ** 2), rtol=1e-5)


def test_null_space_contains_constants_and_linear_functions():
    z, X = plane()
    F = np.column_stack([np.ones(len(z)), z])
    M = HessianEnergy().build(X)
    assert_allclose(M.apply(F), 0.0, atol=1e-9 * abs(M.M).max())


def test_only_linear_functions_are_free():
    _, X = plane()
    values = np.linalg.eigvalsh(HessianEnergy().build(X).toarray())
    assert np.all(values[:3] < 1e-8 * values[-1])
    assert values[3] > 1e-7 * values[-1]


def test_arc_length_is_linear_on_a_curve():
    """On a circle the geodesic coordinate is locally linear, sin(3θ) has f'' = −9 sin(3θ)."""
    theta = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    X = np.column_stack([np.cos(theta), np.sin(theta)])
    energy = HessianEnergy(n_neighbors=6, n_components=1).build(X).value(np.sin(3 * theta)[:, None])
    assert_allclose(energy, np.sum((9 * np.sin(3 * theta)) ** 2), rtol=1e-2)


def test_energy_far_from_the_origin():
    z, X = plane(ambient=20)
    energy = HessianEnergy().build(X + 1e6).value(z[:, :1] ** 2)
    assert_allclose(energy, 4.0 * len(X), rtol=1e-5)


@pytest.mark.parametrize("scale", [1e-6, 1e5])
def test_energy_scales_as_length_to_the_minus_four(scale):
    _, X = plane()
    f = RNG.normal(size=(len(X), 1))
    energy = HessianEnergy().build(X).value(f)
    assert_allclose(HessianEnergy().build(scale * X).value(f) * scale**4, energy, rtol=1e-4)


def test_points_that_coincide_have_no_geometry():
    f = RNG.normal(size=(20, 2))
    assert_array_equal(HessianEnergy().build(np.ones((20, 3))).value(f), 0.0)


def test_duplicates_and_constant_columns():
    z, _ = plane(n=30)
    X = np.column_stack([np.vstack([z, z]), np.zeros(60)])
    f = np.concatenate([z[:, 0] * z[:, 1]] * 2)[:, None]
    # ‖H‖²_F = 2 for z_1 z_2.
    assert_allclose(HessianEnergy(n_neighbors=20).build(X).value(f), 2.0 * 60, rtol=1e-6)


def test_directions_not_spanned_are_free():
    """Points on a line fitted in two dimensions: the line's second derivative is still right."""
    x = np.sort(RNG.uniform(size=40))
    X = np.column_stack([x, np.zeros(40), np.zeros(40)])
    assert_allclose(
        HessianEnergy(n_components=2).build(X).value((x**2)[:, None]), 4.0 * 40, rtol=1e-5
    )


def test_few_points_are_enough_or_an_error():
    z, X = plane(n=6)
    M = HessianEnergy().build(X)  # k is clipped to n − 1 = 5, the unknowns of a fit.
    assert_allclose(M.value(z[:, :1] ** 2), 4.0 * 6, rtol=1e-4)
    with pytest.raises(ValueError, match=r"has 5 unknowns .* got n_neighbors = 4"):
        HessianEnergy().build(X[:5])
    with pytest.raises(ValueError, match=r"X has 2 rows"):
        HessianEnergy(n_components=1).build(X[:2])


def test_stacks_do_not_change_the_answer(monkeypatch):
    _, X = plane()
    whole = HessianEnergy().build(X).toarray()
    monkeypatch.setattr("lapwing.regularizers.hessian.BUFFER_BYTES", 1)
    assert_allclose(HessianEnergy().build(X).toarray(), whole, rtol=1e-10)


def test_hessian_graph_tells_the_components():
    _, X = plane()
    components = HessianEnergy().build(np.vstack([X, X + 100.0])).graph.components
    assert_array_equal(components, np.repeat([0, 1], 60))


@pytest.mark.parametrize(
    ("params", "X", "error", "says"),
    [
        ({"n_components": 0}, np.eye(9), ValueError, "integer ≥ 1"),
        ({"n_components": 3}, np.ones((30, 2)), ValueError, "2 columns, but n_components = 3"),
        ({"n_neighbors": 4}, np.ones((30, 2)), ValueError, "5 unknowns"),
        ({"n_neighbors": 2.5}, np.ones((30, 2)), ValueError, "integer or None"),
        ({}, sp.csr_array(np.eye(30)), TypeError, "dense coordinates"),
        ({}, Distances(np.zeros((30, 30))), TypeError, "dense coordinates"),
        ({}, np.full((30, 2), np.nan), ValueError, "NaN"),
    ],
)
def test_hessian_errors(params, X, error, says):
    with pytest.raises(error, match=says):
        HessianEnergy(**params).build(X)


def test_kernel_norm_is_the_inverse():
    X = RNG.normal(size=(50, 3))
    expected = np.linalg.inv(RBF(sigma=0.7)(X))
    built = KernelNorm(RBF(sigma=0.7)).build(X)
    assert_allclose(built.toarray(), expected, atol=1e-6 * expected.max())


def test_kernel_norm_is_the_norm():
    """f = K a has ⟨f, K⁻¹f⟩ = aᵀKa = ‖f‖²."""
    X, a = RNG.normal(size=(50, 3)), RNG.normal(size=(50, 2))
    K = RBF(sigma=1.0)(X)
    built = KernelNorm(RBF(sigma=1.0)).build(X)
    assert_allclose(built.value(K @ a), np.einsum("it,it->t", a, K @ a), rtol=1e-6)
    assert built.graph is None


def test_kernel_norm_takes_names_and_functions():
    X = RNG.normal(size=(20, 30))
    expected = np.linalg.inv(X @ X.T)
    for kernel in ("linear", lambda X, Z: X @ Z.T):
        assert_allclose(KernelNorm(kernel).build(X).toarray(), expected, atol=1e-6)


def test_kernel_norm_needs_points():
    with pytest.raises(TypeError, match="got Distances"):
        KernelNorm("rbf").build(Distances(np.zeros((3, 3))))


def test_kernel_norm_of_duplicates_and_zeros():
    """Differences between duplicates cost 1/ε, sums what one point costs; K = 0 gives I/ε."""
    X = np.zeros((2, 1))
    M = KernelNorm(RBF(sigma=1.0), jitter=1e-6).build(X)
    together, apart = np.array([[1.0], [1.0]]), np.array([[1.0], [-1.0]])
    assert_allclose(M.value(together), 1.0, rtol=1e-5)
    assert_allclose(M.value(apart), 2.0 / 1e-6, rtol=1e-5)
    zero = KernelNorm(Linear(), jitter=0.5).build(X)
    assert_allclose(zero.toarray(), 2.0 * np.eye(2))


def test_kernel_norm_of_a_wide_kernel():
    """K is singular to working precision; ‖k(·, x_0)‖² = k(x_0, x_0) = 1 all the same."""
    X = RNG.normal(size=(400, 2))
    M = KernelNorm(RBF(sigma=50.0)).build(X)
    assert_allclose(M.value(RBF(sigma=50.0)(X, X[:1])), 1.0, rtol=1e-6)


class Indefinite(Linear):
    def __call__(self, X, Z=None):
        return -super().__call__(X, Z)


@pytest.mark.parametrize(
    ("part", "error", "says"),
    [
        (KernelNorm(3.0), TypeError, "kernel must be one of"),
        (KernelNorm(RBF(sigma=1.0), jitter=0.0), ValueError, "jitter must be"),
        (KernelNorm(Indefinite()), ValueError, "raise jitter"),
    ],
)
def test_kernel_norm_errors(part, error, says):
    with pytest.raises(error, match=says):
        part.build(np.eye(4))
