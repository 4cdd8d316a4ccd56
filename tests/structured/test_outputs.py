"""Output structures: kernels are PSD, losses are the distances they claim, oracles are exact."""

import numpy as np
import pytest
from sklearn.base import clone

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
from lapwing.outputs.label_sets import cheapest_subsets
from lapwing.testing import check_outputs

LISTED = {
    "flat": Flat(3),
    "ring of one": Ring(1),
    "ring of two": Ring(2),
    "even ring": Ring(6),
    "odd ring": Ring(7, loss="half"),
    "ordinal": Ordinal(5),
    "grid": Grid(3, 4),
    "tree": Tree({"b": "a", "c": "a", "d": "b", "e": "b", "a": None}),
    "all nodes": Tree({"b": "a", "c": "a", "d": "b", "e": "b"}, outputs="all", root=True),
    "forest": Tree([-1, 0, 0, -1, 3, 3]),
    "given": OutputStructure(np.eye(2), [[0, 4], [1, 0]], [[0, 1], [1, 0]]),
}


@pytest.mark.parametrize("name", LISTED)
def test_features_factor_the_kernel(name):
    outputs = LISTED[name].build()
    np.testing.assert_allclose(
        outputs.feature_map @ outputs.feature_map.T, outputs.kernel, atol=1e-10
    )
    assert np.linalg.eigvalsh(outputs.kernel).min() > -1e-10
    assert np.all(np.diagonal(outputs.loss_matrix) == 0)
    off = ~np.eye(len(outputs.classes), dtype=bool)
    assert np.all(outputs.loss_matrix[off] > 0)


@pytest.mark.parametrize("name", [n for n in LISTED if n != "ring of one"])
def test_contract(name):
    check_outputs(LISTED[name], np.eye(len(LISTED[name].build().classes)))


@pytest.mark.parametrize("k", [1, 3, 40])
def test_contract_of_label_sets(k):
    check_outputs(LabelSets(k), np.random.default_rng(k).integers(0, 2, (50, k)))


@pytest.mark.parametrize("name", [n for n in LISTED if n != "given"])
def test_losses_are_metrics(name):
    d = LISTED[name].build().loss_matrix
    np.testing.assert_array_equal(d, d.T)
    assert np.all(d[:, None, :] <= d[:, :, None] + d[None, :, :] + 1e-12)


@pytest.mark.parametrize("name", LISTED)
def test_layouts_draw_what_the_loss_measures(name):
    layout = LISTED[name].layout()
    assert len(layout.positions) == len(layout.names)
    assert np.isfinite(layout.positions).all()
    assert len({tuple(p) for p in np.round(layout.positions, 9)}) == len(layout.positions)
    clone(LISTED[name])


def test_even_rings_are_singular_and_odd_ones_are_not():
    for n in range(3, 12):
        smallest = Ring(n).build().directions[1].min()
        assert (smallest == 0) == (n % 2 == 0)


def test_ring_and_grid_losses_are_shortest_paths():
    from scipy.sparse.csgraph import shortest_path

    for structure in (Ring(7), Ordinal(5), Grid(3, 4)):
        layout, outputs = structure.layout(), structure.build()
        m = len(layout.names)
        A = np.zeros((m, m))
        A[tuple(layout.edges.T)] = 1.0
        np.testing.assert_array_equal(shortest_path(A + A.T, unweighted=True), outputs.loss_matrix)


def test_tree_loss_is_half_the_path_and_the_kernel_counts_ancestors():
    from scipy.sparse.csgraph import shortest_path

    tree = Tree({"b": "a", "c": "a", "d": "b", "e": "b"}, outputs="all", root=True)
    outputs = tree.build()
    names = outputs.classes.tolist()
    A = np.zeros((5, 5))
    for child, parent in tree.parents.items():
        A[names.index(child), names.index(parent)] = 1.0
    path = shortest_path(A + A.T, unweighted=True)
    np.testing.assert_allclose(outputs.loss_matrix, path / 2)
    d, e, c = names.index("d"), names.index("e"), names.index("c")
    assert outputs.kernel[d, d] == 3  # d, b, a
    assert outputs.kernel[d, e] == 2  # b, a
    assert outputs.kernel[d, c] == 1  # a
    without = Tree(tree.parents, outputs="all").build()
    np.testing.assert_allclose(without.kernel, outputs.kernel - 1)


class Directed:
    """What Tree reads of a networkx.DiGraph."""

    def __init__(self, edges):
        self.edges = edges
        self.nodes = list(dict.fromkeys(node for edge in edges for node in edge))

    def predecessors(self, node):
        return iter([above for above, below in self.edges if below == node])


def test_a_tree_can_be_written_in_four_ways():
    names = ["x.a", "x.b", "y"]
    dotted = Tree(names).build()
    as_dict = Tree({"x.a": "x", "x.b": "x", "y": None, "x": None}).build()
    edges = [("root", "x"), ("x", "x.a"), ("x", "x.b"), ("root", "y")]
    as_graph = Tree(Directed(edges)).build()
    indices = Tree([3, 3, -1, -1]).build()
    assert as_dict.classes.tolist() == as_graph.classes.tolist() == names
    assert indices.classes.tolist() == [0, 1, 2]
    for other in (as_dict, as_graph, indices):
        np.testing.assert_allclose(other.kernel, dotted.kernel)
        np.testing.assert_allclose(other.loss_matrix, dotted.loss_matrix)


def test_networkx_graphs_are_trees():
    nx = pytest.importorskip("networkx")
    graph = nx.DiGraph([("root", "x"), ("x", "a"), ("x", "b"), ("root", "y")])
    assert sorted(Tree(graph).build().classes) == ["a", "b", "y"]
    with pytest.raises(TypeError, match="directed"):
        Tree(graph.to_undirected()).build()


def test_graphs_that_are_no_trees():
    with pytest.raises(ValueError, match="2 parents"):
        Tree(Directed([("a", "c"), ("b", "c")])).build()


def test_dotted_names_skip_prefixes_without_a_choice():
    outputs = Tree(["a.b.c.d", "a.b.c.e", "f.g"]).build()
    assert outputs.loss_matrix[0, 1] == 1.0
    assert outputs.loss_matrix[0, 2] == 1.5  # d – a.b.c – root – f.g


@pytest.mark.parametrize(
    ("structure", "error", "message"),
    [
        (Ring(0), ValueError, "positive integer"),
        (Ring(2.5), ValueError, "positive integer"),
        (Ring(4, loss="loop"), ValueError, "'path' or 'half'"),
        (Grid(0, 2), ValueError, "n_rows"),
        (Tree({}), ValueError, "dict"),
        (Tree({"a": "b", "b": "a"}), ValueError, "cycle"),
        (Tree(["a", 1]), TypeError, "names"),
        (Tree(["a", "a"]), ValueError, "differ"),
        (Tree([1, 5]), ValueError, "no node"),
        (Tree(["a", "b"], outputs="roots"), ValueError, "'leaves' or 'all'"),
        (Flat(), ValueError, "labels"),
        (LabelSets(0), ValueError, "positive integer"),
        (OutputStructure([[1, 2], [2, 1]], np.zeros((2, 2))), ValueError, "positive semi-definite"),
        (OutputStructure(np.eye(2), np.eye(2)), ValueError, "zero diagonal"),
        (OutputStructure(np.eye(2), -np.ones((2, 2))), ValueError, "non-negative"),
        (OutputStructure(np.eye(2), np.zeros((3, 3))), ValueError, "shape"),
        (OutputStructure(np.eye(2), np.zeros((2, 2))), ValueError, "no confusion costs"),
        (OutputStructure(np.eye(2), [[0, 1], [1, 0]], [[0, 1], [2, 0]]), ValueError, "symmetric"),
    ],
)
def test_bad_structures_say_what_is_wrong(structure, error, message):
    with pytest.raises(error, match=message):
        structure.build()


@pytest.mark.parametrize("rescaling", ["slack", "margin"])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_label_sets_oracle_equals_enumeration(k, rescaling):
    """Label by label against all 2^k outputs: the worst set, the best set, and the ranking."""
    rng = np.random.default_rng(k)
    sets, listed = LabelSets(k).build(), LabelSets(k).listed().build()
    members = LabelSets(k).members()
    signs = 2.0 * members - 1.0
    codes = rng.integers(0, 2**k, 40)
    F = rng.normal(scale=0.4, size=(40, k))
    F_listed = F @ signs.T  # the scores f(y) = ⟨λ(y), F⟩ of the listed outputs
    worst, xi = sets.separate(F, members[codes], rescaling)
    _, xi_listed = listed.separate(F_listed, listed.indicator(codes), rescaling)
    np.testing.assert_allclose(xi, xi_listed, atol=1e-10)
    delta = sets.loss(members[codes], worst)
    rise = ((2 * worst - 1) * F).sum(axis=1) - (signs[codes] * F).sum(axis=1)
    attained = delta * (1 + rise) if rescaling == "slack" else delta + rise
    np.testing.assert_allclose(attained, xi, atol=1e-10)
    best = listed.decode(F_listed).argmax(axis=1)
    np.testing.assert_array_equal(sets.decode(F), members[best])
    ranking = sets.rank(F, None)
    scores = np.einsum("mrk,mk->mr", 2.0 * ranking - 1.0, F)
    np.testing.assert_allclose(scores, -np.sort(-(F @ signs.T), axis=1), atol=1e-10)
    np.testing.assert_allclose(
        sets.worst_loss(members[codes]), listed.worst_loss(listed.indicator(codes))
    )


def test_many_labels_are_never_listed():
    sets = LabelSets(200).build()
    rng = np.random.default_rng(0)
    F, Y = rng.normal(size=(3, 200)), rng.integers(0, 2, (3, 200)).astype(float)
    _, xi = sets.separate(F, Y, "slack")
    assert np.all(xi > 0)
    top = sets.rank(F, 4)
    assert top.shape == (3, 4, 200)
    scores = np.einsum("mrk,mk->mr", 2.0 * top - 1.0, F)
    assert np.all(np.diff(scores, axis=1) <= 1e-12)
    with pytest.raises(ValueError, match="n_best"):
        sets.rank(F, None)
    with pytest.raises(ValueError, match="too many to list"):
        LabelSets(200).listed()


def test_cheapest_subsets_come_in_order():
    cost = np.random.default_rng(1).uniform(size=6)
    rows = cheapest_subsets(cost, 64)
    assert len({tuple(row) for row in rows}) == 64
    assert np.all(np.diff(rows @ cost) >= -1e-12)


def test_joint_kernels_are_checked():
    X = np.ones((2, 1))
    with pytest.raises(ValueError, match="expected"):
        JointKernel(lambda X, Z: X @ Z.T)(X, X)
    with pytest.raises(ValueError, match="axes 1 and 3"):
        JointKernel(lambda X, Z: np.ones((2, 3, 2, 4)))(X, X)
