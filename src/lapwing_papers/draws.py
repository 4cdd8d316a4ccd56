"""The random choices of all experiments: seeds, labeled rows, splits."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import numpy as np


def seed_of(name: str, repetition: int, seed: int = 0) -> int:
    """A seed of its own for each experiment and repetition, the same in every process.

    Examples
    --------
    >>> seed_of("mr-table5", 0) == seed_of("mr-table5", 0)
    True
    >>> seed_of("mr-table5", 0) == seed_of("mr-table5", 1)
    False
    """
    entropy = [seed, zlib.crc32(name.encode()), repetition]
    return int(np.random.SeedSequence(entropy).generate_state(1)[0])


def labeled_rows(truth: np.ndarray, per_class: Mapping | int, rng) -> np.ndarray:
    """So many rows of each class, ascending.

    Parameters
    ----------
    truth : array of shape (n,)
    per_class : int, or mapping of class to int
    rng : numpy Generator or seed
    """
    rng = np.random.default_rng(rng)
    if not isinstance(per_class, Mapping):
        per_class = dict.fromkeys(np.unique(truth).tolist(), per_class)
    chosen = [
        rng.choice(np.flatnonzero(truth == c), k, replace=False) for c, k in per_class.items()
    ]
    return np.sort(np.concatenate(chosen))


def hidden_but(truth: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """y with the labels of these rows, and −1 elsewhere."""
    y = np.full(len(truth), -1)
    y[rows] = truth[rows]
    return y


def labels_with_every_class(truth: np.ndarray, count: int, rng) -> np.ndarray:
    """``count`` rows drawn at random, drawn again until every class is among them."""
    rng = np.random.default_rng(rng)
    classes = len(np.unique(truth))
    if count < classes:
        raise ValueError(f"{count} labels cannot hold all of {classes} classes.")
    while True:
        rows = rng.choice(len(truth), count, replace=False)
        if len(np.unique(truth[rows])) == classes:
            return np.sort(rows)
