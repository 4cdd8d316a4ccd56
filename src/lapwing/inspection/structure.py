"""A picture of an output structure."""

from typing import Any, Self

import numpy as np

from ..outputs import Structure
from ..outputs.base import Layout
from ..types import Axes
from .canvas import load
from .display import Display
from .points import EDGE


class OutputStructureDisplay(Display):
    """The outputs of a structure as nodes. Neighboring outputs are joined.

    A ring is drawn as a ring, a tree from its root down, and a grid as a grid. Given matrices are
    drawn as a circle. Edges are thicker for a larger affinity (or kernel). ``values`` colors the
    nodes, for example by the number of predictions or the mean loss of each output.

    Parameters
    ----------
    layout : Layout
    values : array of shape (number of nodes,), optional
        One number per node. It sets the color.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    edges_ : LineCollection
    nodes_ : PathCollection
    texts_ : list of Text

    Examples
    --------
    >>> from lapwing.inspection import OutputStructureDisplay
    >>> from lapwing.outputs import Ring
    >>> display = OutputStructureDisplay.from_structure(Ring(6)).plot()
    >>> len(display.texts_)
    6
    """

    def __init__(self, *, layout: Layout, values: Any = None) -> None:
        self.layout = layout
        self.values = values

    @classmethod
    def from_structure(cls, structure: Structure, values: Any = None) -> Self:
        """Make the picture of a structure.

        Parameters
        ----------
        structure : Structure
        values : array of shape (number of nodes,), optional
            One number per node of ``structure.layout()``. A tree also has inner nodes.
        """
        if not isinstance(structure, Structure):
            raise TypeError(f"An output structure such as Ring(10) is needed, got {structure!r}.")
        structure.build(np.arange(2))  # raises errors for bad parameters before drawing
        layout = structure.layout()
        if values is not None:
            values = np.asarray(values, dtype=float)
            if values.shape != (len(layout.names),):
                raise ValueError(
                    f"values has shape {values.shape}, but the structure has "
                    f"{len(layout.names)} nodes."
                )
        return cls(layout=layout, values=values)

    def plot(self, ax: Axes = None, *, title: str | None = None, names: bool = True) -> Self:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            None makes a new figure.
        title : str, optional
        names : bool, default=True
            Whether the names of the nodes are drawn.

        Returns
        -------
        self
        """
        ax = self._on(ax)
        layout = self.layout
        self.edges_: Any = ax.add_collection(
            load("matplotlib.collections").LineCollection(
                list(layout.positions[layout.edges]),
                colors=EDGE,
                linewidths=0.4 + 1.6 * layout.weights,
                zorder=1,
            )
        )
        color = {"color": "tab:blue"} if self.values is None else {"c": self.values}
        self.nodes_: Any = ax.scatter(*layout.positions.T, s=60, zorder=2, **color)
        self.texts_: list[Any] = self._name_nodes(ax) if names else []
        if self.values is not None:
            self.figure_.colorbar(self.nodes_, ax=ax)
        ax.set_axis_off()
        ax.margins(0.15)
        if title is not None:
            ax.set_title(title)
        return self

    def _name_nodes(self, ax: Axes):
        return [
            ax.annotate(name, place, xytext=(4, 4), textcoords="offset points", fontsize=8)
            for name, place in zip(self.layout.names, self.layout.positions, strict=True)
        ]
