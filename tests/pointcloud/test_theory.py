"""Complexity, bound and reduction against their formulas."""

import itertools

import numpy as np
import pytest

from lapwing.kernels import RBF
from lapwing.pointcloud import (
    DeformedKernel,
    MultiViewKernel,
    complexity_reduction,
    generalization_bound,
    rademacher_complexity,
)

rng = np.random.default_rng(0)
U, L = rng.standard_normal((30, 4)), rng.standard_normal((9, 4))
VIEWS = [("a", RBF(1.0), [0, 1]), ("b", RBF(2.0), [2, 3])]


def delta(lam, a, gammas):
    """Δ(λ) of the paper, the sections weighted by a/γ."""
    k1, k2 = RBF(1.0), RBF(2.0)
    S = k1(U[:, :2]) / gammas[0] + k2(U[:, 2:]) / gammas[1]
    d = a[0] * k1(U[:, :2], L[:, :2]) / gammas[0] - a[1] * k2(U[:, 2:], L[:, 2:]) / gammas[1]
    return lam * np.einsum("ij,ij->", d, np.linalg.solve(np.eye(30) + lam * S, d))


@pytest.mark.parametrize("lam", [0.01, 1.0, 50.0])
def test_the_trace_falls_by_a_quarter_of_delta_at_half(lam):
    gammas = (0.5, 2.0)
    at = MultiViewKernel(VIEWS, 0.5, gammas, lam).fit(U)
    zero = MultiViewKernel(VIEWS, 0.5, gammas, 0.0).fit(U)
    fall = np.trace(zero(L)) - np.trace(at(L))
    np.testing.assert_allclose(complexity_reduction(at, L), fall, rtol=1e-10)
    np.testing.assert_allclose(fall, delta(lam, (1.0, 1.0), gammas) / 4, rtol=1e-10)
    a = (0.9, -0.2)
    general = MultiViewKernel(VIEWS, a, gammas, lam).fit(U)
    np.testing.assert_allclose(complexity_reduction(general, L), delta(lam, a, gammas), rtol=1e-10)


def test_reduction_grows_with_lambda_for_any_number_of_views_and_any_shape():
    kernel = MultiViewKernel([*VIEWS, ("c", "linear", [0, 3])]).fit(U)
    lams = np.array([[0.0, 0.1], [1.0, 10.0]])
    falls = complexity_reduction(kernel, L, lams)
    assert falls.shape == (2, 2)
    assert falls[0, 0] == 0.0
    assert (np.diff(falls.ravel()) > 0).all()
    assert kernel.lam == 1.0
    deformed = DeformedKernel(RBF(1.0)).fit(U)
    assert complexity_reduction(deformed, L, 5.0) > complexity_reduction(deformed, L, 0.5) > 0


def test_complexity_bounds_the_expected_supremum():
    """E sup (1/ℓ)Σσf = (r/ℓ) E√(σᵀK̃σ) ≤ (r/ℓ)√tr K̃, and equals it up to Jensen's gap."""
    kernel = MultiViewKernel(VIEWS, lam=2.0).fit(U)
    K = kernel(L)
    signs = rng.choice([-1.0, 1.0], (4000, len(L)))
    exact = 3.0 / len(L) * np.sqrt(np.einsum("ti,ij,tj->t", signs, K, signs)).mean()
    found = rademacher_complexity(kernel, L, radius=3.0)
    np.testing.assert_allclose(found, 3.0 / 9 * np.sqrt(np.trace(K)))
    assert 0.7 * found < exact < found


def test_bound_has_the_constant_of_the_paper():
    """MV Theorem 2: 2 L r √(tr K̃)/ℓ + (b − a) √(2 log(3/δ)/ℓ)."""
    kernel = MultiViewKernel(VIEWS).fit(U)
    found = generalization_bound(
        kernel, L, radius=2.0, lipschitz=1.5, loss_range=(-1.0, 3.0), delta=0.1
    )
    tail = 4.0 * np.sqrt(2 * np.log(30.0) / 9)
    np.testing.assert_allclose(found, 3.0 * rademacher_complexity(kernel, L, 2.0) + tail)


def test_one_point_changes_the_rademacher_complexity_by_half_the_range():
    """What the constant rests on: classes of functions with values in [0, 1], all 2^ℓ signs."""
    size, random = 6, np.random.default_rng(3)
    signs = np.array(list(itertools.product([-1.0, 1.0], repeat=size)))

    def complexity(values):
        return (signs @ values.T).max(axis=1).mean() / size

    largest = 0.0
    for _ in range(300):
        values = random.integers(0, 2, (random.integers(2, 12), size)).astype(float)
        other = values.copy()
        other[:, 0] = random.integers(0, 2, len(values))
        largest = max(largest, size * abs(complexity(values) - complexity(other)))
    assert 0.4 < largest <= 0.5 + 1e-12


def test_bound_is_invalid_over_a_cloud_with_labeled_points():
    for cast in (np.float64, np.float32):
        kernel = MultiViewKernel(VIEWS).fit(np.vstack([U, L[4:5]]).astype(cast))
        found = generalization_bound(kernel, L)
        assert not found.valid and "1 of the 9 labeled points (row 4 first)" in found.reasons[0]
    zero = np.zeros((1, 4))
    again = generalization_bound(MultiViewKernel(VIEWS).fit(np.vstack([U, zero])), -zero)
    assert "independent" in str(again)


def test_bound_says_what_is_not_met_and_that_it_is_vacuous():
    kernel = MultiViewKernel(VIEWS).fit(U)
    plain = generalization_bound(kernel, L)
    assert plain.valid and plain.reasons == ()
    both = generalization_bound(kernel, L, selected=True, free_intercept=True)
    assert float(both) == float(plain) and len(both.reasons) == 2 and not both.valid
    assert plain.vacuous and "vacuous" in str(plain)
    many = np.random.default_rng(1).standard_normal((500, 4))
    assert not generalization_bound(kernel, many).vacuous


@pytest.mark.parametrize(
    "bad",
    [{"delta": 0.0}, {"delta": 1.0}, {"radius": 0.0}, {"lipschitz": -1}, {"loss_range": (1, 1)}],
)
def test_bound_refuses_impossible_conditions(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        generalization_bound(MultiViewKernel(VIEWS).fit(U), L, **bad)


def test_only_point_clouds_reduce_complexity():
    with pytest.raises(TypeError, match="point cloud"):
        complexity_reduction(RBF(1.0), L)


def test_lists_are_points_too():
    kernel = DeformedKernel(RBF(1.0)).fit(U)
    assert generalization_bound(kernel, L.tolist()) == generalization_bound(kernel, L)
    assert not generalization_bound(kernel, U[:2].tolist()).valid
    assert rademacher_complexity(RBF(1.0), L.tolist()) == rademacher_complexity(RBF(1.0), L)
