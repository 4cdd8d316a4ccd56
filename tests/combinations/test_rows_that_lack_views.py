"""Rows that lack a view, in every estimator that takes a kernel: as with the Gram matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing import (
    LapRLSRegressor,
    LapSVC,
    LSMRRegressor,
    MultiViewKernel,
    RegularizedLaplacianEigenmaps,
    RegularizedSpectralClustering,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.outputs import OutputGraph, Ring, Tree
from lapwing.regularizers import Laplacian

rng = np.random.default_rng(1)
N = 36
X = rng.standard_normal((N, 4))
X[[3, 17], :2] = np.nan
X[[5, 30], 2:] = np.nan
VIEWS = [("a", RBF(1.0), [0, 1]), ("b", RBF(1.5), [2, 3])]
KERNEL = MultiViewKernel(VIEWS, gammas=0.5, lam=0.4)
FULL = np.nan_to_num(X)
SEEN = np.arange(N) < 12
REAL = np.where(SEEN, FULL[:, 0] - FULL[:, 2], np.nan)
BOTH = np.column_stack([REAL, np.where(SEEN, FULL[:, 1], np.nan)])
LABELS = np.where(np.isnan(BOTH), np.nan, BOTH > 0)
CODES = np.where(SEEN, np.arange(N) % 4, -1)
LEAVES, TREE = np.where(SEEN, CODES + 3, -1), Tree([-1, 0, 0, 1, 1, 2, 2])
GIVEN = {"regularizer": Laplacian(KNN(5)), "gamma_A": 1e-2, "gamma_I": 2.0}

MODELS = [
    (StructuredLapSVC(output=Ring(4), tol=1e-8, **GIVEN), CODES),
    (StructuredLapSVC(output=TREE, tol=1e-8, **GIVEN), LEAVES),
    (VectorValuedRegressor(output_kernel=OutputGraph(0.5, 1), **GIVEN), BOTH),
    (
        VectorValuedClassifier(loss="logistic", output_kernel=None, fit_intercept=True, **GIVEN),
        LABELS,
    ),
    (LSMRRegressor(n_components=6, regularizer=GIVEN["regularizer"], gamma_I=1.0), BOTH),
    (SSSLRegressor(n_components=6), BOTH),
    (LapSVC(fit_intercept=True, **GIVEN), CODES),
    (LapRLSRegressor(fit_intercept=False, **GIVEN), REAL),
]


@pytest.mark.parametrize(("model", "y"), MODELS, ids=lambda part: type(part).__name__)
def test_the_gram_matrix_says_the_same(model, y):
    """The kernel fits itself on X; a graph sees its distances, as with a Gram matrix."""
    model.set_params(kernel=KERNEL).fit(X, y)
    ours = model.objective_.space.element(model.solution_.coef).readout
    gram = MultiViewKernel(VIEWS, gammas=0.5, lam=0.4).fit(X)
    theirs = type(model)(**model.get_params(deep=False) | {"kernel": "precomputed"})
    theirs.fit(gram(X), y)
    expected = theirs.objective_.space.element(theirs.solution_.coef).readout
    assert_allclose(ours, expected, atol=1e-5 * np.abs(expected).max())
    assert_allclose(model.predict(X[:6]), theirs.predict(gram(X[:6], X)), atol=1e-5)


@pytest.mark.parametrize("Model", [RegularizedSpectralClustering, RegularizedLaplacianEigenmaps])
def test_clusters_and_embeddings(Model):
    ours = Model(kernel=KERNEL).fit(X)
    theirs = Model(kernel="precomputed").fit(KERNEL.fit(X)(X))
    assert_allclose(np.abs(ours.embedding_), np.abs(theirs.embedding_), atol=1e-6)


def test_what_is_auto_is_the_rule():
    model = LapSVC(kernel=KERNEL).fit(X, CODES)
    assert "the rule holds" in model.selection_.reason
    assert (model.predict(X)[SEEN] == CODES[SEEN]).mean() > 0.9


def test_other_kernels_still_refuse_gaps():
    with pytest.raises(ValueError, match="contains NaN"):
        LapSVC(kernel=RBF(1.0)).fit(X, CODES)
    with pytest.raises(ValueError, match="Row 0 is NaN in 1 of the 2 columns"):
        broken = X.copy()
        broken[0, 0] = np.nan
        LapSVC(kernel=KERNEL).fit(broken, CODES)
