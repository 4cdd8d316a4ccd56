"""What a dense graph needs is said before it is allocated, within a factor of 1.5."""

import tracemalloc

import numpy as np
import pytest

from lapwing.graphs import KNN, Complete, Distances, Radius
from lapwing.linalg import memory
from naming import stable

X = np.random.default_rng(0).normal(size=(3000, 5))


def peak_of(graph, points=X):
    tracemalloc.start()
    graph.build(points)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def said_by(graph, monkeypatch, points=X):
    """The figure the guard would refuse, in bytes."""
    asked = []
    for module in ("complete", "radius"):
        monkeypatch.setattr(
            f"lapwing.graphs.{module}.require_bytes", lambda needed, *_: asked.append(needed)
        )
    graph.build(points)
    assert len(asked) == 1
    return asked[0]


@pytest.mark.parametrize(
    "graph",
    [
        Complete(),
        Complete(weight="binary"),
        Complete(weight="self-tuning"),
        Complete(metric="manhattan"),
        Complete(weight="cosine"),
        Radius(4.0),
        Radius(100.0),
        Radius(4.0, weight="self-tuning"),
        Radius(100.0, metric="manhattan"),
    ],
    ids=stable,
)
def test_the_guard_is_honest(graph, monkeypatch):
    ratio = peak_of(graph) / said_by(graph, monkeypatch)
    assert 1 / 1.5 < ratio < 1.5


@pytest.mark.parametrize("graph", [Complete(), Radius(10.0)], ids=stable)
def test_what_does_not_fit_is_refused_with_a_remedy(graph, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 10 * 2**20)
    with pytest.raises(MemoryError, match=r"needs about .* KNN\(\)"):
        graph.build(X)
    KNN().build(X)


def test_few_pairs_fit(monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 10 * 2**20)
    assert Radius(0.5).build(X).W.nnz < 3000 * 30


def test_sizes_are_told():
    W = Radius(0.5).build(X[:100])
    assert repr(W) == (
        f"WeightedGraph(n=100, edges={W.W.nnz // 2}, components={W.components.max() + 1}, "
        f"isolated={(W.degrees == 0).sum()})"
    )
    assert repr(Distances(np.zeros((4, 4)))) == "Distances(n=4)"
