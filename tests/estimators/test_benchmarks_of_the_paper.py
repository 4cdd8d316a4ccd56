"""What the papers and the issue promise on shapes and digits."""

import numpy as np
import pytest

from lapwing import LapRLSClassifier, LapSVC, RegularizedSpectralClustering
from lapwing.datasets import load_digits, make_two_moons, make_two_spirals
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from problems import BY_RULE

SHAPES = [make_two_moons, make_two_spirals]


@pytest.mark.parametrize("make", SHAPES)
@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC])
@pytest.mark.parametrize("seed", range(20))
def test_one_label_per_class_is_enough(make, Model, seed):
    X, y, truth = make(random_state=seed)
    model = Model(kernel=RBF("local"), regularizer=Laplacian(KNN())).fit(X, y)
    np.testing.assert_array_equal(model.transduction_, truth)


@pytest.mark.parametrize("make", SHAPES)
@pytest.mark.parametrize("seed", range(20))
def test_shapes_are_clustered_without_a_label(make, seed):
    X, _, truth = make(random_state=seed)
    labels = RegularizedSpectralClustering().fit_predict(X)
    assert (labels == truth).all() or (labels != truth).all()


def test_digits_with_no_parameter_given():
    errors = []
    for seed in range(10):
        X, y, truth = load_digits(labels_per_class=5, random_state=seed)
        wrong = LapRLSClassifier(**BY_RULE).fit(X, y).transduction_ != truth
        errors.append(wrong[y == -1].mean())
    assert np.mean(errors) <= 0.06
