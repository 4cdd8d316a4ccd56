"""Outputs on a grid: cells of a map, two ordered grades at once."""

from __future__ import annotations

import numpy as np

from .base import Layout, Structure, check_count
from .enumerated import Enumerated
from .ordinal import line_distance
from .ring import neighbour_kernel, path_scale


class Grid(Structure):
    """The product of two lines: K^Y = K^rows ⊗ K^columns, Δ the Manhattan distance.

    Parameters
    ----------
    n_rows, n_columns : int
        Output r·n_columns + c is the cell in row r and column c.
    loss : {"path", "half"}, default="path"
        The path length between two cells, or half of it.

    Examples
    --------
    >>> from lapwing.outputs import Grid
    >>> Grid(2, 3).build().loss_matrix[0]
    array([0., 1., 2., 1., 2., 3.])
    """

    def __init__(self, n_rows=3, n_columns=3, loss="path"):
        self.n_rows = n_rows
        self.n_columns = n_columns
        self.loss = loss

    def build(self, observed=None) -> Enumerated:
        down = line_distance(check_count("n_rows of Grid", self.n_rows, 1))
        across = line_distance(check_count("n_columns of Grid", self.n_columns, 1))
        scale = path_scale("Grid", self.loss)
        kernel = np.kron(neighbour_kernel(down), neighbour_kernel(across))
        path = np.kron(down, np.ones_like(across)) + np.kron(np.ones_like(down), across)
        return Enumerated(kernel, scale * path, None, np.arange(len(path)))

    def layout(self) -> Layout:
        r, c = np.divmod(np.arange(self.n_rows * self.n_columns), self.n_columns)
        path = self.build().loss_matrix / path_scale("Grid", self.loss)
        edges = np.argwhere(np.triu(path == 1))
        return Layout(np.column_stack([c, -r]), range(len(r)), edges)
