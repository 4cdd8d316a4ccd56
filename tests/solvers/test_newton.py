"""Newton's steps where classes can be told apart."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine, make_moons
from sklearn.preprocessing import StandardScaler

from lapwing import LapLogisticClassifier, VectorValuedClassifier
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from lapwing.solvers import Newton, Status
from lapwing.solvers.newton import COARSE, newton_direction


@pytest.mark.parametrize("X, y", [
    (load_iris().data, load_iris().target),
    (StandardScaler().fit_transform(load_wine().data), load_wine().target),
])  # fmt: skip
@pytest.mark.parametrize("gamma_A", ["1e-2*rule", "1e-4*rule"])
def test_separable_classes_converge(X, y, gamma_A):
    model = LapLogisticClassifier(kernel="linear", gamma_I=0.0, space="linear", gamma_A=gamma_A)
    assert model.fit(X, y).solution_.status is Status.CONVERGED


@pytest.mark.parametrize("lam", [1e-2, 1e-6, 1e-10])
def test_coarse_answers_are_those_of_fine_ones(lam):
    """Values on the points, tolerance 1e-3: longer steps do not pass for a solution."""
    X, truth = make_moons(400, noise=0.1, random_state=0)
    y = np.where(np.random.default_rng(0).random(400) < 0.1, truth, -1)
    given = {
        "kernel": RBF("local"), "regularizer": Laplacian(KNN(6)), "gamma_A": 0.1 * lam,
        "gamma_I": lam * 400**2, "fit_intercept": False, "space": "graph",
    }  # fmt: skip
    coarse, fine = (LapLogisticClassifier(**given, tol=tol).fit(X, y) for tol in (1e-3, 1e-10))
    assert coarse.solution_.n_iter < fine.solution_.n_iter
    assert np.mean(coarse.transduction_ == fine.transduction_) > 0.98


def test_coupled_outputs_share_their_steps():
    X, truth = load_iris(return_X_y=True)
    y = np.where(np.arange(150) % 10 == 0, truth, -1)
    model = VectorValuedClassifier(loss="logistic", output_kernel=np.eye(3) + 0.5, space="graph")
    model.fit(X, y)
    assert model.solution_.status is Status.CONVERGED
    assert np.mean(model.transduction_ != truth) < 0.15


@pytest.mark.parametrize("tol", [1e-4, 1e-8])
def test_steps_are_asked_for_what_the_tolerance_needs(tol):
    """A share of the gradient that rounding does not allow costs all steps that there may be.

    So does one that the next step does not use: no less than the square of what the last one left.
    """
    X, y = load_iris(return_X_y=True)
    asked, reached = [], []

    def direction(objective, e, g, forcing):
        asked.append(forcing)
        reached.append(float(objective.relative(g).max()))
        return newton_direction(objective, e, g, forcing)

    model = LapLogisticClassifier(kernel=RBF(1.0), gamma_A=1e-4, gamma_I=0.0, space="blockwise",
                                  solver=Newton(tol, direction=direction))  # fmt: skip
    solution = model.fit(X, y).solution_
    assert solution.status is Status.CONVERGED
    assert solution.optimality <= tol
    needed = [0.0 if tol >= COARSE else 0.1 * tol / c for c in reached]
    left = np.array([1.0, *np.divide(reached[1:], reached[:-1])])
    np.testing.assert_allclose(asked, np.minimum(0.1, np.max([reached, needed, left**2], axis=0)))
    assert any(c < a**2 < 0.1 for c, a in zip(reached, left, strict=True))
    assert tol >= COARSE or any(c < a < 0.1 for c, a in zip(reached, asked, strict=True))
