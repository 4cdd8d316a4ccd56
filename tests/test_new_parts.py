"""A new space or loss is one class: it works with every loss, output structure and estimator."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    CoRLSRegressor,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    ManifoldRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.kernels import RBF
from lapwing.losses import DualLoss
from lapwing.outputs import OutputGraph, Ring, Tree
from lapwing.solvers import Status
from lapwing.spaces import Space
from lapwing.testing import check_loss, check_space
from problems import BY_RULE


class Fourier(Space):
    """f(x) = Σ_j c_j √(2/m) cos(⟨w_j, x⟩ + b_j), w ~ N(0, σ⁻²): what a user has to write."""

    def __init__(self, sigma, m, X):
        rng = np.random.default_rng(0)
        self.W, self.b = rng.normal(size=(X.shape[1], m)) / sigma, rng.uniform(0, 2 * np.pi, m)
        self.Z = self.features(X)
        self.n_points, self.n_coef = self.Z.shape

    def features(self, X):
        return np.sqrt(2 / len(self.b)) * np.cos(X @ self.W + self.b)

    def evaluate(self, coef):
        return self.Z @ coef

    def evaluate_at(self, X, coef):
        return self.features(X) @ coef

    def represent(self, r_M, r_loss):
        return self.Z.T @ (r_M + r_loss)

    def inner(self, a, b):
        return np.einsum("it,it->t", a.coef, b.coef)


class RandomFeatures(BaseEstimator):
    """The rule that builds it, as ``space=`` takes."""

    def __init__(self, m=60):
        self.m = m

    def build(self, kernel, X):
        return Fourier(kernel.sigma, self.m, X)


class Pinball(DualLoss):
    """V(y, f) = max(τ r, (τ − 1) r), r = y − f: quantile τ, with its kink."""

    kind = "regression"

    def __init__(self, tau=0.5):
        self.tau = tau

    def value(self, y, f):
        return np.maximum(self.tau * (y - f), (self.tau - 1) * (y - f))

    def gradient(self, y, f):
        return np.where(y > f, -self.tau, 1 - self.tau).astype(f.dtype)

    def conjugate(self, y, u):
        return y * u

    def clip(self, y, u):
        return np.clip(u, -self.tau, 1 - self.tau)


rng = np.random.default_rng(0)
X = rng.normal(size=(120, 3))
truth, labeled = np.sin(2 * X[:, 0]), np.arange(120) < 40
y = np.where(labeled, truth + 0.1 * rng.normal(size=120), np.nan)
Y = np.column_stack([y, 2 * y, -y])
classes = np.where(labeled, np.digitize(truth, [-0.5, 0.5]), -1)
two = np.where(labeled, (truth > 0).astype(int), -1)
sets = np.where(labeled[:, None], np.column_stack([two, 1 - two, two]).astype(float), np.nan)
views = [("a", RBF(1.0), [0, 1]), ("b", RBF(1.0), [2])]
graph = OutputGraph(0.5, n_neighbors=1)


def fitted(model, target):
    model.fit(X, target)
    assert model.solution_.status is Status.CONVERGED
    assert len(model.predict(X[:5])) == 5
    return model


def test_they_keep_the_contracts():
    check_space(Fourier(1.0, 20, X[:30]), X[:30])
    check_loss(Pinball(0.3))


@pytest.mark.parametrize(
    ("estimator", "target"),
    [
        (LapRLSClassifier(**BY_RULE), classes),
        (LapSVC(**BY_RULE), classes),
        (LapSVC(**BY_RULE | {"loss": "squared_hinge"}), classes),
        (LapLogisticClassifier(**BY_RULE), classes),
        (LapRLSRegressor(**BY_RULE), y),
        (ManifoldRegressor(**BY_RULE | {"loss": "huber"}), y),
        (ManifoldRegressor(**BY_RULE | {"loss": "epsilon_insensitive"}), y),
        (ManifoldRegressor(**BY_RULE | {"loss": Pinball(0.7)}), y),
        (VectorValuedRegressor(output_kernel=graph), Y),
        (VectorValuedRegressor(output_kernel=Tree(["a.b", "a.c", "d"])), Y),
        (VectorValuedRegressor(output_regularizer=np.diag([1.0, 2.0, 3.0])), Y),
        (VectorValuedClassifier(loss="hinge", output_kernel=graph), sets),
        (StructuredLapSVC(output=Ring(3)), classes),
        (StructuredLapSVC(), classes),
    ],
    ids=lambda part: type(part).__name__ if isinstance(part, BaseEstimator) else "",
)
def test_a_new_space_works_with_every_loss_and_output(estimator, target):
    fitted(estimator.set_params(kernel=RBF(1.0), space=RandomFeatures()), target)


@pytest.mark.parametrize("loss", ["squared", "hinge", "logistic"])
@pytest.mark.parametrize("estimator", [CoRLSClassifier, CoMRClassifier])
def test_a_new_space_holds_the_views(estimator, loss):
    fitted(estimator(views, loss=loss, space=RandomFeatures()), two)


def test_random_features_come_near_the_kernel():
    exact = LapRLSRegressor(
        kernel=RBF(1.0), gamma_A=1e-2, gamma_I=1.0, regularizer="laplacian", fit_intercept=True
    ).fit(X, y)
    model = LapRLSRegressor(
        kernel=RBF(1.0),
        gamma_A=1e-2,
        gamma_I=1.0,
        space=RandomFeatures(20_000),
        regularizer="laplacian",
        fit_intercept=True,
    ).fit(X, y)
    assert np.abs(model.predict(X) - exact.predict(X)).max() < 0.05


@pytest.mark.parametrize("tau", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("intercept", [False, True])
def test_a_new_kinked_loss_is_solved_to_its_gap(tau, intercept):
    """Its subgradient condition: β_i within [−w τ/2 …], checked by an independent solver."""
    import cvxpy as cp

    model = fitted(
        ManifoldRegressor(
            loss=Pinball(tau),
            kernel=RBF(1.0),
            gamma_A=1e-2,
            gamma_I=10.0,
            fit_intercept=intercept,
            regularizer="laplacian",
        ),
        y,
    )
    o = model.objective_
    K, M = RBF(1.0)(X), o.operator.toarray()
    a, b = cp.Variable(120), cp.Variable()
    r = y[labeled] - (K[labeled] @ a + (b if intercept else 0.0))
    H = o.gamma_A * K + o.lam * K @ M @ K
    root = np.linalg.cholesky(0.5 * (H + H.T) + 1e-10 * np.eye(120))
    fit = cp.sum(cp.maximum(tau * r, (tau - 1) * r)) / 40
    problem = cp.Problem(cp.Minimize(fit + cp.sum_squares(root.T @ a)))
    problem.solve(solver=cp.CLARABEL)
    value = float(o.value(o.space.element(model.solution_.coef))[0])
    assert value == pytest.approx(problem.value, rel=1e-4)


@pytest.mark.parametrize(
    ("estimator", "target"),
    [
        (VectorValuedRegressor(output_kernel=graph), Y),
        (CoRLSRegressor(views), y),
    ],
)
def test_a_new_kinked_loss_works_wherever_a_loss_is_taken(estimator, target):
    fitted(estimator.set_params(loss=Pinball(0.3)), target)


def test_views_in_the_primal_take_the_hinge():
    linear = [("a", "linear", [0, 1]), ("b", "linear", [2])]
    fitted(CoRLSClassifier(linear, loss="hinge", space="linear"), two)


@pytest.mark.parametrize("outputs", [None, graph, Tree(["a.b", "a.c", "d"]), Ring(3)])
def test_logistic_outputs_have_probabilities(outputs):
    model = fitted(VectorValuedClassifier(loss="logistic", output_kernel=outputs), sets)
    p = model.predict_proba(X)
    assert p.shape == (120, 3) and (p >= 0).all() and (p <= 1).all()
    one = fitted(VectorValuedClassifier(loss="logistic", output_kernel=outputs), classes)
    np.testing.assert_allclose(one.predict_proba(X).sum(axis=1), 1.0)
