"""Bad input: one clear error each, before any expensive work."""

import numpy as np
import pytest
import scipy.sparse as sp

from lapwing import (
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    ManifoldClassifier,
    ManifoldRegressor,
    RegularizedLaplacianEigenmaps,
    RegularizedSpectralClustering,
)
from lapwing.exceptions import MemoryLimitWarning, UnreachedWarning
from lapwing.graphs import KNN
from lapwing.kernels import RBF, FunctionKernel
from lapwing.losses import Hinge, Huber
from lapwing.regularizers import Laplacian
from lapwing.solvers import CG
from problems import BY_RULE

RNG = np.random.default_rng(0)
N = 30
X = RNG.normal(size=(N, 2))
Y = np.where(np.arange(N) < 12, np.arange(N) % 2, -1)
REAL = np.where(np.arange(N) < 12, X[:, 0], np.nan)
CLASSIFIERS = [LapRLSClassifier, LapSVC, LapLogisticClassifier, ManifoldClassifier]
REGRESSORS = [LapRLSRegressor, ManifoldRegressor]
UNSUPERVISED = [RegularizedSpectralClustering, RegularizedLaplacianEigenmaps]


@pytest.mark.parametrize("estimator", CLASSIFIERS)
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.full(N, -1), "No row of y is labeled"),
        (np.full(N, None), "No row of y is labeled"),
        (np.full(N, np.nan), "No row of y is labeled"),
        (np.where(Y == 1, 1, -1).astype(object), None),  # −1 and 1 as objects are two classes
        (np.where(Y == 0, 0, -1), "Only one class"),
        (np.where(Y == 0, "a", None), "Only one class"),
        (X[:, 0], "continuous"),
        (Y[:-1], "29"),
        (np.array([{}] * N, dtype=object), "Unknown label type"),
        (np.array(["a", 1] * (N // 2), dtype=object), "mix"),
        (np.where(np.arange(N) == 3, np.inf, 1.0), "infinity"),
        (None, "requires y"),
    ],
)
@pytest.mark.filterwarnings("ignore::lapwing.exceptions.LabelWarning")
def test_labels(estimator, y, message):
    if message is None:
        estimator().fit(X, y)
        return
    with pytest.raises(ValueError, match=message):
        estimator().fit(X, y)


@pytest.mark.parametrize("estimator", REGRESSORS)
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.full(N, np.nan), "No row of y is labeled"),
        (np.column_stack([REAL, np.full(N, np.nan)]), r"column\(s\) \[1\]"),
        (REAL[:-1], "29"),
        (np.where(np.arange(N) == 3, np.inf, REAL), "infinity"),
        (np.zeros((N, 0)), "column|feature"),
        (np.zeros((N, 2, 2)), "dim"),
        (np.array(["a"] * N), "could not convert|numeric|float"),
        (None, "requires y"),
    ],
)
def test_real_targets(estimator, y, message):
    with pytest.raises(ValueError, match=message):
        estimator().fit(X, y)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("estimator", [*CLASSIFIERS, *REGRESSORS, *UNSUPERVISED])
def test_points_are_finite(estimator, bad):
    points = X.copy()
    points[4, 1] = bad
    y = REAL if estimator in REGRESSORS else Y
    for form in (points, sp.csr_matrix(points)):
        with pytest.raises(ValueError, match=r"NaN|inf"):
            estimator().fit(form, y)
    model = estimator().fit(X, y)
    extend = model.transform if hasattr(model, "transform") else model.predict
    with pytest.raises(ValueError, match=r"NaN|inf"):
        extend(points)


@pytest.mark.parametrize("estimator", [LapRLSClassifier, LapRLSRegressor, *UNSUPERVISED])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gamma_A": 0.0}, "gamma_A"),
        ({"gamma_A": -1.0}, "gamma_A"),
        ({"gamma_A": np.nan}, "gamma_A"),
        ({"gamma_A": np.inf}, "gamma_A"),
        ({"gamma_A": "automatic"}, "gamma_A"),
        ({"gamma_A": True}, "gamma_A"),
        ({"gamma_I": -1e-3}, "gamma_I"),
        ({"gamma_I": None}, "gamma_I"),
        ({"tol": 0.0}, "tol"),
        ({"tol": np.nan}, "tol"),
        ({"kernel": "gaussian"}, "gaussian"),
        ({"kernel": 3.0}, "kernel"),
        ({"kernel": RBF}, "kernel"),
        ({"kernel": RBF(-1.0)}, "sigma"),
        ({"regularizer": "laplace"}, "regularizer"),
        ({"regularizer": Laplacian}, "regularizer"),
        ({"regularizer": KNN()}, "regularizer"),
        ({"regularizer": Laplacian(KNN(n_neighbors=0))}, "n_neighbors is 0"),
        ({"regularizer": Laplacian(degree=0)}, "degree"),
    ],
)
def test_parameters(estimator, settings, message):
    with pytest.raises((ValueError, TypeError), match=message):
        estimator(**settings).fit(X, REAL if estimator in REGRESSORS else Y)


@pytest.mark.parametrize(
    ("estimator", "settings", "message"),
    [
        (LapRLSClassifier, {"space": "big"}, "space='big'"),
        (LapRLSClassifier, {"space": "linear", "kernel": "rbf"}, "kernel='linear'"),
        (LapRLSClassifier, {"solver": "fast"}, "solver='fast'"),
        (LapRLSClassifier, {"solver": "dual"}, "DualLoss"),
        (LapSVC, {"solver": "direct"}, "QuadraticLoss"),
        (LapSVC, {"solver": CG()}, "QuadraticLoss"),
        (LapSVC, {"loss": "logistic"}, "ManifoldClassifier"),
        (LapRLSClassifier, {"max_iter": 0}, "max_iter"),
        (LapRLSClassifier, {"max_iter": 2.5}, "max_iter"),
        (ManifoldClassifier, {"loss": "huber"}, "regression"),
        (ManifoldClassifier, {"loss": Huber()}, "regression"),
        (ManifoldClassifier, {"loss": "zero-one"}, "zero-one"),
        (ManifoldClassifier, {"loss": Hinge}, "Hinge"),
        (ManifoldRegressor, {"loss": "hinge"}, "classification"),
    ],
)
def test_parts(estimator, settings, message):
    with pytest.raises((ValueError, TypeError), match=message):
        estimator(**settings).fit(X, REAL if estimator in REGRESSORS else Y)


@pytest.mark.parametrize("name", ["space", "solver"])
def test_names_are_checked_before_the_graph_is_built(name):
    class Untouchable(Laplacian):
        def build(self, X, y=None):
            raise AssertionError("the graph was built first")

    with pytest.raises(ValueError, match=f"{name}='nonsense'"):
        LapRLSClassifier(**BY_RULE | {"regularizer": Untouchable(), name: "nonsense"}).fit(X, Y)


NEGATIVE = -np.eye(N)
SKEW = np.triu(np.ones((N, N)))


@pytest.mark.parametrize("estimator", [LapRLSClassifier, LapSVC, *UNSUPERVISED])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"regularizer": NEGATIVE}, "positive semi-definite"),
        ({"regularizer": sp.csr_array(NEGATIVE)}, "positive semi-definite"),
        ({"regularizer": SKEW}, "symmetric"),
        ({"regularizer": np.eye(N - 1)}, "29"),
        ({"regularizer": np.where(np.eye(N) == 1, np.nan, 0)}, "NaN|finite"),
        ({"kernel": lambda X, Z: -X @ Z.T}, "positive semi-definite"),
        ({"kernel": lambda X, Z: X @ np.array([[0, 1], [0, 0]]) @ Z.T}, "must be symmetric"),
        ({"kernel": lambda X, Z: X @ Z.T[:, :-1]}, "shape"),
        ({"kernel": FunctionKernel(lambda X, Z: np.tanh(X @ Z.T - 1.0)) + RBF(0.1)}, "semi-def"),
    ],
)
def test_matrices_and_functions(estimator, settings, message):
    with pytest.raises(ValueError, match=message):
        estimator(**settings).fit(X, Y)


@pytest.mark.parametrize("estimator", [LapRLSClassifier, LapSVC])
def test_precomputed_sizes(estimator):
    K = RBF(1.0)(X)
    with pytest.raises(ValueError, match="square"):
        estimator(kernel="precomputed").fit(K[:, :-1], Y)
    with pytest.raises(ValueError, match="symmetric"):
        estimator(kernel="precomputed").fit(SKEW, Y)
    with pytest.raises(ValueError, match="positive semi-definite"):
        estimator(kernel="precomputed").fit(NEGATIVE, Y)
    model = estimator(kernel="precomputed").fit(K, Y)
    with pytest.raises(ValueError, match="30"):
        model.predict(K[:, :-1])
    with pytest.raises(ValueError, match="features"):
        LapRLSClassifier(**BY_RULE).fit(X, Y).predict(X[:, :1])


@pytest.mark.parametrize("weight", [np.full(N, -1.0), np.full(N, np.nan), np.ones(N - 1)])
def test_weights(weight):
    with pytest.raises(ValueError, match=r"weight|NaN"):
        LapRLSClassifier(**BY_RULE).fit(X, Y, sample_weight=weight)


def test_weights_that_leave_one_class():
    with pytest.raises(ValueError, match="Only one class"):
        LapRLSClassifier(**BY_RULE).fit(X, Y, sample_weight=np.where(Y == 1, 0.0, 1.0))


@pytest.mark.parametrize("estimator", [LapRLSClassifier, RegularizedLaplacianEigenmaps])
def test_memory_is_checked_before_it_is_allocated(monkeypatch, estimator):
    class Counting(RBF):
        def __call__(self, X, Z=None):
            raise AssertionError("the Gram matrix was computed although it does not fit")

    for module in ("lapwing.linalg.memory", "lapwing.spaces.choose"):
        monkeypatch.setattr(f"{module}.available_bytes", lambda: 1000)
    settings = {"kernel": Counting(1.0)}
    if estimator is LapRLSClassifier:
        settings = BY_RULE | settings | {"space": "exact"}
    with pytest.raises(MemoryError, match=r"30 points.*needs about.*1000.0 B is available"):
        estimator(**settings).fit(X, Y)


def test_automatic_space_steps_down_with_a_warning(monkeypatch):
    exact = LapRLSClassifier(**BY_RULE | {"gamma_A": 1e-2, "gamma_I": 0.0}).fit(X, Y)
    for module in ("lapwing.linalg.memory", "lapwing.spaces.choose"):
        monkeypatch.setattr(f"{module}.available_bytes", lambda: 5000)
    with pytest.warns(MemoryLimitWarning, match="blocks"):
        model = LapRLSClassifier(**BY_RULE | {"gamma_A": 1e-2, "gamma_I": 0.0}).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X), exact.decision_function(X), atol=1e-6)


def test_platforms_that_do_not_tell_their_memory(monkeypatch):
    for module in ("lapwing.linalg.memory", "lapwing.spaces.choose"):
        monkeypatch.setattr(f"{module}.available_bytes", lambda: float("inf"))
    assert LapRLSClassifier(**BY_RULE).fit(X, Y).solution_.optimality < 1e-8


def test_unreached_points():
    """Two far groups, labels in one: a warning, a mask, and no graph value for the other."""
    points = np.vstack([X, X[:10] + 1000.0])
    y = np.append(Y, np.full(10, -1))
    with pytest.warns(UnreachedWarning, match="10 of 40"):
        model = LapRLSClassifier(**BY_RULE | {"regularizer": Laplacian(KNN(n_neighbors=3))}).fit(
            points, y
        )
    np.testing.assert_array_equal(model.unreached_, np.arange(40) >= 30)
    y[35] = 1
    model.fit(points, y)
    assert not model.unreached_.any()


def test_reached_points_do_not_warn(recwarn):
    model = LapRLSClassifier(**BY_RULE).fit(X, Y)
    assert not model.unreached_.any()
    assert not LapRLSClassifier(**BY_RULE | {"gamma_I": 0}).fit(X, Y).unreached_.any()
    assert not [w for w in recwarn if issubclass(w.category, UnreachedWarning)]
