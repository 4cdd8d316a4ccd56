"""The door to matplotlib, and how points come into the plane."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing.inspection import EmbeddingDisplay
from lapwing.inspection.canvas import load
from lapwing.inspection.labels import read_labels
from lapwing.inspection.points import COLORS, MARKERS, color, marker
from lapwing.inspection.positions import check_positions, in_the_plane


def test_importing_lapwing_and_computing_needs_no_matplotlib():
    code = """
import sys
sys.modules["matplotlib"] = None
import numpy as np
from lapwing.inspection import EmbeddingDisplay
display = EmbeddingDisplay.from_embedding(np.eye(2))
try:
    display.plot()
except ImportError as error:
    assert 'pip install "lapwing-learn[plot]"' in str(error), error
else:
    raise AssertionError("no ImportError")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_a_missing_module_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"lapwing-learn\[plot\]"):
        EmbeddingDisplay.from_embedding(np.eye(2)).plot()
    assert load("matplotlib").__name__ == "matplotlib"


def test_one_and_two_columns_are_taken_as_they_are():
    X = np.arange(6.0).reshape(3, 2)
    assert_allclose(in_the_plane(X)[0], X)
    assert_allclose(in_the_plane(sp.csr_array(X))[0], X)
    assert_allclose(in_the_plane(X[:, :1])[0], [[0, 0], [2, 0], [4, 0]])


def test_more_columns_keep_the_distances_of_a_plane():
    rng = np.random.default_rng(0)
    plane = rng.standard_normal((30, 2))
    frame = np.linalg.qr(rng.standard_normal((7, 2)))[0]
    positions, axis = in_the_plane(plane @ frame.T + 5.0)
    distances = np.linalg.norm(positions[:, None] - positions, axis=2)
    assert_allclose(distances, np.linalg.norm(plane[:, None] - plane, axis=2), atol=1e-10)
    assert axis == "principal component"


def test_sparse_rows_are_projected_on_singular_directions():
    X = sp.random_array((40, 12), density=0.3, rng=np.random.default_rng(0), format="csr")
    positions, axis = in_the_plane(X)
    singular = np.linalg.svd(X.toarray(), compute_uv=False)[:2]
    assert_allclose(np.linalg.norm(positions, axis=0), singular, rtol=1e-6)
    assert axis == "singular direction"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("n", [1, 2, 5])
def test_equal_points_lie_on_one_place(n):
    X = np.full((n, 4), 3.0)
    assert_allclose(in_the_plane(X)[0], np.zeros((n, 2)), atol=1e-12)
    sparse = in_the_plane(sp.csr_array(X))[0]
    assert sparse.shape == (n, 2)
    assert_allclose(sparse, np.tile(sparse[0], (n, 1)), atol=1e-12)
    assert_allclose(in_the_plane(sp.csr_array(0.0 * X))[0], np.zeros((n, 2)))


def test_positions_are_checked():
    with pytest.raises(ValueError, match=r"\(n, 2\), got \(2, 3\)"):
        check_positions(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="3 positions for 4 points"):
        check_positions(np.zeros((3, 2)), 4)
    with pytest.raises(ValueError, match="NaN"):
        check_positions([[0.0, np.nan]])


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        ([2, -1, 5, 2], [2, 5], [0, -1, 1, 0]),
        (np.array(["b", None, "a", "b"], dtype=object), ["a", "b"], [1, -1, 0, 1]),
        ([0.0, np.nan, 1.0, 1.0], [0.0, 1.0], [0, -1, 1, 1]),
        (None, [], [-1, -1, -1, -1]),
        ([-1, -1, -1, -1], [], [-1, -1, -1, -1]),
    ],
)
def test_labels_of_every_coding(y, classes, codes):
    labels = read_labels(y, 4)
    assert list(labels.classes) == classes
    assert labels.codes.tolist() == codes


def test_labels_are_checked():
    with pytest.raises(ValueError, match="2 labels for 3 points"):
        read_labels([0, 1], 3)
    with pytest.raises(ValueError, match="y holds 7, but the classes are 0, 1"):
        read_labels([0, 7], 2, [0, 1])


def test_classes_differ_in_color_or_marker():
    pairs = {(color(c), marker(c)) for c in range(len(COLORS) * len(MARKERS))}
    assert len(pairs) == len(COLORS) * len(MARKERS)
