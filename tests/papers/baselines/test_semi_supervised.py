"""Graph cuts, co-training and the multi-label comparators: the mathematics each promises."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import eigh
from sklearn.naive_bayes import GaussianNB

from lapwing.datasets import make_multi_view, make_two_moons
from lapwing.graphs import KNN
from lapwing_papers.baselines import (
    SMSE2,
    ConstrainedNMF,
    CoTrainingClassifier,
    KCCAClassifier,
    SpectralGraphTransducer,
)
from lapwing_papers.baselines.multilabel_graph import _label_weights, normalized
from lapwing_papers.baselines.semi_supervised import labeled_mask
from lapwing_papers.baselines.transducer import _on_the_sphere, smooth_functions

rng = np.random.default_rng(0)


def test_markers_of_unlabeled_rows():
    assert labeled_mask([1, -1, 0]).tolist() == [True, False, True]
    assert labeled_mask([1.0, np.nan]).tolist() == [True, False]
    assert labeled_mask(np.array(["a", None, "b"], dtype=object)).tolist() == [True, False, True]


def test_the_minimum_on_the_sphere_is_the_global_one():
    A = rng.normal(size=(6, 6))
    G, g, radius = A @ A.T, rng.normal(size=6), 3.0
    w = _on_the_sphere(G, g, radius)
    assert np.linalg.norm(w) == pytest.approx(radius)
    value = w @ G @ w - 2 * g @ w
    for _ in range(2000):
        v = rng.normal(size=6)
        v *= radius / np.linalg.norm(v)
        assert value <= v @ G @ v - 2 * g @ v + 1e-9


def test_smooth_functions_avoid_root_degree_and_keep_the_pieces():
    W = KNN(3).build(np.concatenate([rng.normal(size=(15, 2)), 50 + rng.normal(size=(12, 2))])).W
    degrees = np.asarray(W.sum(axis=1)).ravel()
    V = smooth_functions(W, 4)
    np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-9)
    np.testing.assert_allclose(V.T @ np.sqrt(degrees), 0.0, atol=1e-9)
    # two pieces: the first function tells them apart, at no cost
    S = np.eye(27) - normalized(W).toarray()
    assert V[:, 0] @ S @ V[:, 0] == pytest.approx(0.0, abs=1e-9)
    assert np.ptp(np.sign(V[:15, 0])) == 0 and np.sign(V[0, 0]) != np.sign(V[-1, 0])


def test_the_transducer_cuts_between_the_moons():
    for seed in range(3):
        X, y, truth = make_two_moons(200, labels_per_class=2, random_state=seed)
        model = SpectralGraphTransducer(graph=KNN(8), n_eigenvectors=10).fit(X, y)
        assert (model.transduction_ == truth).mean() > 0.97


def test_co_training_uses_both_views():
    gains = []
    for seed in range(4):
        X, y, truth, views = make_multi_view(300, labels_per_class=4, random_state=seed)
        known = y != -1
        alone = GaussianNB().fit(X[known][:, views[0]], y[known]).predict(X[:, views[0]])
        model = CoTrainingClassifier(views, estimator=GaussianNB(), random_state=0).fit(X, y)
        gains.append((model.transduction_ == truth).mean() - (alone == truth).mean())
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert np.mean(gains) > 0.03


def test_co_training_keeps_the_given_labels_and_counts_rows():
    X, y, _, views = make_multi_view(60, labels_per_class=3, random_state=1)
    seen = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            seen.append(len(y))
            return super().fit(X, y)

    before = y.copy()
    CoTrainingClassifier(views, estimator=Spy(), n_rounds=3, pool=20, random_state=0).fit(X, y)
    np.testing.assert_array_equal(y, before)  # the caller's labels are not touched
    assert seen[0] == 6 and 6 + 3 * 2 <= seen[-1] <= 6 + 3 * 4


def test_canonical_correlations_of_linear_kernels_are_the_classical_ones():
    X, Y = rng.normal(size=(80, 4)), None
    Y = np.column_stack([X[:, 0] + rng.normal(size=80), rng.normal(size=80), X[:, 1]])
    found = KCCAClassifier(kernel="linear", ridge=0.0).fit(X, Y).correlations_
    Xc, Yc = X - X.mean(0), Y - Y.mean(0)
    qx, qy = np.linalg.qr(Xc)[0], np.linalg.qr(Yc)[0]
    np.testing.assert_allclose(found, np.linalg.svd(qx.T @ qy)[1][:3], atol=1e-6)


def test_kcca_ignores_unlabeled_rows_and_ranks():
    X = rng.normal(size=(60, 3))
    truth = (X[:, :2] > 0).astype(float)
    Y = truth.copy()
    Y[30:] = np.nan
    scores = KCCAClassifier(kernel="linear").fit(X, Y).decision_function(X)
    again = KCCAClassifier(kernel="linear").fit(X[:30], Y[:30]).decision_function(X)
    np.testing.assert_allclose(scores, again, atol=1e-8)
    for j in range(2):
        assert scores[truth[:, j] == 1, j].mean() > scores[truth[:, j] == 0, j].mean() + 0.3


def test_smse2_solves_its_sylvester_equation():
    X = rng.normal(size=(25, 2))
    Y = np.full((25, 3), np.nan)
    Y[:8] = rng.integers(0, 2, (8, 3))
    Y[0], Y[1] = 1, 0
    F = SMSE2(graph=KNN(4), mu=2.0, nu=0.5).fit(X, Y).scores_
    L = np.eye(25) - normalized(KNN(4).build(X).W).toarray()
    H = np.eye(3) - normalized(sp.csr_array(_label_weights(Y[:8]))).toarray()
    rhs = np.zeros((25, 3))
    rhs[:8] = 2 * Y[:8] - 1
    np.testing.assert_allclose(F + 2.0 * L @ F + 0.5 * F @ H, rhs, atol=1e-6)
    assert eigh(H, eigvals_only=True)[0] > -1e-9


def test_constrained_factors_stay_non_negative_and_keep_the_labels():
    X = np.concatenate([rng.normal(size=(15, 2)), 4 + rng.normal(size=(15, 2))])
    Y = np.full((30, 2), np.nan)
    Y[:3], Y[15:18] = (1, 0), (0, 1)
    model = ConstrainedNMF().fit(X, Y)
    T = model.scores_
    assert (T >= 0).all()
    np.testing.assert_array_equal(T[[0, 1, 2, 15, 16, 17]], Y[[0, 1, 2, 15, 16, 17]])
    assert (T[3:15, 0] > T[3:15, 1]).all() and (T[18:, 1] > T[18:, 0]).all()


def test_nothing_labeled_is_an_error():
    with pytest.raises(ValueError, match="labeled"):
        SMSE2().fit(rng.normal(size=(5, 2)), np.full((5, 2), np.nan))


@pytest.mark.parametrize("model", [SMSE2(), ConstrainedNMF(), KCCAClassifier()])
def test_labels_of_one_column_are_refused(model):
    with pytest.raises(ValueError, match="one column per label"):
        model.fit(rng.normal(size=(5, 2)), np.array([0.0, 1, 0, 1, np.nan]))


def test_a_matrix_is_no_vector_of_classes():
    with pytest.raises(ValueError, match="1d array"):
        SpectralGraphTransducer().fit(rng.normal(size=(6, 2)), np.zeros((6, 2)))


def test_views_that_are_no_columns_are_refused():
    with pytest.raises(ValueError, match="selects no columns"):
        CoTrainingClassifier([("a", "rbf", slice(0, 2))]).fit(np.ones((6, 4)), [0, 1, -1] * 2)


def test_missing_labels_of_nullable_columns():
    y = pytest.importorskip("pandas").array([0, 1, None], dtype="Int64")
    np.testing.assert_array_equal(labeled_mask(y), [True, True, False])
