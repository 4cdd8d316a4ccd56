"""What estimators of several outputs, views, targets or structures choose, and how."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    CoRLSRegressor,
    LapRLSClassifier,
    LapS3LRegressor,
    LSMRRegressor,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.graphs import KNN
from lapwing.inspection import SelectionDisplay
from lapwing.outputs import LabelSets, OutputGraph, Ring
from lapwing.regularizers import Laplacian
from lapwing.selection import (
    Axis,
    Judge,
    Sample,
    held_out,
    held_out_grid,
    pieces,
    search_axes,
)

rng = np.random.default_rng(0)
N = 60
X = rng.standard_normal((N, 4))
TRUTH = np.column_stack([X[:, 0] + X[:, 1], X[:, 0] - X[:, 1], np.sin(X[:, 2])])
SEEN = rng.permutation(N) < 24
TARGETS = np.where(SEEN[:, None], TRUTH, np.nan)
SIGNS = np.where(SEEN[:, None], (TRUTH > 0).astype(float), np.nan)
CODES = np.where(SEEN, (X[:, 0] > 0) * 2 + (X[:, 1] > 0), -1)
GRAPH = Laplacian(KNN(5))
VIEWS = [("a", "rbf", [0, 1]), ("b", "linear", [2, 3], GRAPH)]
CASES = {
    "labels": (VectorValuedClassifier(), SIGNS),
    "classes": (VectorValuedClassifier(), CODES),
    "real": (VectorValuedRegressor(), TARGETS),
    "corls": (CoRLSClassifier(VIEWS), CODES),
    "corls, real": (CoRLSRegressor(VIEWS), TARGETS),
    "comr": (CoMRClassifier(VIEWS), CODES),
    "sssl": (SSSLRegressor(), TARGETS),
    "laps3l": (LapS3LRegressor(), TARGETS),
    "lsmr": (LSMRRegressor(), TARGETS),
    "ring": (StructuredLapSVC(output=Ring(4)), CODES),
    "sets": (StructuredLapSVC(output=LabelSets(3)), SIGNS),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_the_choice_can_be_typed_and_inspected(name):
    model, y = CASES[name]
    model = clone(model).fit(X, y)
    chosen = model.selection_
    assert len(chosen.trials) > 3 and chosen.default is not None
    assert "leave-one-out over" in chosen.reason
    compared = {n: v for n, v in chosen.choice.items() if n != "space"}
    assert {n: chosen.best.settings[n] for n in compared} == compared
    assert set(chosen.choice) <= set(model.get_params(deep=False))
    assert all(np.isfinite(t.losses).all() for t in chosen.trials)
    typed = clone(model).set_params(**chosen.choice).fit(X, y)
    np.testing.assert_array_equal(typed.transduction_, model.transduction_)
    assert SelectionDisplay.from_estimator(model).score.size >= 1


@pytest.mark.parametrize(
    ("model", "y", "name"),
    [
        (VectorValuedRegressor(), TARGETS, "gamma_A"),
        (VectorValuedRegressor(), TARGETS, "gamma_I"),
        (CoRLSRegressor(VIEWS), TARGETS, "gamma_C"),
        (LSMRRegressor(), TARGETS, "gamma_M"),
        (StructuredLapSVC(output=Ring(4)), CODES, "gamma_A"),
    ],
)
def test_multiples_of_the_rule(model, y, name):
    rule = {"gamma_A": "rule", "gamma_I": "rule", "gamma_C": "rule", "gamma_M": "rule",
            "kernel": "rbf", "regularizer": "laplacian", "fit_intercept": True,
            "output_kernel": None, "n_components": "rule"}  # fmt: skip
    own = model.get_params(deep=False)
    model = clone(model).set_params(**{k: v for k, v in rule.items() if own.get(k) == "auto"})
    whole, tenth = (
        getattr(clone(model).set_params(**{name: given}).fit(X, y), f"{name}_")
        for given in ("rule", "0.1*rule")
    )
    assert tenth == pytest.approx(0.1 * whole, rel=1e-9)


def test_one_search_serves_every_common_multiple():
    """All weights times c is K̃/c, whatever couples outputs, views or targets."""
    common = {"gamma_A": 0.02, "gamma_I": 3.0}
    cases = [
        (VectorValuedRegressor(kernel="rbf", regularizer=GRAPH, fit_intercept=True,
                               output_kernel=OutputGraph(0.5), **common), ("gamma_A", "gamma_I")),
        (CoRLSRegressor(VIEWS, gamma_C=30.0, fit_intercept=True, **common),
         ("gamma_A", "gamma_I", "gamma_C")),
        (LSMRRegressor(kernel="rbf", n_components=5, regularizer=GRAPH, gamma_I=3.0, gamma_M=0.1),
         ("gamma_I", "gamma_M")),
    ]  # fmt: skip
    for model, names in cases:
        o = model.fit(X, TARGETS).objective_
        found = held_out_grid(pieces(o.deformation.gram(o.rows), o.y, o.w), o.y, o.w, [1.0, 7.0])
        scaled = clone(model).set_params(**{n: 7.0 * getattr(model, n) for n in names})
        np.testing.assert_allclose(found[0], held_out(o), atol=1e-9)
        np.testing.assert_allclose(found[1], held_out(scaled.fit(X, TARGETS).objective_), atol=1e-7)


def test_what_is_given_is_kept():
    model = VectorValuedRegressor(
        gamma_A=0.5, gamma_I="2*rule", kernel="linear", output_kernel=None
    )
    model.fit(X, TARGETS)
    chosen = model.selection_.choice
    assert (chosen["gamma_A"], chosen["gamma_I"], chosen["kernel"]) == (0.5, "2*rule", "linear")
    assert chosen["fit_intercept"] in (True, False) and "output_kernel" not in chosen
    assert model.gamma_A_ == 0.5
    given = {"gamma_A": 0.1, "gamma_I": 1.0, "gamma_C": 1.0, "fit_intercept": True}
    assert CoRLSRegressor(VIEWS, **given).fit(X, TARGETS).selection_ is None


def test_the_manifold_is_given_up_where_it_misleads():
    """Targets of white noise directions: no graph over the rows can help, and none is used."""
    draw = np.random.default_rng(1)
    points = draw.standard_normal((200, 30))
    truth = points @ draw.standard_normal((30, 3))
    y = truth.copy()
    y[100:] = np.nan
    rule = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule",
            "fit_intercept": True, "output_kernel": None}  # fmt: skip
    errors = [
        np.mean((VectorValuedRegressor(**g).fit(points, y).transduction_ - truth)[100:] ** 2)
        for g in (rule, {})
    ]
    assert errors[1] < 0.2 * errors[0]


def test_without_a_factor_the_rule_stays():
    outputs = [np.eye(3), np.ones((3, 3))]
    model = VectorValuedRegressor(
        kernel=["rbf", "linear"], output_kernel=outputs, gamma_A=0.1, space="blockwise"
    )
    model.fit(X, TARGETS)
    assert (
        "without a factor" in model.selection_.reason
        and model.selection_.choice["gamma_I"] == "rule"
    )


def test_one_label_of_each_keeps_the_default():
    y = np.full(N, -1)
    for c in range(4):
        y[np.flatnonzero(c == CODES)[0]] = c
    model = StructuredLapSVC(output=Ring(4)).fit(X, y)
    assert model.selection_.best is None and "No label can be left out" in model.selection_.reason
    assert model.selection_.choice["gamma_I"] == "10*rule"


def test_a_search_looks_at_a_sample():
    draw = np.random.default_rng(2)
    points = draw.standard_normal((1500, 3))
    y = np.where(np.arange(1500) < 40, (points[:, 0] > 0).astype(int), -1)
    model = CoRLSClassifier([("a", "rbf", [0, 1]), ("b", "rbf", [2])]).fit(points, y)
    assert len(model.selection_.best.losses) == 40
    assert np.mean(model.transduction_ == (points[:, 0] > 0)) > 0.9


def answered_by(monkeypatch, value):
    """Left-out labels get a value of the kernel, and no system can leave out two."""
    asked = []

    def pieces(kernel, Y, w):
        asked.append(kernel)
        return []

    def held(parts, Y, w, scales, groups):
        return np.full((len(scales), *Y.shape), value(asked[-1]))

    monkeypatch.setattr("lapwing.selection.axes.pieces", pieces)
    monkeypatch.setattr("lapwing.selection.axes.held_out_grid", held)


def test_axes_are_searched_in_turn(monkeypatch):
    """A made-up problem whose best point differs from the default in both axes."""
    o = LapRLSClassifier(kernel="rbf", gamma_A=0.1, gamma_I=0.0, fit_intercept=True)
    o = o.fit(X, np.where(SEEN, (X[:, 0] > 0).astype(int), -1)).objective_
    asked = []

    def labeled(settings):
        asked.append(dict(settings))
        off = {"rule": 1.0, "10*rule": 0.5}[settings["p"]] + settings["q"]
        return SimpleNamespace(off=off, shared=None)

    l = len(o.rows)
    judge = Judge(
        lambda H: np.abs(H[:, :, 0].mean(axis=1, keepdims=True)) + np.linspace(0, 1e-3, l),
        lambda H: H[:, :, 0], np.ones(l, dtype=bool), np.arange(l), np.full(l, 1 / l), 1.0, 1,
    )  # fmt: skip
    codes = np.zeros(N, dtype=int)
    sample = Sample(None, codes, o.rows, o.y, o.w, 0, False, judge, None, o.rows, codes)
    answered_by(monkeypatch, lambda kernel: kernel.off)
    found = search_axes(
        sample,
        [Axis("p", (1.0, 10.0)), Axis("q", (0.5, 0.0), weight=False)],
        (),
        labeled,
        {},
        lambda stage: None,
    )
    assert found.choice == {"p": "10*rule", "q": 0.0}
    assert len(asked) == len({tuple(a.items()) for a in asked}) == 4


def test_the_walk_follows_the_losses_and_not_the_prior(monkeypatch):
    """Each axis alone gains less than the default's prior mass is worth, both together far more."""
    labels = np.arange(20)
    judge = Judge(
        lambda H: np.abs(H[:, :, 0]), lambda H: H[:, :, 0], np.ones(20, dtype=bool), labels,
        np.full(20, 1 / 20), 1.0, 0,
    )  # fmt: skip
    Y, w = np.zeros((20, 1)), np.full((20, 1), 1 / 20)
    sample = Sample(None, labels * 0, labels, Y, w, 0, False, judge, None, labels, labels * 0)
    loss = {(1.0, 1.0): 1.0, (0.0, 1.0): 0.95, (1.0, 0.0): 0.95, (0.0, 0.0): 0.1}
    answered_by(monkeypatch, float)
    axes = [Axis(name, (1.0, 0.0), weight=False) for name in ("p", "q")]
    found = search_axes(sample, axes, (), lambda s: loss[s["p"], s["q"]], {}, lambda stage: None)
    assert found.choice == {"p": 0.0, "q": 0.0}


def test_listed_outputs_are_searched_like_classes():
    """One output a row: the same graphs as for classes, and those of words for counts of words."""
    flat = StructuredLapSVC().fit(X, CODES).selection_
    tried = {str(s["regularizer"].get_params()["normalized"]) for s in flat.settings}
    assert tried == {"True"}
    words = sp.random_array((N, 400), density=0.02, format="csr", rng=np.random.default_rng(0))
    counts = StructuredLapSVC().fit(words, CODES).selection_
    assert any(getattr(s["regularizer"], "degree", 0) == 3 for s in counts.settings)


@pytest.mark.parametrize("name", ["ring", "sets"])
def test_losses_of_structured_outputs_weigh_the_settings(name):
    model, y = CASES[name]
    found = clone(model).fit(X, y).selection_
    means = found.losses.mean(axis=1)
    assert np.isfinite(found.guess) and found.guess > means.min()
    alike = (found.part == found.part[0]) & (found.gamma_I > 0) == (found.gamma_I[0] > 0)
    worst, best = np.flatnonzero(alike)[[means[alike].argmax(), means[alike].argmin()]]
    assert found.weights[worst] < 0.5 * found.weights[best]
