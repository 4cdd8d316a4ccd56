"""Text: a linear kernel on a large CSR matrix is solved in the primal, within a memory budget."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from lapwing import LapRLSClassifier, LapSVC
from lapwing.graphs import Given
from lapwing.regularizers import Laplacian
from problems import BY_RULE

N, WORDS, PER_ROW = 50_000, 20_000, 40  # 0.2 % filled: 2 million entries
BUDGET = 120 * 2**20  # X is 23 MiB; dense it were 7.5 GiB, its Gram matrix 18.6 GiB


def documents(n=N, words=WORDS, seed=0):
    """Four topics, each preferring its own quarter of the words; 200 labels; a chain as graph."""
    rng = np.random.default_rng(seed)
    topic = np.sort(rng.integers(0, 4, n))
    own = rng.random((n, PER_ROW)) < 0.7
    word = np.where(
        own,
        rng.integers(0, words // 4, (n, PER_ROW)) + topic[:, None] * (words // 4),
        rng.integers(0, words, (n, PER_ROW)),
    )
    rows = np.arange(0, n * PER_ROW + 1, PER_ROW)
    X = sp.csr_matrix((rng.random(n * PER_ROW), word.ravel(), rows), shape=(n, words))
    X.sum_duplicates()
    i = np.arange(n - 1)
    W = sp.csr_array((np.ones(n - 1), (i, i + 1)), shape=(n, n))
    y = np.full(n, -1)
    labeled = rng.choice(n, 200, replace=False)
    y[labeled] = topic[labeled]
    return X, y, topic, W + W.T


def test_primal_within_budget():
    X, y, topic, W = documents()
    model = LapRLSClassifier(
        kernel="linear",
        regularizer=Laplacian(Given(W)),
        gamma_A=1e-3,
        gamma_I=1e-3 * N,
        fit_intercept=True,
        space="linear",
    )
    tracemalloc.start()
    try:
        model.fit(X, y)
        predicted = model.predict(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < BUDGET, f"{peak / 2**20:.0f} MiB"
    assert model.coef_.shape == (WORDS, 4)
    assert sp.issparse(model.objective_.space.space.Z)
    assert model.solution_.status.name == "CONVERGED" and model.solution_.optimality <= 1e-8
    assert (predicted == topic).mean() > 0.4  # 0.25 by chance
    np.testing.assert_array_equal(predicted, model.transduction_)


def test_primal_is_the_exact_solution():
    """The same documents, few enough for the Gram matrix."""
    X, y, _, W = documents(n=300, words=200)
    settings = {"kernel": "linear", "regularizer": Laplacian(Given(W)), "gamma_A": 1e-1}
    for estimator in (LapRLSClassifier, LapSVC):
        primal = estimator(space="linear", **settings).fit(X, y)
        exact = estimator(space="exact", **settings).fit(X, y)
        np.testing.assert_allclose(
            primal.decision_function(X), exact.decision_function(X), atol=1e-6
        )


def test_the_dual_says_what_it_needs(monkeypatch):
    """The hinge needs one function per labeled point, which is checked before it is allocated."""
    X, y, _, W = documents(n=300, words=200)
    monkeypatch.setattr("lapwing.linalg.memory.available_bytes", lambda: 100_000)
    model = LapSVC(
        **BY_RULE | {"kernel": "linear", "space": "linear", "regularizer": Laplacian(Given(W))}
    )
    with pytest.raises(MemoryError, match="200 labeled points"):
        model.fit(X, y)
