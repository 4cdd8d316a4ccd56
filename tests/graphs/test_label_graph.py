"""Graphs between targets: correlations over what was seen, and given weights."""

import numpy as np
import pytest

from lapwing.graphs import KNN, Given, correlation_weights, label_laplacian
from lapwing.graphs.labels import column_distances
from lapwing.outputs import OutputGraph

rng = np.random.default_rng(0)
Y = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 4)) + np.array([1e3, 0.0, -5.0, 1.0])
ALL = np.ones((40, 1), dtype=bool)


def test_is_numpys_correlation():
    expected = np.abs(np.corrcoef(Y.T))
    np.fill_diagonal(expected, 0.0)
    np.testing.assert_allclose(correlation_weights(Y, ALL), expected, atol=1e-9)


def test_only_rows_where_both_are_seen_count():
    observed = rng.random(Y.shape) < 0.7
    W = correlation_weights(Y, observed)
    for j in range(4):
        for k in range(j):
            both = observed[:, j] & observed[:, k]
            expected = abs(np.corrcoef(Y[both, j], Y[both, k])[0, 1])
            assert W[j, k] == pytest.approx(expected, abs=1e-9) == W[k, j]
    hidden = np.where(observed, Y, 1e9)  # what is not observed is not read
    np.testing.assert_array_equal(correlation_weights(hidden, observed), W)


def test_constant_and_lonely_targets_are_isolated():
    constant = np.column_stack([Y, np.full(40, 7.0)])
    W = correlation_weights(constant, ALL)
    assert not W[4].any() and W[:4, :4].any()
    lonely = np.ones((40, 4), dtype=bool)
    lonely[1:, 3] = False
    assert not correlation_weights(Y, lonely)[3].any()


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_scale_does_not_matter(scale):
    np.testing.assert_allclose(
        correlation_weights(scale * Y, ALL), correlation_weights(Y, ALL), atol=1e-9
    )


def test_laplacian_is_half_the_double_sum():
    """MT eq. 5 prints the double sum, which is twice the trace of eq. 3."""
    L, W = label_laplacian("correlation", Y, ALL), correlation_weights(Y, ALL)
    M = rng.normal(size=(5, 4))
    double = sum(W[j, k] * np.sum((M[:, j] - M[:, k]) ** 2) for j in range(4) for k in range(4))
    assert 2 * np.trace(M @ L @ M.T) == pytest.approx(double)
    given = label_laplacian(W, Y, ALL)
    np.testing.assert_allclose(given, L)


def test_graphs_between_outputs_are_said_in_one_way():
    """label_graph takes graphs, OutputGraph matrices and "correlation"; both mean the same."""
    W = correlation_weights(Y, ALL)
    np.testing.assert_allclose(label_laplacian(Given(W), Y, ALL), label_laplacian(W, Y, ALL))
    neighbors = KNN(2).build(column_distances(Y, ALL))
    expected = np.diag(neighbors.degrees) - neighbors.W.toarray()
    np.testing.assert_allclose(label_laplacian(KNN(2), Y, ALL), expected)
    same = [OutputGraph(0.7, graph=g).matrix(Y, ALL) for g in (W, Given(W), "correlation")]
    np.testing.assert_allclose(same[1], same[0])
    np.testing.assert_allclose(same[2], same[0])
    with pytest.raises(ValueError, match="3 vertices"):
        label_laplacian(Given(np.ones((3, 3))), Y, ALL)
    with pytest.raises(TypeError, match="expected 'correlation'"):
        label_laplacian(OutputGraph(0.5), Y, ALL)
