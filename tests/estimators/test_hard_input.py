"""Odd labels, hard settings, wrong names: a defined result, or one clear error before the work."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from lapwing import (
    LapRLSClassifier,
    LapSVC,
    RegularizedSpectralClustering,
    VectorValuedRegressor,
)
from lapwing.graphs import KNN, Graph
from lapwing.regularizers import Laplacian
from problems import BY_RULE, Problem

P = Problem(0)


class Unwanted(Graph):
    """A graph that must not be built."""

    def build(self, X):
        raise AssertionError("the graph was built before the parameters were checked")


@pytest.mark.parametrize(
    ("estimator", "says"),
    [
        (LapRLSClassifier(**BY_RULE | {"space": "foo"}), "space='foo' is unknown"),
        (LapRLSClassifier(**BY_RULE | {"space": "linear"}), "needs kernel='linear'"),
        (LapRLSClassifier(**BY_RULE | {"solver": "foo"}), "solver='foo' is unknown"),
        (LapRLSClassifier(**BY_RULE | {"solver": "dual"}), "Dual needs a DualLoss"),
        (LapSVC(**BY_RULE | {"solver": "newton"}), "Newton needs a SmoothLoss"),
        (LapSVC(**BY_RULE | {"loss": "foo"}), "loss='foo'"),
        (LapRLSClassifier(**BY_RULE | {"fit_intercept": "no"}), "fit_intercept='no'"),
        (LapRLSClassifier(**BY_RULE | {"max_iter": 0}), "max_iter=0"),
        (VectorValuedRegressor(solver="foo"), "solver='foo' is unknown"),
    ],
    ids=lambda v: v if isinstance(v, str) else type(v).__name__,
)
def test_wrong_names_fail_before_the_graph(estimator, says):
    estimator.set_params(regularizer=Laplacian(Unwanted()))
    y = P.target if isinstance(estimator, VectorValuedRegressor) else P.y
    with pytest.raises((ValueError, TypeError), match=says):
        estimator.fit(P.X, y)


@pytest.mark.parametrize(
    "labels", [[("a", 1), ("b", 2)], ["a", 3], [{"a"}, {"b"}]], ids=["tuples", "mixed", "sets"]
)
def test_labels_of_no_kind(labels):
    y = np.empty(P.n, dtype=object)
    y[:] = [labels[i % 2] for i in range(P.n)]
    with pytest.raises(ValueError, match="Unknown label type"):
        LapRLSClassifier(**BY_RULE).fit(P.X, y)


def test_label_warning_points_at_the_caller():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        LapRLSClassifier(**BY_RULE).fit(P.X, 2 * P.truth - 1)
    assert [w.filename for w in caught] == [__file__]


@pytest.mark.parametrize("convert", [pd.DataFrame, np.ndarray.tolist])
def test_regularizer_as_any_matrix(convert):
    M = Laplacian(KNN()).build(P.X).toarray()
    expected = (
        LapRLSClassifier(**BY_RULE | {"regularizer": M}).fit(P.X, P.y).decision_function(P.new)
    )
    given = (
        LapRLSClassifier(**BY_RULE | {"regularizer": convert(M)})
        .fit(P.X, P.y)
        .decision_function(P.new)
    )
    assert_allclose(given, expected)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_low_rank_gram_matrix_at_tiny_ambient_weight(intercept):
    """The null space of K fills with rounding errors; f itself must not."""
    params = {"kernel": "linear", "gamma_A": 1e-7, "gamma_I": 1e4, "fit_intercept": intercept}
    gram, primal = (
        LapRLSClassifier(**BY_RULE | {"space": space, **params})
        .fit(P.X, P.y)
        .decision_function(P.new)
        for space in ("exact", "linear")
    )
    assert_allclose(gram, primal, rtol=0, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-20, 1e20])
def test_hinge_does_not_depend_on_the_unit(scale):
    """At γ_A ∝ k(x, x) the linear model on s·X is the same function."""
    one = LapSVC(**BY_RULE | {"kernel": "linear"}).fit(P.X, P.y)
    other = LapSVC(**BY_RULE | {"kernel": "linear"}).fit(scale * P.X, P.y)
    assert_allclose(other.decision_function(scale * P.new), one.decision_function(P.new), atol=1e-6)


@pytest.mark.parametrize("n_clusters", [2, 3])
def test_equal_points_have_no_clusters(n_clusters):
    with pytest.raises(ValueError, match="independent mean-free functions"):
        RegularizedSpectralClustering(n_clusters).fit(np.ones((20, 2)))
