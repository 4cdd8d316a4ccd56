"""The estimator: equivalences, bounds, markers, errors, degenerate data."""

import warnings

import cvxpy as cp
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from lapwing import StructuredLapSVC
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.metrics.structured import structured_loss, structured_scorer
from lapwing.outputs import (
    Flat,
    Grid,
    JointKernel,
    LabelSets,
    Ordinal,
    OutputStructure,
    Ring,
    Tree,
)
from lapwing.regularizers import Laplacian
from lapwing.spaces import GraphValues

GRAPH = Laplacian(KNN(4), degree=2)


def ring_data(n=48, q=6, every=4, seed=0):
    """Noisy points on a circle, the sector as output, one row in ``every`` labeled."""
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    X = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.05 * rng.normal(size=(n, 2))
    truth = (np.arange(n) * q) // n
    y = np.where(np.arange(n) % every == 1, truth, -1)
    return X, y, truth


def flat_data(seed=0):
    return make_blobs(40, n_features=4, centers=3, cluster_std=3.0, random_state=seed)


@pytest.mark.parametrize("gamma_A", [1e-3, 0.1])
def test_flat_without_manifold_is_crammer_singer(gamma_A):
    """Against the primal over (w_y) by a general solver, and against liblinear."""
    X, y = flat_data()
    X = (X - X.mean(axis=0)) / X.std()
    model = StructuredLapSVC(
        kernel="linear", output=Flat(), gamma_A=gamma_A, gamma_I=0.0, tol=1e-9
    ).fit(X, y)
    W, xi = cp.Variable((4, 3)), cp.Variable(40, nonneg=True)
    f = X @ W
    true = cp.sum(cp.multiply(f, np.eye(3)[y]), axis=1)
    rules = [true[y != c] - f[y != c, c] >= 1 - xi[y != c] for c in range(3)]
    primal = cp.Problem(cp.Minimize(cp.sum(xi) / 40 + gamma_A * cp.sum_squares(W)), rules)
    primal.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10)
    assert model.solution_.primal == pytest.approx(primal.value, rel=1e-6)
    scores = model.decision_function(X)
    np.testing.assert_allclose(scores, X @ W.value, atol=1e-3)
    liblinear = LinearSVC(
        multi_class="crammer_singer", C=1 / (2 * gamma_A * 40), fit_intercept=False,
        tol=1e-8, max_iter=100_000,
    ).fit(X, y)  # fmt: skip
    np.testing.assert_allclose(scores, liblinear.decision_function(X), atol=1e-2)


@pytest.mark.parametrize("rescaling", ["slack", "margin"])
@pytest.mark.parametrize("solver", ["n-slack", "1-slack"])
def test_the_mean_slack_bounds_the_empirical_risk(rescaling, solver):
    rng = np.random.default_rng(1)
    X, y, _ = ring_data()
    y = np.where(y >= 0, rng.integers(0, 6, len(y)), -1)  # noise, so that the risk is not zero
    for gamma_A in (1e-3, 0.1, 1.0):
        model = StructuredLapSVC(
            output=Ring(6), rescaling=rescaling, gamma_A=gamma_A, regularizer=GRAPH, solver=solver
        ).fit(X, y)
        seen = y >= 0
        risk = structured_loss(y[seen], model.predict(X[seen]), Ring(6))
        assert risk <= model.solution_.slack.mean() + 1e-9
        assert risk == pytest.approx(-model.score(X, y))


@pytest.mark.parametrize(
    "output",
    [None, Flat(6), Ring(6), Ordinal(6), Grid(2, 3), Tree([6, 6, 7, 7, 8, 8, 9, 9, 9, -1])],
    ids=str,
)
def test_prediction_at_training_rows_is_the_transduction(output):
    X, y, truth = ring_data()
    model = StructuredLapSVC(output=output, regularizer=GRAPH).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), model.transduction_)
    np.testing.assert_array_equal(model.classes_, np.arange(6))
    scores = model.decision_function(X)
    np.testing.assert_array_equal(model.classes_[scores.argmax(axis=1)], model.transduction_)
    ranking = model.predict_ranking(X)
    np.testing.assert_array_equal(ranking[:, 0], model.transduction_)
    np.testing.assert_array_equal(np.sort(ranking, axis=1), np.tile(np.arange(6), (48, 1)))
    np.testing.assert_array_equal(model.predict_ranking(X, 2), ranking[:, :2])
    assert np.mean(model.transduction_ == truth) > 0.7
    assert model.solution_.optimality <= 2e-6
    assert model.coef_.shape == (48, 6)


def test_the_stored_objective_is_the_equation():
    """(1/l) Σ ξ + γ_A‖f‖² + (γ_I/n²) ⟨f, L f⟩, written out over the pairs."""
    X, y, _ = ring_data()
    model = StructuredLapSVC(
        kernel="rbf", output=Ring(6), regularizer=GRAPH, gamma_A=1e-3, gamma_I=2.0
    )
    model.fit(X, y)
    K_x, K_y = RBF("median").build(X)(X), Ring(6).build().kernel
    L_x = GRAPH.build(X).toarray()
    f = model.decision_function(X)
    alpha = model.coef_ @ np.linalg.pinv(model.outputs_.feature_map)  # coefficients over outputs
    np.testing.assert_allclose(K_x @ alpha @ K_y, f, atol=1e-8)
    ambient = np.sum(alpha * (K_x @ alpha @ K_y))
    intrinsic = np.sum(f * (L_x @ f))
    total = model.solution_.slack.mean() + 1e-3 * ambient + 2.0 / 48**2 * intrinsic
    assert model.solution_.primal == pytest.approx(total, rel=1e-8)


def test_label_sets_equal_enumeration():
    """L^X ⊗ (K^Y)⁺ over all 2^k outputs, against K̃^X ⊗ K^Y label by label."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3))
    Y = (X @ rng.normal(size=(3, 3)) > 0).astype(float)
    members = LabelSets(3).members()
    listed = LabelSets(3).listed()
    codes = (Y @ [1, 2, 4]).astype(int)
    hidden = np.arange(20) >= 9
    L = GRAPH.build(X).toarray()
    joint = np.kron(L, np.linalg.pinv(listed.kernel))
    common = {"gamma_A": 1e-2, "gamma_I": 5.0, "tol": 1e-9}
    for rescaling in ("slack", "margin"):
        sets = StructuredLapSVC(output=LabelSets(3), regularizer=L, rescaling=rescaling, **common)
        sets.fit(X, np.where(hidden[:, None], np.nan, Y))
        every = StructuredLapSVC(output=listed, regularizer=joint, rescaling=rescaling, **common)
        every.fit(X, np.where(hidden, -1, codes))
        assert sets.solution_.primal == pytest.approx(every.solution_.primal, rel=1e-6)
        scores = sets.decision_function(X) @ (2 * members - 1).T
        np.testing.assert_allclose(scores, every.decision_function(X), atol=1e-4)
        np.testing.assert_array_equal(sets.predict(X), members[every.predict(X)])


def test_label_sets_are_written_as_they_were_given():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 4))
    Y = np.where(X @ rng.normal(size=(4, 5)) > 0, 1, -1)
    model = StructuredLapSVC(output=LabelSets(5), regularizer=GRAPH)
    signed = model.fit(X, Y).predict(X)
    assert set(np.unique(signed)) == {-1, 1}
    binary = model.fit(X, (Y > 0).astype(int)).predict(X)
    np.testing.assert_array_equal(binary, signed > 0)
    assert binary.dtype.kind == "i"
    assert model.predict_ranking(X, 3).shape == (30, 3, 5)
    assert model.score(X, Y > 0) == pytest.approx(-np.mean(binary != (Y > 0)))
    with pytest.raises(ValueError, match="partly NaN"):
        partly = Y.astype(float)
        partly[0, 0] = np.nan
        model.fit(X, partly)
    with pytest.raises(ValueError, match="one per label"):
        model.fit(X, Y[:, :3])
    with pytest.raises(ValueError, match="0/1 or -1/1"):
        model.fit(X, 3 * Y)


@pytest.mark.parametrize("affinity", [None, np.array([[0, 1.0, 0], [1, 0, 2], [0, 2, 1]])])
def test_a_joint_kernel_that_is_a_product_gives_the_same_machine(affinity):
    X, y, _ = ring_data(n=24, q=3, every=3)
    K_y = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])
    output = OutputStructure(K_y, Ordinal(3).build().loss_matrix, affinity)
    common = {"output": output, "gamma_A": 1e-3, "gamma_I": 1.0, "regularizer": GRAPH, "tol": 1e-9}
    product = StructuredLapSVC(kernel=RBF(1.0), **common).fit(X, y)
    k = RBF(1.0)
    joint = JointKernel(lambda A, B: np.einsum("ij,ab->iajb", k(A, B), K_y))
    whole = StructuredLapSVC(kernel=joint, **common).fit(X, y)
    assert whole.solution_.primal == pytest.approx(product.solution_.primal, rel=1e-6)
    new = X[::5] + 0.1
    np.testing.assert_allclose(
        whole.decision_function(new), product.decision_function(new), atol=1e-3
    )
    np.testing.assert_array_equal(whole.predict(X), whole.transduction_)


def test_unlabeled_points_help():
    """Three concentric rings with one label each: the graph carries it round."""
    angle = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.vstack([radius * circle for radius in (1.0, 2.0, 3.0)])
    truth = np.repeat(np.arange(3), 40)
    hidden = ~np.isin(np.arange(120), [0, 53, 106])
    y = np.where(hidden, -1, truth)
    with_graph = StructuredLapSVC(
        kernel=RBF(0.5), output=Ordinal(3), regularizer=Laplacian(KNN(4))
    ).fit(X, y)
    without = clone(with_graph).set_params(gamma_I=0.0).fit(X, y)
    loss = [
        structured_loss(truth[hidden], m.transduction_[hidden], Ordinal(3))
        for m in (with_graph, without)
    ]
    assert loss[0] < 0.5 * loss[1]


def test_warm_start_gives_the_same_machine():
    X, y, truth = ring_data(n=60)
    model = StructuredLapSVC(output=Ring(6), regularizer=GRAPH, warm_start=True, tol=1e-8)
    for gamma_A, labels in ((1e-4, y), (2e-4, y), (2e-4, np.where(np.arange(60) % 5, -1, truth))):
        model.set_params(gamma_A=gamma_A).fit(X, labels)
        same = clone(model).set_params(warm_start=False, **model.selection_.choice)
        fresh = same.fit(X, labels)
        assert model.solution_.primal == pytest.approx(fresh.solution_.primal, rel=1e-5)
        np.testing.assert_array_equal(model.transduction_, fresh.transduction_)
    space = model.objective_.space
    model.fit(X, y)
    assert model.objective_.space is space  # the Gram matrix is the same object
    model.fit(X + 1.0, y)
    assert model.objective_.space is not space
    model.set_params(kernel=RBF(2.0)).fit(X, y)
    assert model.objective_.space is not space


def test_strings_and_missing_markers():
    names = ["a.b", "a.c", "d"]
    X, y = make_blobs(30, centers=3, random_state=0)
    labels = np.array(names, dtype=object)[y]
    labels[5:] = None
    labels[:3] = names
    X[:3] = [X[y == c].mean(axis=0) for c in range(3)]
    model = StructuredLapSVC(output=Tree(names), regularizer=GRAPH).fit(X, labels)
    assert model.classes_.tolist() == names
    assert set(model.predict(X)) <= set(names)
    with pytest.raises(ValueError, match="no output of the structure"):
        labels[0] = "e"
        model.fit(X, labels)


def test_minus_one_is_unlabeled_where_it_is_no_output():
    """y ⊂ {−1, 1} is ambiguous for a plain classifier, but not over Ring(4)."""
    X = np.arange(6.0)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = StructuredLapSVC(output=Ring(4)).fit(X, [1, -1, -1, 1, -1, -1])
    assert model.labeled_.tolist() == [True, False, False, True, False, False]


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"output": "ring"}, TypeError, "output structure"),
        ({"output": Ring}, TypeError, "output structure"),
        ({"rescaling": "both"}, ValueError, "'slack' or 'margin'"),
        ({"solver": "direct"}, ValueError, "n-slack"),
        ({"gamma_A": 0}, ValueError, "gamma_A"),
        ({"output": Ring(3)}, ValueError, "no output of the structure"),
        ({"regularizer": np.eye(7)}, ValueError, "7 rows"),
        ({"regularizer": -np.eye(48)}, ValueError, "positive semi-definite"),
        ({"regularizer": -np.eye(48 * 6)}, ValueError, "positive semi-definite"),
        (
            {
                "output": OutputStructure(np.eye(6), 1 - np.eye(6), np.ones((6, 6))),
                "regularizer": np.eye(48),
            },
            TypeError,
            "Laplacian",
        ),
    ],
)
def test_bad_parameters_say_what_is_wrong(parameters, error, message):
    X, y, _ = ring_data()
    with pytest.raises(error, match=message):
        StructuredLapSVC(**{"output": Ring(6), **parameters}).fit(X, y)


def test_sets_of_labels_have_no_joint_kernel():
    with pytest.raises(TypeError, match="LabelSets"):
        StructuredLapSVC(output=LabelSets(2), kernel=JointKernel(np.dot)).fit(
            np.eye(3), [[0, 1], [1, 0], [1, 1]]
        )


def test_weight_zero_is_unlabeled_and_weights_repeat_rows():
    X, y, truth = ring_data()
    model = StructuredLapSVC(output=Ring(6), regularizer=GRAPH, gamma_A=1e-2, tol=1e-9)
    weight = np.where(y >= 0, 1.0, 0.0)
    full = clone(model).fit(X, truth, sample_weight=weight)
    part = clone(model).fit(X, y)
    np.testing.assert_allclose(full.decision_function(X), part.decision_function(X), atol=1e-6)
    scaled = clone(model).fit(X, truth, sample_weight=7.0 * weight)
    np.testing.assert_allclose(scaled.decision_function(X), part.decision_function(X), atol=1e-6)


@pytest.mark.parametrize(
    "X",
    [
        np.ones((12, 2)),
        np.zeros((12, 2)),
        1e150 * np.arange(24.0).reshape(12, 2),
        1e-150 * np.arange(24.0).reshape(12, 2),
        np.repeat(np.arange(3.0), 4)[:, None],
        np.column_stack([np.arange(12.0), np.ones(12)]),
    ],
    ids=["equal", "zero", "huge", "tiny", "duplicates", "constant column"],
)
@pytest.mark.parametrize("rescaling", ["slack", "margin"])
def test_degenerate_points_have_a_defined_result(X, rescaling):
    y = np.array([0, 1, 2, -1] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = StructuredLapSVC(output=Ring(4), rescaling=rescaling).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert set(model.predict(X)) <= {0, 1, 2, 3}
    assert model.solution_.optimality < 1e-4


def test_two_points():
    model = StructuredLapSVC(output=Flat()).fit([[0.0], [1.0]], [0, 1])
    np.testing.assert_array_equal(model.predict([[0.0], [1.0]]), [0, 1])
    assert model.decision_function([[0.0]]).shape == (1,)


def test_grid_search_over_the_structure():
    X, _, truth = ring_data()
    search = GridSearchCV(
        make_pipeline(StandardScaler(), StructuredLapSVC(output=Ring(6), regularizer=GRAPH)),
        {
            "structuredlapsvc__output__loss": ["path", "half"],
        },
        scoring=structured_scorer(Ring(6)),
        cv=2,
    ).fit(X, truth)
    assert search.best_score_ <= 0
    assert search.predict(X).shape == (48,)


def test_precomputed_kernel_equals_the_kernel():
    X, y, _ = ring_data()
    common = {"output": Ring(6), "gamma_A": 1e-3, "gamma_I": 1.0, "regularizer": GRAPH, "tol": 1e-9}
    direct = StructuredLapSVC(kernel="linear", **common).fit(X, y)
    given = StructuredLapSVC(kernel="precomputed", **common).fit(X @ X.T, y)
    np.testing.assert_allclose(
        given.decision_function(X @ X.T), direct.decision_function(X), atol=1e-5
    )


@pytest.mark.parametrize("space", ["blockwise", "linear"])
def test_other_spaces_give_the_same_machine(space):
    X, y, _ = ring_data()
    common = {
        "kernel": "linear",
        "output": Ring(6),
        "regularizer": GRAPH,
        "gamma_A": 1e-2,
        "tol": 1e-8,
    }
    exact = StructuredLapSVC(gamma_I=1.0, **common).fit(X, y)
    other = StructuredLapSVC(gamma_I=1.0, space=space, **common).fit(X, y)
    np.testing.assert_allclose(other.decision_function(X), exact.decision_function(X), atol=1e-4)


@pytest.mark.parametrize("space", ["graph", GraphValues()])
def test_values_on_the_graph_without_a_graph_are_sections(space):
    """Values that nothing joins would be at chance: the fit is the exact one, as in LapRLS."""
    X, y, truth = ring_data()
    settings = {"kernel": RBF(0.5), "output": Ring(6), "gamma_A": 1e-3, "gamma_I": 0.0}
    found = StructuredLapSVC(space=space, **settings).fit(X, y)
    exact = StructuredLapSVC(space="exact", **settings).fit(X, y)
    np.testing.assert_allclose(found.decision_function(X), exact.decision_function(X), atol=1e-8)
    assert (found.transduction_ == truth).mean() > 0.7


@pytest.mark.parametrize("space", ["landmarks", "graph", "linear", GraphValues()])
def test_a_joint_kernel_has_no_other_space(space):
    X, y, _ = ring_data()
    joint = JointKernel(lambda A, B: np.einsum("ij,ab->iajb", A @ B.T, np.eye(6)))
    with pytest.raises(ValueError, match="does not go with a JointKernel"):
        StructuredLapSVC(kernel=joint, output=Ring(6), space=space).fit(X, y)


@pytest.mark.parametrize("output", [None, Flat(3), Ring(4)])
def test_new_rows_of_a_graph_are_answered_by_the_class_they_lie_in(output):
    X, truth = make_blobs([60, 60], centers=[[0, 0], [6, 6]], random_state=0)
    y = np.where(np.arange(120) % 20 == 0, truth, -1)
    fitted = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule"}
    model = StructuredLapSVC(**fitted, output=output, space="graph").fit(X, y)
    new = X + 0.01
    assert (model.predict(new) == truth).all()
    assert (model.classes_[model.predict_proba(new).argmax(axis=1)] == truth).all()
