"""Two moons and two spirals. Only the shape of the data separates these classes."""

import numpy as np
from sklearn.datasets import make_moons
from sklearn.utils import check_random_state

from ..types import RandomState
from .labels import keep_labels


def make_two_moons(
    n_samples: int = 200,
    *,
    noise: float = 0.05,
    labels_per_class: int = 1,
    random_state: RandomState = None,
):
    """Two interleaved half circles (MR Figs. 2, 3, 9).

    Parameters
    ----------
    n_samples : int, default=200
    noise : float, default=0.05
        Standard deviation of the noise on each coordinate.
    labels_per_class : int, default=1
        How many labels each class keeps in y.
    random_state : int, RandomState or None
        The seed of the random draws.

    Returns
    -------
    X : array of shape (n, 2)
    y : integer array of shape (n,)
        ``labels_per_class`` labels of each class, −1 elsewhere.
    truth : integer array of shape (n,)

    Examples
    --------
    >>> X, y, truth = make_two_moons(100, random_state=0)
    >>> X.shape, int((y != -1).sum())
    ((100, 2), 2)
    """
    draw = check_random_state(random_state)
    X, truth = make_moons(n_samples, noise=noise, random_state=draw)
    return X, keep_labels(truth, labels_per_class, draw), truth


def make_two_spirals(
    n_samples: int = 400,
    *,
    turns: float = 1.5,
    noise: float = 0.01,
    labels_per_class: int = 1,
    random_state: RandomState = None,
):
    """Two spiral arms around each other, with evenly spaced points on each arm (MR Fig. 10).

    Parameters
    ----------
    n_samples : int, default=400
    turns : float, default=1.5
        The number of turns of each arm.
    noise : float, default=0.01
        Standard deviation of the noise on each coordinate.
    labels_per_class : int, default=1
        How many labels each class keeps in y.
    random_state : int, RandomState or None
        The seed of the random draws.

    Returns
    -------
    X : array of shape (n, 2)
    y : integer array of shape (n,)
        ``labels_per_class`` labels of each class, −1 elsewhere.
    truth : integer array of shape (n,)

    Examples
    --------
    >>> X, y, truth = make_two_spirals(100, random_state=0)
    >>> X.shape, int((y != -1).sum())
    ((100, 2), 2)
    """
    draw = check_random_state(random_state)
    # the arc length along r = φ grows like φ², so equal steps in φ² give even spacing
    phi = 2 * np.pi * turns * np.sqrt(np.linspace(0.04, 1.0, n_samples - n_samples // 2))
    arm = np.column_stack([phi * np.cos(phi), phi * np.sin(phi)]) / (2 * np.pi * turns)
    X = np.vstack([arm, -arm[: n_samples // 2]])
    X += noise * draw.standard_normal(X.shape)
    truth = np.repeat([0, 1], [len(arm), n_samples // 2])
    return X, keep_labels(truth, labels_per_class, draw), truth
