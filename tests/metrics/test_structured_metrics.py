"""Structured losses agree with their definitions; SO's F1 is of the averages."""

import numpy as np
import pytest
from sklearn.metrics import precision_score, recall_score

from lapwing.metrics.structured import (
    macro_precision_recall_f1,
    ring_loss,
    structured_loss,
    tree_loss,
    zero_one_loss,
)
from lapwing.outputs import Flat, LabelSets, Ordinal, Ring

RNG = np.random.default_rng(0)
A, B = RNG.integers(0, 7, 50), RNG.integers(0, 7, 50)


def test_ring_loss_is_the_shorter_way_round():
    steps = np.abs(A - B)
    assert ring_loss(A, B, 7) == pytest.approx(np.minimum(steps, 7 - steps).mean())
    assert ring_loss(A, B, 7, half=True) == pytest.approx(ring_loss(A, B, 7) / 2)


def test_zero_one_is_the_flat_loss():
    assert zero_one_loss(A, B) == structured_loss(A, B, Flat()) == np.mean(A != B)
    sets = RNG.integers(0, 2, (20, 3)), RNG.integers(0, 2, (20, 3))
    assert zero_one_loss(*sets) == np.mean((sets[0] != sets[1]).any(axis=1))


def test_weights_average():
    w = RNG.uniform(size=50)
    expected = np.average(np.abs(A - B), weights=w)
    assert structured_loss(A, B, Ordinal(7), sample_weight=w) == pytest.approx(expected)


def test_hamming_loss_of_sets():
    P, Q = RNG.integers(0, 2, (20, 5)), RNG.integers(0, 2, (20, 5))
    assert structured_loss(P, Q, LabelSets(5)) == pytest.approx(np.mean(P != Q))


def test_tree_loss_counts_half_of_the_path():
    parents = {"b": "a", "c": "a", "d": "b", "e": "b"}
    assert tree_loss(["d", "d", "d"], ["d", "e", "c"], parents) == pytest.approx((0 + 1 + 1.5) / 3)


def test_f1_is_of_the_macro_averages():
    P, R, F1 = macro_precision_recall_f1(A, B)
    assert pytest.approx(precision_score(A, B, average="macro")) == P
    assert pytest.approx(recall_score(A, B, average="macro")) == R
    assert pytest.approx(2 * P * R / (P + R)) == F1
    assert macro_precision_recall_f1([0, 0], [1, 1], labels=[0, 1])[2] == 0.0


def test_errors():
    with pytest.raises(ValueError, match="no output"):
        structured_loss([0, 1], [0, 9], Ring(4))
    with pytest.raises(ValueError, match="columns"):
        structured_loss([0, 1], [0, 1], LabelSets(2))
    with pytest.raises(ValueError, match="at least one row"):
        structured_loss(np.zeros(0, dtype=int), np.zeros(0, dtype=int), Ring(3))


@pytest.mark.parametrize(
    "loss",
    [
        zero_one_loss,
        lambda y, z: structured_loss(y, z, Ordinal(7)),
        lambda y, z: ring_loss(y, z, 7),
        lambda y, z: structured_loss(np.eye(7)[y], np.eye(7)[z], LabelSets(7)),
    ],
)
@pytest.mark.parametrize("answer", [[0], [0, 1], [0, 1, 1, 1]])
def test_nothing_is_broadcast(loss, answer):
    with pytest.raises(ValueError, match=r"y_true has shape \(3.*one output per row"):
        loss([0, 1, 1], answer)
