"""A Gram matrix computed in float32 is welcome, as in scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing import LapRLSClassifier, LapSVC, RegularizedSpectralClustering
from lapwing.datasets import make_two_moons
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from problems import BY_RULE

X, Y, TRUTH = make_two_moons(120, labels_per_class=3, random_state=0)
K = RBF(0.4)(X)


@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC])
def test_it_gives_the_answer_of_float64(Model):
    common = {
        "kernel": "precomputed",
        "regularizer": Laplacian(KNN(8)),
        "gamma_A": 1e-3,
        "fit_intercept": True,
    }
    exact = Model(**common).fit(K, Y).decision_function(K)
    single = Model(**common).fit(K.astype(np.float32), Y)
    assert single.objective_.space.space.gram.dtype == np.float64
    assert_allclose(single.decision_function(K.astype(np.float32)), exact, atol=1e-3)


def test_clustering_takes_it_too():
    labels = RegularizedSpectralClustering(kernel="precomputed").fit_predict(K.astype(np.float32))
    assert (labels == TRUTH).all() or (labels != TRUTH).all()


def test_rounding_asymmetry_is_averaged_out():
    noisy = K + 1e-10 * np.triu(np.ones_like(K), 1)
    gram = (
        LapRLSClassifier(**BY_RULE | {"kernel": "precomputed"})
        .fit(noisy, Y)
        .objective_.space.space.gram
    )
    assert (gram == gram.T).all()
