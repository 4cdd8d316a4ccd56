"""Each penalty is the prox, the dual and the conjugate of itself."""

import numpy as np
import pytest

from lapwing_papers.baselines.cluster_norm import SquaredClusterNorm
from lapwing_papers.baselines.dirty_norm import DirtyNorm, project_rows
from lapwing_papers.baselines.penalties import Entrywise, Nuclear, RowLength

PENALTIES = [
    Entrywise(0.7),
    RowLength(0.7),
    DirtyNorm(0.7, np.inf),
    DirtyNorm(0.7, 0.4),
    DirtyNorm(0.7, 0.2),
    DirtyNorm(0.2, 0.7),
    Nuclear(0.7),
    SquaredClusterNorm(0.7, 0.3, 2),
    SquaredClusterNorm(0.7, 0.01, 1),
]
SHAPES = [(5, 4), (2, 4), (1, 1), (6, 2)]


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("penalty", PENALTIES, ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("step", [0.1, 1.0, 10.0])
def test_prox_is_the_fenchel_equality(penalty, shape, step, rng):
    """V = prox(W) if and only if G = (W − V)/step is a subgradient: Ω(V) + Ω*(G) = ⟨G, V⟩."""
    W = rng.normal(size=shape) * 2
    V = penalty.prox(W, step)
    G = (W - V) / step
    assert penalty.shrink(G) == pytest.approx(1.0, abs=1e-9)
    gap = penalty.value(V) + penalty.conjugate(G) - np.sum(G * V)
    assert gap == pytest.approx(0.0, abs=1e-9 * (1 + penalty.value(V)))


@pytest.mark.parametrize("penalty", PENALTIES, ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("shape", SHAPES)
def test_fenchel_inequality(penalty, shape, rng):
    for _ in range(20):
        V, G = rng.normal(size=(2, *shape)) * rng.uniform(0.01, 10)
        G = penalty.shrink(G) * G
        assert penalty.value(V) + penalty.conjugate(G) >= np.sum(G * V) - 1e-9
    assert penalty.value(np.zeros(shape)) == 0.0


@pytest.mark.parametrize("bound", [np.inf, 0.6, 0.3, 0.1])
def test_projection_on_the_l1_ball_within_a_box(bound, rng):
    W = rng.normal(size=(50, 4)) * rng.uniform(0, 3, size=(50, 1))
    P = project_rows(W, 1.0, bound)
    assert (np.abs(P).sum(axis=1) <= 1 + 1e-12).all()
    assert (np.abs(P) <= bound).all()
    for _ in range(50):  # the angle criterion of a projection against points of the ball
        Z = np.clip(rng.normal(size=W.shape), -bound, bound)
        Z /= np.maximum(np.abs(Z).sum(axis=1, keepdims=True), 1.0)
        assert (((W - P) * (Z - P)).sum(axis=1) <= 1e-9).all()
    np.testing.assert_array_equal(project_rows(np.zeros((2, 3)), 1.0, bound), 0.0)


@pytest.mark.parametrize("shared, own", [(0.7, 0.4), (0.7, 0.2), (0.2, 0.7), (1.0, 0.5)])
def test_the_dirty_norm_takes_the_cheapest_parts(shared, own, rng):
    W = rng.normal(size=(6, 4))
    penalty = DirtyNorm(shared, own)
    B, S = penalty.parts(W)
    np.testing.assert_allclose(B + S, W)
    for _ in range(300):
        other = B + rng.normal(size=W.shape) * rng.uniform(0, 1)
        cost = shared * np.abs(other).max(axis=1).sum() + own * np.abs(W - other).sum()
        assert penalty.value(W) <= cost + 1e-12


def test_cluster_norm_is_the_minimum_over_the_box(rng):
    penalty = SquaredClusterNorm(2.0, 0.3, 2)
    s = np.sort(rng.uniform(0, 3, size=5))[::-1]
    best = penalty.value(np.diag(s))
    for _ in range(500):
        theta = rng.uniform(0, 1, size=5)
        theta = 0.3 + theta * min(1.0, 2 / theta.sum())
        assert best <= np.sum(s**2 / theta) + 1e-9
