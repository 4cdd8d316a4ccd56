"""A small problem with related targets, some rows unlabeled."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    W = rng.normal(size=(4, 3))
    Y = np.sin(X @ W) + 0.1 * rng.normal(size=(80, 3)) + np.array([0.0, 1.0, -2.0])
    Y[:, 2] = 0.7 * Y[:, 1] + 0.3 * Y[:, 2]
    y = Y.copy()
    y[rng.permutation(80)[:40]] = np.nan
    return X, y, Y
