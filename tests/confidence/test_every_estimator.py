"""What every public estimator answers about itself, or the reason why it does not."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone, is_classifier

import lapwing
from lapwing.datasets import make_two_moons
from lapwing.kernels import RBF
from lapwing.outputs import Flat, JointKernel, LabelSets, Ring

X, Y, TRUTH = make_two_moons(60, labels_per_class=5, random_state=0)
SEEN = Y >= 0
THREE = np.where(SEEN, np.arange(60) % 3, -1)
REAL = np.where(SEEN[:, None], np.column_stack([X, X.sum(axis=1)]), np.nan)
HOLES = REAL.copy()
HOLES[np.flatnonzero(SEEN)[[0, 3, 4]], [0, 1, 2]] = np.nan
LABELS = np.where(SEEN[:, None], np.column_stack([X > 0.2, X.sum(axis=1) > 0.5]), np.nan)
Q = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])
RULE = {"kernel": RBF(0.4), "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule"}
SUM = {"kernel": ["rbf", "linear"], "regularizer": "laplacian", "output_kernel": [Q, np.eye(3)]}
M_OUT = {"output_kernel": Q, "output_regularizer": np.diag([1.0, 2.0, 3.0])}
VIEWS = [("a", "rbf", [0]), ("b", "rbf", [1])]
JOINT = JointKernel(lambda A, B: np.einsum("ij,ab->iajb", 1.0 + A @ B.T, Q))

CLASSIFIERS = {
    "LapRLS": (lapwing.LapRLSClassifier(**RULE), THREE),
    "LapSVC": (lapwing.LapSVC(**RULE), Y),
    "LapLogistic": (lapwing.LapLogisticClassifier(**RULE), THREE),
    "Manifold": (lapwing.ManifoldClassifier(**RULE), Y),
    "VectorValued": (lapwing.VectorValuedClassifier(**RULE, output_kernel=Q), THREE),
    "VectorValued, labels": (lapwing.VectorValuedClassifier(**RULE, output_kernel=Q), LABELS),
    "VectorValued, M_out": (lapwing.VectorValuedClassifier(**RULE, **M_OUT), LABELS),
    "VectorValued, sum": (lapwing.VectorValuedClassifier(**SUM, loss="hinge"), LABELS),
    "Structured": (lapwing.StructuredLapSVC(**RULE), Y),
    "Structured, ring": (lapwing.StructuredLapSVC(**RULE, output=Ring(4)), THREE),
    "Structured, sets": (lapwing.StructuredLapSVC(**RULE, output=LabelSets(3)), LABELS),
    "Structured, joint": (lapwing.StructuredLapSVC(kernel=JOINT, output=Flat(3)), THREE),
    "CoRLS": (lapwing.CoRLSClassifier(VIEWS), Y),
    "CoMR": (lapwing.CoMRClassifier(VIEWS), THREE),
}
REGRESSORS = {
    "LapRLS": (lapwing.LapRLSRegressor(**RULE), HOLES),
    "Manifold": (lapwing.ManifoldRegressor(**RULE, loss="squared"), REAL),
    "VectorValued": (lapwing.VectorValuedRegressor(**RULE, output_kernel=Q), HOLES),
    "VectorValued, M_out": (lapwing.VectorValuedRegressor(**RULE, **M_OUT), HOLES),
    "VectorValued, sum": (lapwing.VectorValuedRegressor(**SUM), REAL),
    "CoRLS": (lapwing.CoRLSRegressor(VIEWS), HOLES),
    "CoMR": (lapwing.CoMRRegressor(VIEWS), HOLES),
    "SSSL": (lapwing.SSSLRegressor(), HOLES),
    "LapS3L": (lapwing.LapS3LRegressor(), HOLES),
    "LSMR": (lapwing.LSMRRegressor(), HOLES),
}


def common_answers(model):
    scores = model.leave_one_out_
    assert scores.shape[0] == 60 and np.isnan(scores[~SEEN]).all()
    assert np.isfinite(scores[SEEN]).any(axis=1).all()
    assert np.isin(model.suspicious_labels_, np.flatnonzero(SEEN)).all()
    asked = model.next_to_label(3)
    assert len(set(asked)) == 3 and not SEEN[asked].any()
    novelty = model.novelty(X)
    assert ((novelty >= 0) & (novelty <= 1)).all()
    answers = model.predict(X, abstain=0.9)
    assert len(answers) == 60


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers(name):
    model, y = CLASSIFIERS[name]
    model = clone(model).fit(X, y)
    common_answers(model)
    p = model.predict_proba(X)
    assert ((p >= 0) & (p <= 1)).all()
    if np.ndim(y) == 1:
        assert_allclose(p.sum(axis=1), 1.0)
        best = model.classes_[p.argmax(axis=1)]
        sure = np.sort(p, axis=1)[:, -1] - np.sort(p, axis=1)[:, -2] > 1e-6
        np.testing.assert_array_equal(best[sure], model.predict(X)[sure])
    found = model.error_bound()
    assert 0.0 <= found.leave_one_out <= 1.0
    assert found.bound.valid or found.bound.reasons


@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors(name):
    model, y = REGRESSORS[name]
    model = clone(model).fit(X, y)
    common_answers(model)
    mean, spread = model.predict(X, return_std=True)
    assert mean.shape == spread.shape == (60, 3) and (spread > 0).all()


def test_none_is_left_out():
    asked = {type(model) for model, _ in [*CLASSIFIERS.values(), *REGRESSORS.values()]}
    public = {getattr(lapwing, name) for name in lapwing.__all__}
    answering = {c for c in public if isinstance(c, type) and hasattr(c, "leave_one_out_")}
    assert asked == answering


@pytest.mark.parametrize("name", ["Structured", "Structured, ring", "Structured, sets"])
def test_structured_scores_without_a_label_are_those_of_refits(name):
    model, y = CLASSIFIERS[name]
    model = clone(model).set_params(gamma_A=0.01, gamma_I=1.0, tol=1e-8)
    scores = model.fit(X, y).leave_one_out_
    for row in np.flatnonzero(SEEN)[[0, 5, 8]]:
        without = np.array(y, dtype=float if np.ndim(y) == 2 else int)
        without[row] = np.nan if np.ndim(y) == 2 else -1
        fit = clone(model).fit(X, without)
        values = fit.objective_.space.element(fit.solution_.coef).readout[row]
        assert_allclose(scores[row], values, atol=2e-3 * np.abs(values).max())


def test_where_there_is_no_answer_the_reason_is_told():
    huber = lapwing.ManifoldRegressor(loss="huber", gamma_A=0.1).fit(X, REAL[:, 0])
    with pytest.raises(ValueError, match="squared loss"):
        _ = huber.diagnostics().posterior
    bound = lapwing.CoMRClassifier(a_I=0.5).fit(X, Y)
    assert is_classifier(bound)
    with pytest.raises(ValueError, match="a_I=0"):
        bound.predict(X, abstain=0.5)
    structured = lapwing.StructuredLapSVC(**RULE).fit(X, THREE)
    assert "decoded together" in str(structured.error_bound().bound)
    with pytest.raises(ValueError, match="delta"):
        structured.error_bound(delta=2.0)


@pytest.mark.parametrize("loss", ["huber", "epsilon_insensitive"])
@pytest.mark.parametrize("gamma_I", [0.0, 1.0])
def test_intervals_of_every_loss_hold_new_targets(loss, gamma_I):
    rng = np.random.default_rng(0)
    points = rng.uniform(-2, 2, (200, 2))
    truth = np.sin(points[:, 0]) + points[:, 1] + 0.2 * rng.standard_normal(200)
    y = np.where(np.arange(200) < 80, truth, np.nan)
    model = lapwing.ManifoldRegressor(loss=loss, kernel="rbf", gamma_I=gamma_I).fit(
        points[:150], y[:150]
    )
    low, high = model.predict_interval(points[80:])
    inside = (low <= truth[80:]) & (truth[80:] <= high)
    assert 0.8 <= inside.mean() <= 1.0 and (high - low).mean() < 4 * 0.2 * 3


def test_intervals_of_views_and_of_frames():
    frame = pytest.importorskip("pandas").DataFrame(X, columns=["a", "b"])
    models = lapwing.CoMRRegressor(VIEWS, loss="huber"), lapwing.ManifoldRegressor(**RULE)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        for model in models:
            low, high = model.fit(frame, REAL[:, 0]).predict_interval(frame + 0.01)
            assert (low < high).all()


def test_related_outputs_with_tubes_of_their_own():
    """Widths differ by output, and by observed pair; the unit of y changes nothing."""
    model = lapwing.VectorValuedRegressor(
        loss="epsilon_insensitive", **RULE, output_kernel=Q[:2, :2]
    )
    Y = REAL[:, :2] * [1.0, 3.0]
    one, other = model.fit(X, Y).predict(X), model.fit(X, 1e4 * Y).predict(X) / 1e4
    assert_allclose(other, one, atol=1e-2 * np.nanstd(Y))


ONE = {
    "graph": lapwing.LapRLSRegressor(),
    "exact": lapwing.LapRLSRegressor(
        kernel="rbf", regularizer="laplacian", gamma_A=1e-3, gamma_I=1.0
    ),
    "no intercept": lapwing.LapRLSRegressor(gamma_A=1e-3, gamma_I=1.0, fit_intercept=False),
    "huber": lapwing.ManifoldRegressor(loss="huber", gamma_A=1e-3, gamma_I=1.0),
    "views": lapwing.CoRLSRegressor(),
}


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("name", ONE)
def test_one_label_tells_no_deviation(name):
    """Infinite intervals, as nothing can be left out."""
    points = np.random.default_rng(0).standard_normal((40, 3))
    y = np.full(40, np.nan)
    y[3] = 2.0
    model = clone(ONE[name]).fit(points, y)
    assert np.isnan(model.leave_one_out_error_)
    assert model.leave_one_out_interval_ == (0.0, np.inf)
    assert np.isinf(model.predict(points + 0.1, return_std=True)[1]).all()
    low, high = model.predict_interval(points)
    assert np.isneginf(low).all() and np.isposinf(high).all()
    y[4] = 3.0
    assert np.isfinite(clone(model).fit(points, y).predict_interval(points)).all()
