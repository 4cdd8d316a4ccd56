"""Value, gradient and curvature of the equation agree, for every space and every loss."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing import kernels, losses
from lapwing.graphs import KNN
from lapwing.losses import Loss, SmoothLoss
from lapwing.operators import ZeroOperator
from lapwing.problem import manifold_problem
from lapwing.regularizers import Laplacian
from lapwing.spaces import Blockwise, CoregionalizedOutputs, Exact, WithFreeFunctions, linear

N, T = 20, 3
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 4))
M = Laplacian(KNN(n_neighbors=4)).build(X)
RBF = kernels.RBF(1.5)
EXACT = Exact(RBF(X), RBF, X)

SPACES = {
    "exact": EXACT,
    "blockwise": Blockwise(RBF, X),
    "linear": linear(X),
    "linear-csr": linear(sp.csr_array(X)),
    "related": CoregionalizedOutputs.by_kernel(EXACT, np.eye(T) + 0.3),
}


def built(loss):
    """Over two targets, where its width comes from these."""
    seen = np.ones((2, 1), dtype=bool)
    return loss.build(np.array([[-1.0], [1.0]]), seen)


LOSSES = {
    name: built(getattr(losses, name)())
    for name in losses.__all__
    if isinstance(getattr(losses, name), type)
    and issubclass(getattr(losses, name), Loss)
    and not getattr(losses, name).__abstractmethods__
    and name != "StructuredHinge"  # needs an output structure: see tests/structured
}


def objective(loss, space, per_entry=False, gamma_I=30.0):
    Y = np.where(RNG.random((N, T)) < 0.5, -1.0, 1.0)
    weights = RNG.uniform(0.1, 1.0, size=(N, T if per_entry else 1))
    weights[RNG.permutation(N)[:8]] = 0.0
    return manifold_problem(loss, Y, weights, space, M, 0.05, gamma_I)


def cases(table):
    return [
        (loss, space, intercept)
        for loss in table
        for space in SPACES
        for intercept in (False, True)
    ]


def point(J):
    """An element away from the losses' kinks (fractions of a random readout are generic)."""
    return J.space.element(RNG.normal(size=(J.space.n_coef, T)))


@pytest.mark.parametrize(("loss", "space", "intercept"), cases(LOSSES))
def test_gradient_is_the_slope_in_the_metric(loss, space, intercept):
    space = WithFreeFunctions(SPACES[space]) if intercept else SPACES[space]
    J = objective(LOSSES[loss], space, per_entry=intercept)
    e, d = point(J), point(J)
    h = 1e-6
    slope = (J.value(e.plus(h, d)) - J.value(e.plus(-h, d))) / (2 * h)
    assert_allclose(J.space.inner(J.gradient(e), d), slope, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    ("loss", "space", "intercept"),
    cases([name for name, loss in LOSSES.items() if isinstance(loss, SmoothLoss)]),
)
def test_curvature_is_the_slope_of_the_gradient(loss, space, intercept):
    space = WithFreeFunctions(SPACES[space]) if intercept else SPACES[space]
    J = objective(LOSSES[loss], space, per_entry=not intercept)
    e, d, v = point(J), point(J), point(J)
    h = 1e-6
    change = (J.gradient(e.plus(h, d)).coef - J.gradient(e.plus(-h, d)).coef) / (2 * h)
    along = J.space.inner(J.space.element(change), v)
    bend = J.curvature(e, d)
    assert_allclose(J.space.inner(bend, v), along, rtol=1e-4, atol=1e-6)
    # self-adjoint and positive in the same metric
    assert_allclose(J.space.inner(bend, v), J.space.inner(J.curvature(e, v), d), rtol=1e-9)
    assert (J.space.inner(bend, d) > 0).all()


def test_value_is_the_equation():
    """Term by term with plain arrays, MR's normalizations: no ½, γ_I/n², b unpenalized."""
    space = WithFreeFunctions(EXACT)
    J = objective(losses.Squared(), space)
    c = RNG.normal(size=(N + 1, T))
    K, dense = EXACT.gram, M.toarray()
    f = K @ c[:-1]
    w = np.zeros((N, 1))
    w[J.rows] = J.w
    Y = np.zeros((N, T))
    Y[J.rows] = J.y
    fit = (w * (Y - f - c[-1]) ** 2).sum(axis=0)
    ambient = 0.05 * np.einsum("it,it->t", c[:-1], f)
    smooth = 30.0 / N**2 * np.einsum("it,it->t", f, dense @ f)
    assert_allclose(J.value(space.element(c)), fit + ambient + smooth, rtol=1e-12)
    assert_allclose(J.ambient(space.element(c)), ambient, rtol=1e-12)


def test_without_intrinsic_term_the_operator_is_not_touched():
    class Untouchable(ZeroOperator):
        def apply(self, F):
            raise AssertionError("M was applied although γ_I = 0")

    Y, w = np.ones((N, 1)), np.full((N, 1), 1 / N)
    J = manifold_problem(losses.Squared(), Y, w, EXACT, Untouchable(N), 0.1, 0.0)
    e = EXACT.element(np.ones((N, 1)))
    assert np.isfinite(J.value(e)).all() and np.isfinite(J.curvature(e, e).coef).all()


def test_certificate_is_relative_and_the_worst_column():
    J = objective(losses.Squared(), EXACT)
    assert J.optimality(J.start) == 1.0
    e = point(J)
    norms = J.gradient(e).norm / J.gradient(J.start).norm
    assert_allclose(J.optimality(e), norms.max(), rtol=1e-12)


def test_certificate_of_a_column_that_zero_solves():
    """Targets of zero: ∇(0) = 0 there, and the other columns give the scale."""
    Y = np.column_stack([np.ones(N), np.zeros(N)])
    J = manifold_problem(losses.Squared(), Y, np.full((N, 1), 1 / N), EXACT, M, 0.1, 0.0)
    assert J.optimality(J.start) == 1.0
    nothing = manifold_problem(losses.Squared(), 0 * Y, np.full((N, 1), 1 / N), EXACT, M, 0.1, 0.0)
    assert nothing.optimality(nothing.start) == 0.0


def test_rows_of_weight_zero_are_not_read():
    Y, w = np.full((N, 1), np.nan), np.zeros((N, 1))
    Y[:5], w[:5] = 1.0, 0.2
    J = manifold_problem(losses.Logistic(), Y, w, EXACT, M, 0.1, 1.0)
    e = EXACT.element(np.ones((N, 1)))
    assert np.isfinite(J.value(e)).all() and np.isfinite(J.gradient(e).coef).all()
