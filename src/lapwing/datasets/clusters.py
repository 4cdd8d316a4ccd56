"""Generated data with a known structure: Gaussian clusters, rings, trees, views and targets."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.stats import norm
from sklearn.utils import check_random_state

from ..types import RandomState
from .labels import keep_labels


def make_gaussian_clusters(
    n_samples: int = 550,
    *,
    n_features: int = 50,
    error: float = 0.05,
    labels_per_class: int = 25,
    random_state: RandomState = None,
):
    """Two spherical Gaussians with a known Bayes error. The default is the data set g50c.

    The means are ±μ along the diagonal. Φ(−‖μ‖) = error, where Φ is the normal distribution
    function.

    Parameters
    ----------
    n_samples, n_features : int
    error : float, default=0.05
        The Bayes error.
    labels_per_class : int, default=25
        The number of labels of each class in y.
    random_state : int, RandomState or None
        The seed of the random draws.

    Returns
    -------
    X : array of shape (n, n_features)
    y : integer array of shape (n,), −1 where unlabeled
    truth : integer array of shape (n,)

    References
    ----------
    Chapelle, Zien 2005, *Semi-Supervised Classification by Low Density Separation* (g50c).

    Examples
    --------
    >>> X, y, truth = make_gaussian_clusters(random_state=0)
    >>> X.shape, int((y != -1).sum())
    ((550, 50), 50)
    """
    draw = check_random_state(random_state)
    truth = np.arange(n_samples) % 2
    center = -norm.ppf(error) / np.sqrt(n_features)
    X = (
        draw.standard_normal((n_samples, n_features))
        + np.where(truth == 1, center, -center)[:, None]
    )
    order = draw.permutation(n_samples)
    X, truth = X[order], truth[order]
    return X, keep_labels(truth, labels_per_class, draw), truth


def make_ring(
    n_outputs: int = 10,
    per_output: int = 20,
    *,
    noise: float = 0.05,
    labels_per_class: int = 1,
    random_state: RandomState = None,
):
    """Points on a closed curve in space. The curve is cut into arcs, one arc per output.

    The outputs form a ring. The gap between two arcs is a quarter of their length.

    Parameters
    ----------
    n_outputs, per_output : int, default=10 and 20
        The number of arcs, and the number of points on each arc.
    noise : float, default=0.05
        Standard deviation of the noise on each coordinate.
    labels_per_class : int, default=1
        The number of labels of each arc in y.
    random_state : int, RandomState or None
        The seed of the random draws.

    Returns
    -------
    X : array of shape (n_outputs · per_output, 3)
    y, truth : integer arrays, outputs 0 … n_outputs − 1 in ring order; y is −1 where unlabeled

    Examples
    --------
    >>> X, y, truth = make_ring(10, 20, random_state=0)
    >>> X.shape, int(truth.max())
    ((200, 3), 9)
    """
    draw = check_random_state(random_state)
    truth = np.repeat(np.arange(n_outputs), per_output)
    within = draw.uniform(0.125, 0.875, len(truth))
    angle = 2 * np.pi * (truth + within) / n_outputs
    X = np.column_stack([np.cos(angle), np.sin(angle), 0.3 * np.cos(2 * angle)])
    X += noise / n_outputs * draw.standard_normal(X.shape)
    return X, keep_labels(truth, labels_per_class, draw), truth


def make_tree(
    branching: Sequence[int] = (3, 2),
    per_leaf: int = 30,
    *,
    n_features: int = 10,
    labels_per_class: int = 1,
    random_state: RandomState = None,
):
    """Gaussian clusters whose centers form a tree. Siblings are near each other.

    The center of a node is the center of its parent plus a random step. The steps are half as long
    on each further level. Leaves have names such as ``"0.1"``. ``Tree(sorted(set(truth)))`` is the
    tree.

    Parameters
    ----------
    branching : sequence of int, default=(3, 2)
        The number of children of each node, level by level.
    per_leaf : int, default=30
        The number of points of each leaf.
    n_features : int, default=10
    labels_per_class : int, default=1
        The number of labels of each leaf in y.
    random_state : int, RandomState or None
        The seed of the random draws.

    Returns
    -------
    X : array of shape (n, n_features)
    y, truth : object arrays of leaf names; y is None where unlabeled

    Examples
    --------
    >>> X, y, truth = make_tree((2, 2), 10, random_state=0)
    >>> sorted(set(truth))
    ['0.0', '0.1', '1.0', '1.1']
    """
    draw = check_random_state(random_state)
    centers: dict[str, np.ndarray] = {"": np.zeros(n_features)}
    step = 4.0
    for children in branching:
        centers = {
            f"{name}.{i}".lstrip("."): center + step * _direction(draw, n_features)
            for name, center in centers.items()
            for i in range(children)
        }
        step /= 2
    truth = np.repeat(np.array(list(centers), dtype=object), per_leaf)
    X = np.vstack([centers[name] + 0.5 * draw.standard_normal(n_features) for name in truth])
    return X, keep_labels(truth, labels_per_class, draw), truth


def make_multi_view(
    n_samples: int = 200,
    *,
    n_features: Sequence[int] = (5, 5),
    labels_per_class: int = 2,
    random_state: RandomState = None,
):
    """Two classes with several views. The views are independent given the class.

    Parameters
    ----------
    n_samples : int, default=200
    n_features : sequence of int, default=(5, 5)
        The number of columns of each view.
    labels_per_class : int, default=2
        The number of labels of each class in y.
    random_state : int, RandomState or None
        The seed of the random draws.

    Returns
    -------
    X : array of shape (n, Σ n_features)
    y, truth : integer arrays; y is −1 where unlabeled
    views : list of slices
        The columns of each view.

    Examples
    --------
    >>> X, y, truth, views = make_multi_view(100, n_features=(3, 4), random_state=0)
    >>> X.shape, views[1]
    ((100, 7), slice(3, 7, None))
    """
    draw = check_random_state(random_state)
    truth = draw.permutation(np.arange(n_samples) % 2)
    blocks = [
        draw.standard_normal((n_samples, d)) + 1.5 * np.outer(2 * truth - 1, _direction(draw, d))
        for d in n_features
    ]
    ends = np.cumsum([0, *n_features]).tolist()
    views = [slice(a, b) for a, b in pairwise(ends)]
    return np.hstack(blocks), keep_labels(truth, labels_per_class, draw), truth, views


def make_multi_target(
    n_samples: int = 200,
    *,
    n_features: int = 10,
    n_targets: int = 6,
    n_groups: int = 2,
    labeled: float = 0.3,
    noise: float = 0.3,
    random_state: RandomState = None,
):
    """Linear targets in groups. Targets of one group have nearly the same weights.

    Parameters
    ----------
    n_samples, n_features, n_targets, n_groups : int
    labeled : float, default=0.3
        The share of rows that keep their targets.
    noise : float, default=0.3
        Standard deviation of the noise on each target.
    random_state : int, RandomState or None
        The seed of the random draws.

    Returns
    -------
    X : array of shape (n, n_features)
    Y : array of shape (n, n_targets)
        NaN on the unlabeled rows.
    truth : array of shape (n, n_targets)
        The targets without noise.
    W : array of shape (n_targets, n_targets)
        The output graph: 1 between targets of one group, 0 elsewhere and on the diagonal.

    Examples
    --------
    >>> X, Y, truth, W = make_multi_target(100, random_state=0)
    >>> Y.shape, W.sum(axis=1).tolist()
    ((100, 6), [2.0, 2.0, 2.0, 2.0, 2.0, 2.0])
    """
    draw = check_random_state(random_state)
    group = np.arange(n_targets) * n_groups // n_targets
    centers = draw.standard_normal((n_features, n_groups))
    weights = centers[:, group] + 0.1 * draw.standard_normal((n_features, n_targets))
    X = draw.standard_normal((n_samples, n_features))
    truth = X @ weights / np.sqrt(n_features)
    Y = truth + noise * draw.standard_normal(truth.shape)
    Y[draw.permutation(n_samples)[round(labeled * n_samples) :]] = np.nan
    W = (group[:, None] == group[None, :]).astype(float)
    np.fill_diagonal(W, 0.0)
    return X, Y, truth, W


def _direction(draw, n_features: int) -> np.ndarray:
    v = draw.standard_normal(n_features)
    return v / np.linalg.norm(v)
