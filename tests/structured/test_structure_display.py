"""Every structure draws itself: as many nodes as it has, joined where they are near."""

import matplotlib
import numpy as np
import pytest

from lapwing.inspection import OutputStructureDisplay
from lapwing.outputs import Flat, Grid, LabelSets, Ordinal, OutputStructure, Ring, Tree

matplotlib.use("Agg")

EDGES = [
    (Flat(4), 4, 0),
    (Flat(), 0, 0),
    (Ring(6), 6, 6),
    (Ring(2), 2, 1),
    (Ordinal(5), 5, 4),
    (Grid(2, 3), 6, 7),
    (Tree(["a.b", "a.c", "d"]), 5, 4),
    (OutputStructure(np.eye(3) + 0.1, 1 - np.eye(3)), 3, 3),
    (LabelSets(4), 4, 0),
]


@pytest.mark.parametrize(("structure", "nodes", "edges"), EDGES, ids=str)
def test_nodes_and_edges(structure, nodes, edges):
    display = OutputStructureDisplay.from_structure(structure).plot(title="outputs")
    assert len(display.nodes_.get_offsets()) == nodes
    assert len(display.edges_.get_segments()) == edges
    assert len(display.texts_) == nodes
    matplotlib.pyplot.close(display.figure_)


def test_values_color_the_nodes():
    display = OutputStructureDisplay.from_structure(Ring(5), np.arange(5)).plot(names=False)
    np.testing.assert_array_equal(display.nodes_.get_array(), np.arange(5))
    assert display.texts_ == []
    matplotlib.pyplot.close(display.figure_)


def test_errors():
    with pytest.raises(TypeError, match="Ring"):
        OutputStructureDisplay.from_structure("ring")
    with pytest.raises(ValueError, match="5 nodes"):
        OutputStructureDisplay.from_structure(Ring(5), np.arange(4))
    with pytest.raises(ValueError, match="positive integer"):
        OutputStructureDisplay.from_structure(Ring(-3))
