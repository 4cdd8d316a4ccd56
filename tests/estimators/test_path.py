"""A path equals its fits, one by one."""

import numpy as np
import pytest

from lapwing import VectorValuedClassifier, VectorValuedRegressor, path
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.outputs import OutputGraph
from lapwing.regularizers import Laplacian

rng = np.random.default_rng(0)
X, X_new = rng.standard_normal((30, 3)), rng.standard_normal((6, 3))
Y = np.column_stack([np.sin(X @ w) for w in rng.standard_normal((4, 3))])
Y[12:] = np.nan
common = {"kernel": RBF(1.5), "regularizer": Laplacian(KNN(5))}
grid = {"gamma_A": [1e-4, 1e-1], "gamma_O": [0.0, 0.4, 1.0], "gamma_I": [0.0, 9.0]}


def ragged():
    entries = Y.copy()
    entries[2, 1] = np.nan
    return entries


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("targets", [Y, ragged()], ids=["rows", "entries"])
def test_each_point_is_the_fit_with_its_parameters(targets, fit_intercept):
    model = VectorValuedRegressor(**common, fit_intercept=fit_intercept)
    points = list(path(model, X, targets, X_new=X_new, **grid))
    assert [(p.gamma_I, p.gamma_O, p.gamma_A) for p in points] == [
        (i, o, a) for i in grid["gamma_I"] for o in grid["gamma_O"] for a in grid["gamma_A"]
    ]
    for p in points:
        model.set_params(gamma_A=p.gamma_A, gamma_I=p.gamma_I, output_kernel=OutputGraph(p.gamma_O))
        model.fit(X, targets)
        np.testing.assert_allclose(p.readout, model.transduction_, atol=1e-6)
        np.testing.assert_allclose(p.readout_new, model.predict(X_new), atol=1e-6)
        assert p.optimality() < 1e-7


def test_grids_left_out_keep_the_estimators_parameters():
    Q = np.cov(rng.standard_normal((4, 9)))
    model = VectorValuedRegressor(**common, gamma_A=1e-2, gamma_I=3.0, output_kernel=Q)
    (point,) = path(model, X, Y)
    assert (point.gamma_A, point.gamma_O) == (1e-2, None) and point.readout_new is None
    np.testing.assert_allclose(point.gamma_I, 3.0)
    np.testing.assert_allclose(point.readout, model.fit(X, Y).transduction_, atol=1e-8)


def test_other_losses_and_settings_go_point_by_point():
    labels = np.where(np.isnan(Y), np.nan, Y > 0)
    model = VectorValuedClassifier(**common, loss="logistic", solver="newton", gamma_I=5.0)
    for p in path(model, X, labels, gamma_A=[1e-1, 1e-2], gamma_O=[0.3, 0.6]):
        assert p.optimality() < 1e-7
    model = VectorValuedRegressor(**common, output_regularizer=np.eye(4) + 1.0)
    for p in path(model, X, Y, gamma_I=[1.0, 10.0], gamma_A=[1e-2]):
        assert p.optimality() < 1e-7


def test_warm_starts_over_gamma_I_save_iterations():
    model = VectorValuedRegressor(**common, gamma_A=1e-3, solver="cg", output_regularizer=np.eye(4))
    gammas = np.linspace(5.0, 5.1, 6)
    warm = [p.n_iter for p in path(model, X, Y, gamma_I=gammas)]
    cold = [model.set_params(gamma_I=g).fit(X, Y).n_iter_ for g in gammas]
    assert abs(warm[0] - cold[0]) <= 2  # a fit takes the mean of y out first
    assert sum(warm[1:]) < 0.8 * sum(cold[1:])


def test_the_estimator_is_left_alone():
    model = VectorValuedRegressor(**common)
    before = model.get_params()
    list(path(model, X, Y, **grid))
    assert model.get_params() == before and not hasattr(model, "coef_")


@pytest.mark.parametrize(
    ("grids", "text"),
    [
        ({"gamma_A": [0.0]}, "gamma_A"),
        ({"gamma_A": []}, "non-empty"),
        ({"gamma_I": [-1.0]}, "gamma_I"),
        ({"gamma_I": 3.0}, "sequence"),
        ({"gamma_O": [0.5, 2.0]}, "from 0 to 1"),
    ],
)
def test_bad_grids_are_named(grids, text):
    with pytest.raises(ValueError, match=text):
        path(VectorValuedRegressor(**common), X, Y, **grids)
    if "gamma_O" in grids:
        with pytest.raises(ValueError, match="output_kernel"):
            path(VectorValuedRegressor(output_kernel=np.eye(4)), X, Y, **grids)
