"""The transductive bound: its terms, its conditions, and that it holds."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    VectorValuedClassifier,
)
from lapwing.confidence.bound import Bound
from lapwing.confidence.bounds import (
    C0,
    _traces,
    function_norms,
    transductive_bound,
    transductive_slack,
)
from lapwing.datasets import make_two_moons
from lapwing.kernels import RBF
from lapwing.outputs import OutputGraph
from lapwing.regularizers import Laplacian
from lapwing.spaces.deformation import PlainDeformation

X, Y, TRUTH = make_two_moons(200, labels_per_class=20, random_state=0)
MODEL = LapSVC(
    kernel=RBF(0.3), regularizer="laplacian", gamma_A=0.01, gamma_I=1.0, fit_intercept=False
)


def test_the_norm_is_that_of_the_deformed_kernel():
    o = LapRLSClassifier(kernel=RBF(0.3), gamma_A=0.01, gamma_I=1.0, fit_intercept=False)
    o = o.fit(X, Y).objective_
    beta = np.random.default_rng(0).normal(size=(len(o.rows), 1))
    kernel = o.deformation.gram(o.rows)
    size, b = function_norms(o, o.space.element(kernel.lift(beta)))
    assert b is None
    assert_allclose(size, (beta * kernel.apply(beta)).sum(axis=0), rtol=1e-6)


def test_every_term_of_the_bound():
    model = MODEL.fit(X, Y)
    o, m, u = model.objective_, 40, 160
    found = model.error_bound(delta=0.1).bound
    K = o.deformation.gram(np.arange(200)).shared
    f = model.decision_function(X)[o.rows]
    ramp = np.clip(1 - o.y[:, 0] * f, 0, 1).mean()
    size, _ = function_norms(o, o.space.element(model.solution_.coef))
    assert size[0] <= 1.0  # J(f) ≤ J(0) = 1
    Q, S = 1 / m + 1 / u, 200 / (199.5 * (1 - 1 / 320))
    slack = C0 * Q * np.sqrt(m) + np.sqrt(S * Q * np.log(20.0) / 2)  # δ/(1·2) for r = 1
    expected = ramp + np.sqrt(2 * np.trace(K) / (m * u)) + slack
    assert float(found) == pytest.approx(expected, rel=1e-6)
    assert found.valid and C0 < 5.05


@pytest.mark.parametrize(("n", "above"), [(600, 1.05), (1200, 2.0)])
def test_many_rows_are_told_by_few_functions(monkeypatch, n, above):
    """A number above the trace, and never K̃ among all rows."""
    many, y, _ = make_two_moons(n, labels_per_class=20, random_state=0)
    model = clone(MODEL).fit(many, y)
    o = model.objective_
    trace = np.trace(o.deformation.gram(np.arange(n)).shared)
    of_few = PlainDeformation.gram

    def gram(self, rows):
        assert len(rows) <= 40
        return of_few(self, rows)

    monkeypatch.setattr(PlainDeformation, "gram", gram)
    del vars(o)["deformation"]
    (found,), _ = _traces(o, 0.005)
    assert trace < found < above * trace
    assert model.error_bound().bound.valid


@pytest.mark.parametrize("gamma_I", [0.0, 1.0])
@pytest.mark.parametrize("Model", [CoMRClassifier, CoRLSClassifier, VectorValuedClassifier])
def test_the_trace_of_other_spaces_is_told_by_few_functions(Model, gamma_I):
    """Points of a space may be more than its rows."""
    draw, truth = np.random.default_rng(0), np.arange(300) % 2
    many = draw.normal(size=(300, 6)) + 2.0 * truth[:, None]
    views = [("a", "rbf", slice(0, 3), Laplacian()), ("b", "rbf", slice(3, 6), Laplacian())]
    given = {"views": views} if "Co" in str(Model) else {"regularizer": "laplacian"}
    model = Model(**given, gamma_A=0.01, gamma_I=gamma_I)
    o = model.fit(many, np.where(np.arange(300) < 40, truth, -1)).objective_
    parts = [(part, mixing.squares(1)) for part, mixing in o.deformation.components]
    trace = sum(np.trace(part.gram(np.arange(300)).shared) * shares for part, shares in parts)
    found, _ = _traces(o, 0.005)
    assert (trace <= (1.0 + 1e-9) * found).all() and (found < 2.0 * trace).all()


def test_searches_classes_and_constants_cost_their_share():
    plain = MODEL.fit(X, Y).error_bound().bound
    grid = MODEL.error_bound(n_candidates=50).bound
    assert grid > plain
    gap = transductive_slack(40, 160, 0.05 / 2 / 50) - transductive_slack(40, 160, 0.05 / 2)
    assert float(grid - plain) == pytest.approx(gap)
    with_b = (
        LapSVC(kernel=RBF(0.3), gamma_A=0.01, gamma_I=1.0, fit_intercept=True)
        .fit(X, Y)
        .error_bound()
        .bound
    )
    assert with_b.valid and with_b > plain
    three = np.where(Y >= 0, np.arange(200) % 3, -1)
    assert LapRLSClassifier(kernel=RBF(0.3)).fit(X, three).error_bound().bound.vacuous


def test_it_holds_where_labels_are_drawn_at_random():
    rng = np.random.default_rng(0)
    for _ in range(5):
        y = np.full(200, -1)
        rows = rng.permutation(200)[:100]
        y[rows] = TRUTH[rows]
        model = MODEL.fit(X, y)
        error = np.mean(model.transduction_[y < 0] != TRUTH[y < 0])
        estimate = model.error_bound()
        assert error <= estimate.bound
        assert abs(estimate.leave_one_out - error) < 0.1


def test_conditions_and_errors():
    shifted = LapRLSClassifier(class_prior="labeled").fit(X, Y).error_bound()
    assert not shifted.bound.valid and "class_prior" in str(shifted)
    model = MODEL.fit(X, Y)
    for bad in ({"delta": 0.0}, {"n_candidates": 0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            model.error_bound(**bad)
    with pytest.raises(ValueError, match="Every row is labeled"):
        LapSVC().fit(X, TRUTH).error_bound()
    labels = np.where(Y[:, None] >= 0, TRUTH[:, None] == [0, 1], np.nan)
    assert VectorValuedClassifier().fit(X, labels).error_bound().bound > 0


def test_related_outputs_and_estimated_kernels():
    """K̃ ⊗ Q has the trace tr K̃ Q_jj; a kernel read off the labels breaks the promise."""
    labels = np.where(Y[:, None] >= 0, TRUTH[:, None] == [0, 1], np.nan)
    given = {"kernel": "rbf", "gamma_A": 0.5, "gamma_I": 0.0, "fit_intercept": False}
    given["regularizer"] = None
    model = VectorValuedClassifier(output_kernel=np.diag([1.0, 4.0]), **given).fit(X, labels)
    o, e = model.objective_, model.objective_.space.element(model.solution_.coef)
    m, u = len(o.rows), len(X) - len(o.rows)
    k = max(0, int(np.ceil(2 * np.log2(np.sqrt(function_norms(o, e)[0].sum())))))
    slack = transductive_slack(m, u, 0.05 / (2 * (k + 1) * (k + 2)))
    ramp = np.clip(1 - o.y * e.readout[o.rows], 0, 1).mean(axis=0)
    traces = len(X) / 0.5 * np.array([1.0, 4.0])  # K/γ_A has ones over γ_A on its diagonal
    expected = ramp + 2 ** (k / 2) * np.sqrt(2 * traces / (m * u)) + slack
    assert_allclose(float(transductive_bound(o, model.solution_.coef)), expected.sum())
    estimated = VectorValuedClassifier(output_kernel=OutputGraph(0.5, n_neighbors=1), **given)
    bound = estimated.fit(X, labels).error_bound().bound
    assert not bound.valid and "output kernel" in bound.reasons[0] and bound > 0


def test_a_search_is_paid_for():
    """Every value of every parameter, multiplied: what the search could have chosen."""
    views = [("a", "rbf", [0]), ("b", "rbf", [1])]
    for model in (CoRLSClassifier(views).fit(X, Y), LapRLSClassifier(space="exact").fit(X, Y)):
        count = model.selection_.n_candidates
        assert count >= len(model.selection_.trials) > 1
        paid = model.error_bound().bound
        assert paid == model.error_bound(n_candidates=count).bound
        assert paid > model.error_bound(n_candidates=1).bound


def test_bounds_are_numbers_that_survive_a_pickle():
    b = Bound(0.4, ["why"])
    again = pickle.loads(pickle.dumps(b))
    assert again == 0.4 and again.reasons == ("why",) and not again.vacuous


def test_an_estimate_without_a_bound_says_why():
    X = np.linspace(0.0, 1.0, 40)[:, None]
    y = np.where(np.arange(40) % 3 == 0, X[:, 0], np.nan)
    text = str(LapRLSRegressor(kernel="rbf", gamma_A="rule", gamma_I=0.0).fit(X, y).error_bound())
    assert "no bound is known here for real targets" in text and "vacuous" not in text


def test_a_bound_counts_what_other_labels_could_have_led_to():
    """The search compares graphs in two frames; which two depends on the labels."""
    X, y, _ = make_two_moons(60, labels_per_class=5, random_state=0)
    found = LapRLSClassifier().fit(X, y).selection_
    frames = {str(trial.parts["kernel"]) for trial in found.trials if trial.gamma_I == 0.0}
    assert len(frames) > 2 and found.n_candidates >= 2 * len(found.trials)
    views = [("a", "rbf", [0]), ("b", "rbf", [1])]
    found = CoRLSClassifier(views=views).fit(X, y).selection_
    values = {name: {str(t.settings[name]) for t in found.trials} for name in found.choice}
    assert found.n_candidates >= np.prod([len(v) for v in values.values()]) > len(found.trials)
