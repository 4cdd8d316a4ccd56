"""The output kernel of VV. Outputs that are neighbors in a graph are related."""

from typing import Any

import numpy as np

from ..graphs import KNN, Graph, laplacian
from ..graphs.labels import graph_between_columns
from ..parameters.checks import is_count
from .base import OutputKernel


class OutputGraph(OutputKernel):
    """Q = γ_O L_out^† + (1 − γ_O) I, where L_out is the normalized Laplacian over the outputs.

    Q, shape (q, q), is a kernel between the q outputs. † is the pseudo-inverse. With γ_O = 0 the
    outputs are independent. With γ_O = 1 the squared norm of f is ½ Σ_ij W_ij ‖f_i/√d_i −
    f_j/√d_j‖² on functions with Σ_i √d_i f_i = 0 in each connected component of the graph. W are
    its weights and d its degrees. An output without a neighbor keeps its own model: its L_ii is 1.

    Parameters
    ----------
    gamma_O : float in [0, 1], default=0.5
        The weight γ_O of the graph.
    n_neighbors : int, default=2
        The number of neighbors per output if the graph is estimated. Neighbors are the nearest
        label columns, by their distance over the labeled rows.
    graph : Graph, array of shape (q, q) or "correlation", optional
        The graph over the outputs. It is a rule that joins label columns, the weights of a known
        graph (an array, or ``Given(W)``), or "correlation" for |corr| of the columns.
        ``LSMRRegressor(label_graph=…)`` takes the same values. None is ``KNN(n_neighbors)`` with
        heat weights.

    References
    ----------
    Minh, Sindhwani 2011 (VV), eq. 16; the norm at γ_O = 1 is printed differently there.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.graphs import Given
    >>> chain = Given(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> OutputGraph(gamma_O=1.0, graph=chain).matrix(np.zeros((3, 2))).round(3)
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """

    def __init__(self, gamma_O: float = 0.5, n_neighbors: int = 2, graph: Any = None) -> None:
        self.gamma_O = gamma_O
        self.n_neighbors = n_neighbors
        self.graph = graph

    def matrix(self, Y: np.ndarray, observed: np.ndarray | None = None) -> np.ndarray:
        """Q over the columns of Y, shape (q, q).

        Parameters
        ----------
        Y : array of shape (n, q)
            Targets.
        observed : boolean array of shape (n, q) or (n, 1), optional
            The observed entries. None means all entries.
        """
        gamma_O = self._checked()
        inverse = self.pseudo_inverse(Y, observed)
        return gamma_O * inverse + (1.0 - gamma_O) * np.eye(len(inverse))

    def pseudo_inverse(self, Y: np.ndarray, observed: np.ndarray | None = None) -> np.ndarray:
        """L_out^†, shape (q, q), with L_ii = 1 for an isolated output."""
        L = laplacian(graph_between_columns(self.rule, Y, observed)).toarray()
        isolated = np.flatnonzero(np.diagonal(L) == 0)
        L[isolated, isolated] = 1.0
        return np.linalg.pinv(L, rcond=1e-10, hermitian=True)

    @property
    def rule(self) -> Any:
        """The graph that joins the columns: ``KNN(n_neighbors)``, or the given graph."""
        return KNN(self.n_neighbors) if self.graph is None else self.graph

    @property
    def estimated(self) -> bool:
        """Whether the graph is estimated from the labels."""
        return (
            self.graph is None
            or isinstance(self.graph, str)
            or (isinstance(self.graph, Graph) and self.graph.reads_points)
        )

    def _checked(self) -> float:
        ok = isinstance(self.gamma_O, int | float | np.number) and 0.0 <= self.gamma_O <= 1.0
        if not ok or isinstance(self.gamma_O, bool):
            raise ValueError(f"gamma_O is {self.gamma_O!r}; expected a number from 0 to 1.")
        if not is_count(self.n_neighbors):
            raise ValueError(
                f"n_neighbors is {self.n_neighbors!r}; expected a positive number of neighbors."
            )
        return float(self.gamma_O)
