"""A picture of a graph, its labels, and the points that no label reaches."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from ..estimators.base import ManifoldModel, PointCloudModel
from ..graphs import WeightedGraph
from ..types import Axes, Estimator, MatrixLike, TargetLike
from .canvas import keep_scale, load
from .display import Display
from .labels import PointLabels, read_labels
from .points import EDGE, draw_labeled, draw_unlabeled, legend_beside
from .positions import check_positions, unfolded
from .steps import last_step

THIN, THICK = 0.2, 1.0  # line widths of the lightest and the heaviest edge


class GraphDisplay(Display):
    """The edges of a graph over its points, with labels and unreached points.

    Heavier edges are thicker. A cross marks a point in a component without a label. Only the kernel
    predicts such points.

    Parameters
    ----------
    positions : array of shape (n, 2)
        The positions of the points.
    edges : integer array of shape (m, 2)
        Each edge once. The smaller index comes first.
    weights : array of shape (m,)
        The weight of each edge.
    labels : PointLabels
    unreached : boolean array of shape (n,)
        Whether a point is in a component without a label.
    axis : str
        The name of the two axes.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    edges_ : LineCollection
    labeled_ : list of PathCollection
    unlabeled_, unreached_ : PathCollection or None
    legend_ : Legend or None

    Examples
    --------
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.inspection import GraphDisplay
    >>> X, y, _ = make_two_moons(random_state=0)
    >>> model = LapRLSClassifier().fit(X, y)
    >>> display = GraphDisplay.from_estimator(model, X, y)
    >>> 2 * len(display.edges) == model.regularizer_.graph.W.nnz
    True
    >>> display.plot().ax_.get_title()
    '200 points, 694 edges, 2 components'
    """

    def __init__(
        self,
        *,
        positions: MatrixLike,
        edges: Any,
        weights: Any,
        labels: PointLabels,
        unreached: Any,
        axis: str = "",
    ) -> None:
        self.positions = positions
        self.edges = edges
        self.weights = weights
        self.labels = labels
        self.unreached = unreached
        self.axis = axis

    @classmethod
    def from_estimator(
        cls,
        estimator: Estimator,
        X: MatrixLike = None,
        y: TargetLike = None,
        *,
        positions: MatrixLike = None,
    ) -> Self:
        """Make the picture from the graph in ``regularizer_`` of a fitted estimator.

        Parameters
        ----------
        estimator : any estimator of lapwing with a graph, fitted, or a pipeline that ends in one
        X : array or CSR matrix of shape (n, d)
            The training rows, as they were passed to ``fit`` of the pipeline. Two columns are drawn
            directly. More columns are embedded in the plane
            (:func:`~lapwing.inspection.positions.unfolded`).
        y : array of shape (n,), optional
            Labels to show in place of those of the fit. For a regressor, rows with a target are
            marked.
        positions : array of shape (n, 2), optional
            The positions of the rows, such as an embedding. They replace X.
        """
        estimator, X = last_step(estimator, X)
        if not isinstance(estimator, PointCloudModel):
            raise TypeError(
                f"GraphDisplay.from_estimator needs an estimator of lapwing, got {estimator!r}; "
                "from_graph draws any graph."
            )
        check_is_fitted(estimator)
        graph = estimator.regularizer_.graph
        if graph is None:
            raise ValueError(
                f"{type(estimator).__name__} was fitted without a graph (gamma_I=0, a given "
                "matrix, or a regularizer that joins all points): there are no edges to draw."
            )
        if X is None and positions is None:
            raise ValueError("Give X, the training rows, or positions of shape (n, 2).")
        if is_regressor(estimator):
            labels = PointLabels(np.array(["labeled"]), np.where(estimator.labeled_, 0, -1))
        elif y is None and isinstance(estimator, ManifoldModel):
            labels = PointLabels(estimator.classes_, _known_codes(estimator))
        else:
            labels = read_labels(y, graph.n, getattr(estimator, "classes_", None))
        display = cls._from_parts(graph, X, positions, labels)
        if isinstance(estimator, ManifoldModel):
            display.unreached = estimator.unreached_
        return display

    @classmethod
    def from_graph(
        cls, graph: Any, X: MatrixLike = None, y: TargetLike = None, *, positions: MatrixLike = None
    ) -> Self:
        """Make the picture from any graph over the rows of X.

        Parameters
        ----------
        graph : WeightedGraph, or symmetric sparse or dense array of shape (n, n)
            The result of ``KNN().build(X)``, or its weights.
        X, y, positions :
            As in :meth:`from_estimator`. y holds class labels.
        """
        if not isinstance(graph, WeightedGraph):
            graph = WeightedGraph(sp.csr_array(graph))
        if X is None and positions is None:
            raise ValueError("Give X, the points, or positions of shape (n, 2).")
        return cls._from_parts(graph, X, positions, read_labels(y, graph.n))

    @classmethod
    def _from_parts(
        cls, graph: WeightedGraph, X: MatrixLike, positions: MatrixLike, labels: PointLabels
    ):
        where, axis = (positions, "position") if positions is not None else unfolded(X)
        upper = sp.triu(graph.W, k=1).tocoo()
        return cls(
            positions=check_positions(where, graph.n),
            edges=np.column_stack([upper.row, upper.col]),
            weights=upper.data,
            labels=labels,
            unreached=_without_label(graph, labels.labeled),
            axis=axis,
        )

    def plot(self, ax: Axes = None, *, title: str | None = None, legend: bool = True) -> Self:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            None makes a new figure.
        title : str, optional
            None gives the number of points, edges and components.
        legend : bool, default=True

        Returns
        -------
        self
        """
        ax = self._on(ax)
        self.edges_: Any = self._draw_edges(ax)
        self.labeled_: Any = draw_labeled(ax, self.positions, self.labels, size=95, edge=1.2)
        self.unlabeled_: Any = draw_unlabeled(ax, self.positions, self.labels)
        self.unreached_: Any = self._draw_unreached(ax)
        ax.set(xlabel=f"{self.axis} 0", ylabel=f"{self.axis} 1")
        keep_scale(ax, self.positions)
        ax.set_title(self._summary() if title is None else title)
        ax.margins(0.06)
        self.legend_: Any = legend_beside(ax, self.labels) if legend else None
        return self

    def _draw_edges(self, ax: Axes):
        heaviest = self.weights.max() if len(self.weights) else 1.0
        lines = load("matplotlib.collections").LineCollection(
            list(self.positions[self.edges]),
            colors=EDGE,
            linewidths=THIN + (THICK - THIN) * self.weights / heaviest,
            rasterized=True,
            zorder=1,
        )
        return ax.add_collection(lines)

    def _draw_unreached(self, ax: Axes):
        if not self.unreached.any():
            return None
        name = f"no label reaches ({int(self.unreached.sum())})"
        where = self.positions[self.unreached]
        return ax.scatter(
            *where.T, s=26, c="black", marker="x", linewidths=1.0, label=name, zorder=3
        )

    def _summary(self) -> str:
        n = len(self.positions)
        W = sp.csr_array((np.ones(len(self.edges)), tuple(self.edges.T)), shape=(n, n))
        parts = connected_components(W, directed=False)[0]
        return (
            f"{_count(n, 'point')}, {_count(len(self.edges), 'edge')}, {_count(parts, 'component')}"
        )


def _known_codes(model: ManifoldModel) -> np.ndarray:
    """The classes that a classifier was fitted with, (n,), −1 where it had none.

    If a row has several labels, no class is drawn.
    """
    codes, known = np.full(len(model.labeled_), -1), model.diagnostics().codes
    if known is not None:
        codes[model.objective_.rows] = known
    return codes


def _without_label(graph: WeightedGraph, labeled: np.ndarray) -> np.ndarray:
    """Whether a point is in a component without a label. False everywhere if no row is labeled."""
    if not labeled.any():
        return np.zeros(graph.n, dtype=bool)
    return ~np.isin(graph.components, graph.components[labeled])


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"
