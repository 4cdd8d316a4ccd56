"""The output kernel of VV eq. 16: its limits, its norm, isolated outputs, missing entries."""

import numpy as np
import pytest

from lapwing.graphs import KNN, Given
from lapwing.graphs.labels import column_distances
from lapwing.outputs import OutputGraph

rng = np.random.default_rng(0)
Y = np.sign(rng.standard_normal((40, 6)))
W = np.array([[0, 1, 0.5, 0], [1, 0, 2, 0], [0.5, 2, 0, 0], [0, 0, 0, 0]], dtype=float)


def test_gamma_O_moves_from_the_identity_to_the_pseudo_inverse():
    np.testing.assert_array_equal(OutputGraph(0.0).matrix(Y), np.eye(6))
    ends = OutputGraph(1.0).matrix(Y)
    np.testing.assert_allclose(OutputGraph(0.3).matrix(Y), 0.3 * ends + 0.7 * np.eye(6), atol=1e-12)
    assert np.linalg.eigvalsh(ends).min() > -1e-12


def test_the_norm_at_one_is_the_graph_energy():
    """cᵀQ^†c = ½ Σ W_ij (c_i/√d_i − c_j/√d_j)² on the component, plus c² of the isolated output."""
    Q, d = OutputGraph(1.0, graph=Given(W)).matrix(Y[:, :4]), W.sum(axis=1)
    c = rng.standard_normal(4)
    c[:3] -= np.sqrt(d[:3]) * (np.sqrt(d[:3]) @ c[:3]) / d[:3].sum()
    u = c[:3] / np.sqrt(d[:3])
    energy = 0.5 * np.sum(W[:3, :3] * (u[:, None] - u) ** 2) + c[3] ** 2
    np.testing.assert_allclose(c @ np.linalg.pinv(Q) @ c, energy, rtol=1e-10)
    # functions with Σ √d_i f_i ≠ 0 do not belong to the space
    np.testing.assert_allclose(Q @ np.append(np.sqrt(d[:3]), 0.0), 0.0, atol=1e-12)


def test_an_isolated_output_keeps_its_own_model():
    Q = OutputGraph(1.0, graph=Given(W)).matrix(Y[:, :4])
    np.testing.assert_allclose(Q[3], [0, 0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(OutputGraph(1.0).matrix(Y[:, :1]), [[1.0]])


def test_permuted_outputs_permute_the_kernel():
    order = rng.permutation(6)
    real = rng.standard_normal((40, 6))  # no ties between neighbors
    Q = OutputGraph(0.8, graph=KNN(2)).matrix(real)
    permuted = OutputGraph(0.8).matrix(real[:, order])
    np.testing.assert_allclose(permuted, Q[np.ix_(order, order)], atol=1e-10)


def test_distances_use_the_rows_where_both_columns_are_observed():
    observed = np.ones_like(Y, dtype=bool)
    observed[30:] = False  # unlabeled rows do not count
    np.testing.assert_allclose(
        column_distances(Y, observed).matrix, column_distances(Y[:30]).matrix, atol=1e-12
    )
    observed[:15, 0], observed[15:30, 1] = False, False  # columns 0 and 1 share no row
    D = column_distances(Y, observed).matrix
    both = slice(0, 15)
    expected = np.sqrt(30 / 15 * np.sum((Y[both, 1] - Y[both, 2]) ** 2))
    np.testing.assert_allclose(D[1, 2], expected)
    assert np.isfinite(D).all() and D[0, 1] == D[~np.eye(6, dtype=bool)].max()


@pytest.mark.parametrize("columns", [np.zeros((5, 3)), np.ones((1, 2)), np.zeros((4, 1))])
def test_constant_columns_have_a_kernel(columns):
    Q = OutputGraph(0.5).matrix(columns)
    assert np.isfinite(Q).all() and np.linalg.eigvalsh(Q).min() > 0


@pytest.mark.parametrize(
    ("parameters", "error", "text"),
    [
        ({"gamma_O": 1.5}, ValueError, "from 0 to 1"),
        ({"gamma_O": -0.1}, ValueError, "from 0 to 1"),
        ({"gamma_O": "big"}, ValueError, "from 0 to 1"),
        ({"n_neighbors": 0}, ValueError, "positive number"),
        ({"graph": W}, ValueError, r"shape \(6, 6\)"),
        ({"graph": object()}, TypeError, r"Given\(W\)"),
        ({"graph": "angles"}, ValueError, "'correlation'"),
        ({"graph": Given(W)}, ValueError, "4 vertices"),
    ],
)
def test_bad_parameters_are_named(parameters, error, text):
    with pytest.raises(error, match=text):
        OutputGraph(**parameters).matrix(Y)
