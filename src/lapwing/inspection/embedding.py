"""A picture of an embedding in the plane, colored by class, with optional thumbnails."""

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..estimators import RegularizedLaplacianEigenmaps, RegularizedSpectralClustering
from ..types import Axes, Estimator, MatrixLike, TargetLike
from .canvas import load
from .display import Display
from .labels import PointLabels, read_labels
from .points import draw_labeled, draw_unlabeled, legend_beside
from .positions import check_positions
from .steps import last_step

SIZE = (6.4, 5.0)
SPACING = 0.07  # of the width of the plot: the smallest distance between two thumbnails


class EmbeddingDisplay(Display):
    """Two coordinates of an embedding, colored by label.

    Parameters
    ----------
    embedding : array of shape (n, 2)
    labels : PointLabels
    images : array of shape (n, h, w), optional
        Thumbnails. They are drawn for as many points as there is room.
    components : pair of int
        The numbers of the two columns, for the names of the axes.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    labeled_ : list of PathCollection
        One per class.
    unlabeled_ : PathCollection or None
    thumbnails_ : list of AnnotationBbox
    legend_ : Legend or None

    Examples
    --------
    >>> from lapwing import RegularizedLaplacianEigenmaps
    >>> from lapwing.inspection import EmbeddingDisplay
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(n_class=3, return_X_y=True)
    >>> eigenmaps = RegularizedLaplacianEigenmaps(n_components=2).fit(X)
    >>> display = EmbeddingDisplay.from_estimator(eigenmaps, y=y)
    >>> display.embedding.shape
    (537, 2)
    >>> len(display.plot().labeled_)
    3
    """

    def __init__(
        self,
        *,
        embedding: MatrixLike,
        labels: PointLabels,
        images: MatrixLike = None,
        components: tuple[int, ...] = (0, 1),
    ) -> None:
        self.embedding = embedding
        self.labels = labels
        self.images = images
        self.components = components

    @classmethod
    def from_estimator(
        cls,
        estimator: Estimator,
        X: MatrixLike = None,
        y: TargetLike = None,
        *,
        images: MatrixLike = None,
        components: tuple[int, ...] = (0, 1),
    ) -> Self:
        """Make the picture from two coordinates of a fitted embedding.

        Parameters
        ----------
        estimator : RegularizedLaplacianEigenmaps or RegularizedSpectralClustering, fitted
        X : array of shape (n, d), optional
            New rows for ``transform``. None shows the training rows.
        y : array of shape (n,), optional
            The labels of the points, −1 or None/NaN for unlabeled points.
        images : array of shape (n, h, w), optional
        components : pair of int, default=(0, 1)
        """
        estimator, X = last_step(estimator, X)
        if not isinstance(estimator, RegularizedLaplacianEigenmaps | RegularizedSpectralClustering):
            raise TypeError(
                f"EmbeddingDisplay.from_estimator needs RegularizedLaplacianEigenmaps or "
                f"RegularizedSpectralClustering, got {estimator!r}; from_embedding draws any "
                "(n, 2) array."
            )
        check_is_fitted(estimator)
        if X is None:
            embedding = estimator.embedding_
        elif isinstance(estimator, RegularizedLaplacianEigenmaps):
            embedding = estimator.transform(X)
        else:
            raise TypeError("Clusterings have no transform: leave X out, or use eigenmaps.")
        width = embedding.shape[1]
        if len(components) != 2 or not all(0 <= c < width for c in components):
            raise ValueError(
                f"components={components!r} must be two of the {width} columns of the embedding; "
                "raise n_components for more."
            )
        return cls.from_embedding(
            embedding[:, list(components)], y, images=images, components=components
        )

    @classmethod
    def from_embedding(
        cls,
        embedding: MatrixLike,
        y: TargetLike = None,
        *,
        images: MatrixLike = None,
        components: tuple[int, ...] = (0, 1),
    ) -> Self:
        """Make the picture from any points of the plane.

        Parameters
        ----------
        embedding : array of shape (n, 2)
        y, images, components :
            As in :meth:`from_estimator`.
        """
        embedding = check_positions(embedding)
        if images is not None:
            images = np.asarray(images)
            if images.ndim != 3 or len(images) != len(embedding):
                raise ValueError(
                    f"images must have the shape ({len(embedding)}, h, w), got {images.shape}."
                )
        labels = read_labels(y, len(embedding))
        return cls(embedding=embedding, labels=labels, images=images, components=tuple(components))

    def plot(self, ax: Axes = None, *, title: str | None = None, legend: bool = True) -> Self:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            None makes a new figure.
        title : str, optional
        legend : bool, default=True

        Returns
        -------
        self
        """
        ax = self._on(ax, SIZE)
        self.labeled_: Any = draw_labeled(ax, self.embedding, self.labels, size=16, edge=0.25)
        self.unlabeled_: Any = draw_unlabeled(ax, self.embedding, self.labels)
        self.thumbnails_: list[Any] = [] if self.images is None else self._draw_thumbnails(ax)
        ax.set_xlabel(f"component {self.components[0]}")
        ax.set_ylabel(f"component {self.components[1]}")
        if title is not None:
            ax.set_title(title)
        self.legend_: Any = legend_beside(ax, self.labels, scale=1.8) if legend else None
        return self

    def _draw_thumbnails(self, ax: Axes) -> list[Any]:
        boxes = load("matplotlib.offsetbox")
        drawn = []
        for i in spread(self.embedding):
            image = boxes.OffsetImage(
                self.images[i], zoom=12 / max(self.images.shape[1:]), cmap="gray_r"
            )
            image.image.axes = ax
            box = boxes.AnnotationBbox(image, self.embedding[i], pad=0.1, bboxprops={"lw": 0.3})
            box.set_zorder(5)
            drawn.append(ax.add_artist(box))
        return drawn


def spread(points: np.ndarray, spacing: float = SPACING) -> list[int]:
    """Choose rows in order. No row is nearer than ``spacing`` to an earlier chosen row.

    Distances are in units of the ranges of the two columns.

    Examples
    --------
    >>> spread(np.array([[0.0, 0.0], [0.001, 0.0], [1.0, 1.0]]))
    [0, 2]
    """
    span = np.ptp(points, axis=0)
    scaled = points / np.where(span > 0, span, 1.0)
    chosen: list[int] = []
    for i, point in enumerate(scaled):
        if not len(chosen) or (np.linalg.norm(scaled[chosen] - point, axis=1) >= spacing).all():
            chosen.append(i)
    return chosen
