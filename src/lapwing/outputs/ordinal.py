"""Ordered outputs, such as grades, ages or severities."""

from typing import Any

import numpy as np

from ..parameters.checks import check_count
from ..types import MatrixLike, TargetLike
from .base import Layout, Structure
from .enumerated import Enumerated
from .ring import by_path, neighbor_kernel


class Ordinal(Structure):
    """Δ(y, ȳ) = |y − ȳ|. K^Y has 1 on the diagonal and ½ between neighbors.

    Parameters
    ----------
    n : int
        The number of outputs, in order.
    loss : {"path", "half"}, default="path"
        |y − ȳ|, or half of it.
    classes : sequence of n labels, optional
        The names of the outputs in y, in order. None means 0 … n−1.
    affinity : array of shape (n, n), optional
        A^Y ≥ 0 of the joint graph, symmetric. None is the identity.

    Examples
    --------
    >>> from lapwing.outputs import Ordinal
    >>> Ordinal(4).build().loss_matrix[0]
    array([0., 1., 2., 3.])
    """

    def __init__(
        self,
        n: int = 5,
        loss: Any = "path",
        classes: TargetLike = None,
        affinity: MatrixLike = None,
    ) -> None:
        self.n = n
        self.loss = loss
        self.classes = classes
        self.affinity = affinity

    def build(self, observed: TargetLike = None) -> Enumerated:
        path = line_distance(check_count("n of Ordinal", self.n))
        return by_path(self, path, neighbor_kernel(path))

    def layout(self) -> Layout:
        places = np.column_stack([np.arange(self.n), np.zeros(self.n)])
        return Layout(places, range(self.n), [(i, i + 1) for i in range(self.n - 1)])


def line_distance(n: int) -> np.ndarray:
    """|i − j|, (n, n)."""
    return np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(float)
