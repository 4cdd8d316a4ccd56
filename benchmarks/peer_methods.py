"""The methods of compare_peers.py: (X, y) ↦ answers at the rows of X, predict or None, a note.

What is timed is the call; predicting comes after. Each imports what it needs, so that a peer may
run in an interpreter without Lapwing.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np


def lapwing(name: str, **given):
    """An estimator with nothing given, or with parameters by name."""

    def run(X, y):
        import lapwing as package

        model = getattr(package, name)(**{key: make() for key, make in given.items()}).fit(X, y)
        note = f"certificate {model.solution_.optimality:.0e}"
        return model.transduction_, model.predict, note

    return run


def _of(value):
    return lambda: value


def _laplacian(**options):
    def make():
        from lapwing.graphs import KNN
        from lapwing.regularizers import Laplacian

        return Laplacian(KNN(**options), degree=2)

    return make


GIVEN = {
    "kernel": _of("rbf"),
    "gamma_A": _of("rule"),
    "gamma_I": _of("10*rule"),
    "fit_intercept": _of(False),
}


def spreading(kind: str, **options):
    def run(X, y):
        from sklearn import semi_supervised

        model = getattr(semi_supervised, kind)(**options).fit(X, y)
        return model.transduction_, (model.predict if len(X) <= 20_000 else None), ""

    return run


def spreading_on_our_graph(X, y):
    from sklearn.semi_supervised import LabelSpreading

    from lapwing.graphs import KNN

    def weights(A, B):
        return KNN(6).build(A).W

    return LabelSpreading(weights, max_iter=100).fit(X, y).transduction_, None, ""


def supervised(X, y):
    from sklearn.svm import SVC

    model = SVC().fit(X[y >= 0], y[y >= 0])
    return model.predict(X), model.predict, ""


def self_training(X, y):
    from sklearn.semi_supervised import SelfTrainingClassifier
    from sklearn.svm import SVC

    model = SelfTrainingClassifier(SVC(probability=True)).fit(X, y)
    return model.predict(X), model.predict, ""


def graphlearning(kind: str):
    def run(X, y):
        import graphlearning as gl

        rows = np.flatnonzero(y >= 0)
        model = getattr(gl.ssl, kind)(gl.weightmatrix.knn(X, 10))
        return model.fit_predict(rows, y[rows]), None, ""

    return run


def search_alone(X, y):
    """The neighbors that our graph needs, and nothing else."""
    from lapwing.graphs.search import nearest

    nearest(X, 6)
    return None, None, ""


def cholesky(X, y):
    """The floor of exact methods: one float64 factor of order n."""
    import scipy.linalg

    A = X @ X.T
    A.flat[:: len(A) + 1] += len(A)
    scipy.linalg.cho_factor(A, overwrite_a=True, check_finite=False)
    return None, None, ""


def product(X, y):
    """The floor of an exact search: all products, in blocks of float32."""
    Z = X.astype(np.float32)
    for start in range(0, len(Z), 2000):
        Z[start : start + 2000] @ Z.T
    return None, None, ""


def sparse_product(X, y):
    """The floor of a search among documents: X Xᵀ in blocks with the ten largest of each row."""
    T = X.T.tocsr()
    for start in range(0, X.shape[0], 500):
        block = (X[start : start + 500] @ T).tocsr()
        for a, b in zip(block.indptr[:-1], block.indptr[1:], strict=True):
            if b - a > 10:
                np.argpartition(block.data[a:b], -10)
    return None, None, ""


def targets(count: int):
    def run(X, y):
        from lapwing import LapRLSRegressor

        Y = np.random.default_rng(0).normal(size=(len(y), count))
        Y[y < 0] = np.nan
        LapRLSRegressor(regularizer=_laplacian()(), space="exact", **_made(GIVEN)).fit(X, Y)
        return None, None, ""

    return run


def _made(given: dict) -> dict:
    return {key: make() for key, make in given.items()}


def in_fresh_process(code: str):
    """A process that starts, imports and works: what somebody at a prompt waits for."""

    def run(X, y):
        subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)
        return None, None, ""

    return run


FRESH = """
import numpy as np, lapwing
X = np.random.default_rng(0).normal(size=(2000, 30)); X[:1000] += 3
y = np.full(2000, -1); y[:5], y[-5:] = 0, 1
lapwing.LapRLSClassifier(kernel="rbf", regularizer="laplacian", gamma_A="rule", gamma_I="rule",
                         fit_intercept=False).fit(X, y)
"""

METHODS = {
    "LapRLSClassifier": lapwing("LapRLSClassifier"),
    "LapSVC": lapwing("LapSVC"),
    "LapLogisticClassifier": lapwing("LapLogisticClassifier"),
    "LapRLS, given": lapwing("LapRLSClassifier", regularizer=_laplacian(n_neighbors=6), **GIVEN),
    "LapRLS, exact": lapwing(
        "LapRLSClassifier", regularizer=_laplacian(), space=_of("exact"), **GIVEN
    ),
    "LapSVC, exact": lapwing("LapSVC", regularizer=_laplacian(), space=_of("exact"), **GIVEN),
    "LapSVC, text": lapwing(
        "LapSVC", regularizer=_laplacian(metric="cosine"), **{**GIVEN, "kernel": _of("linear")}
    ),
    "1 target": targets(1),
    "100 targets": targets(100),
    "LabelSpreading, our graph": spreading_on_our_graph,
    "LabelSpreading knn": spreading("LabelSpreading", kernel="knn", n_neighbors=10, max_iter=100),
    "LabelPropagation knn": spreading(
        "LabelPropagation", kernel="knn", n_neighbors=10, max_iter=1000
    ),
    "LabelSpreading rbf": spreading("LabelSpreading", kernel="rbf", gamma=0.02, max_iter=100),
    "SelfTraining": self_training,
    "SVC on the labels": supervised,
    "graphlearning Laplace": graphlearning("laplace"),
    "graphlearning Poisson": graphlearning("poisson"),
    "floor: search": search_alone,
    "floor: Cholesky": cholesky,
    "floor: X Xᵀ": product,
    "floor: sparse X Xᵀ": sparse_product,
    "fresh process, n = 2000": in_fresh_process(FRESH),
    "floor: import sklearn": in_fresh_process("import sklearn.svm, sklearn.neighbors"),
}
DENSE = ("LabelSpreading rbf", "floor: Cholesky", "SelfTraining")
