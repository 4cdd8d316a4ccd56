"""Outputs on a grid, such as cells of a map or pairs of ordered grades."""

from typing import Any

import numpy as np

from ..parameters.checks import check_count
from ..types import MatrixLike, TargetLike
from .base import Layout, Structure
from .enumerated import Enumerated
from .ordinal import line_distance
from .ring import by_path, neighbor_kernel


class Grid(Structure):
    """K^Y = K^rows ⊗ K^columns, the product of two lines. Δ is the Manhattan distance.

    Parameters
    ----------
    n_rows, n_columns : int
        Output r·n_columns + c is the cell in row r and column c.
    loss : {"path", "half"}, default="path"
        The path length between two cells, or half of it.
    classes : sequence of labels, optional
        The names of the cells in y, row by row. None means 0, 1, ….
    affinity : square array, optional
        A^Y ≥ 0 of the joint graph, symmetric. None is the identity.

    Examples
    --------
    >>> from lapwing.outputs import Grid
    >>> Grid(2, 3).build().loss_matrix[0]
    array([0., 1., 2., 1., 2., 3.])
    """

    def __init__(
        self,
        n_rows: int = 3,
        n_columns: int = 3,
        loss: Any = "path",
        classes: TargetLike = None,
        affinity: MatrixLike = None,
    ) -> None:
        self.n_rows = n_rows
        self.n_columns = n_columns
        self.loss = loss
        self.classes = classes
        self.affinity = affinity

    def build(self, observed: TargetLike = None) -> Enumerated:
        down = line_distance(check_count("n_rows of Grid", self.n_rows))
        across = line_distance(check_count("n_columns of Grid", self.n_columns))
        kernel = np.kron(neighbor_kernel(down), neighbor_kernel(across))
        path = np.kron(down, np.ones_like(across)) + np.kron(np.ones_like(down), across)
        return by_path(self, path, kernel)

    def layout(self) -> Layout:
        r, c = np.divmod(np.arange(self.n_rows * self.n_columns), self.n_columns)
        loss = self.build().loss_matrix
        edges = np.argwhere(np.triu(loss == loss[loss > 0].min(initial=np.inf)))
        return Layout(np.column_stack([c, -r]), range(len(r)), edges)
