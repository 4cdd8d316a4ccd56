"""Outputs on a ring, such as hours, directions or phases."""

from typing import Any

import numpy as np

from ..parameters.checks import check_count, check_option
from ..types import MatrixLike, TargetLike
from .base import Layout, Structure, circle, class_names, output_affinity
from .enumerated import Enumerated


class Ring(Structure):
    """K^Y is circulant with rows (1, ½, 0, …, 0, ½). Δ(y, ȳ) is the path length along the ring.

    The kernel is singular for even n. Lapwing never inverts it.

    Parameters
    ----------
    n : int
        The number of outputs 0 … n−1. Outputs n−1 and 0 are neighbors.
    loss : {"path", "half"}, default="path"
        The path length, or half of it. The tables of the paper use half of it.
    classes : sequence of n labels, optional
        The names of the outputs in y, in order. None means 0 … n−1.
    affinity : array of shape (n, n), optional
        A^Y ≥ 0 of the joint graph, symmetric. None is the identity.

    References
    ----------
    Hu, Kwok (SO), V-A. A ring of two outputs has K^Y = [[1, ½], [½, 1]].

    Examples
    --------
    >>> from lapwing.outputs import Ring
    >>> Ring(4).build().loss_matrix[0]
    array([0., 1., 2., 1.])
    """

    def __init__(
        self,
        n: int = 10,
        loss: Any = "path",
        classes: TargetLike = None,
        affinity: MatrixLike = None,
    ) -> None:
        self.n = n
        self.loss = loss
        self.classes = classes
        self.affinity = affinity

    def build(self, observed: TargetLike = None) -> Enumerated:
        n = check_count("n of Ring", self.n)
        steps = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
        path = np.minimum(steps, n - steps).astype(float)
        return by_path(self, path, neighbor_kernel(path))

    def layout(self) -> Layout:
        n = self.n
        edges = [(i, (i + 1) % n) for i in range(n)] if n > 2 else [(0, 1)][: n - 1]
        return Layout(circle(n), range(n), edges)


def neighbor_kernel(path: np.ndarray) -> np.ndarray:
    """I + A/2: 1 on the diagonal, ½ between neighbors. PSD with at most two neighbors each."""
    return np.where(path == 0, 1.0, np.where(path == 1, 0.5, 0.0))


def by_path(structure: Any, path: np.ndarray, kernel: np.ndarray) -> Enumerated:
    """Outputs whose Δ is the length of the path between them, or half of it (``"half"``)."""
    check_option(f"loss of {type(structure).__name__}", structure.loss, ("path", "half"))
    loss = path if structure.loss == "path" else 0.5 * path
    names = class_names(structure.classes, len(path))
    return Enumerated(kernel, loss, output_affinity(structure.affinity, len(path)), names)
