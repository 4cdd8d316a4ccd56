"""A picture of the predictions of a classifier or regressor with two features."""

from typing import Any, Self

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import check_array, check_is_fitted

from ..targets import as_labels, missing_mask
from ..types import Axes, Estimator, Frame, MatrixLike, TargetLike
from .canvas import keep_scale, load
from .display import Display
from .labels import PointLabels, read_labels
from .points import color, draw_labeled, draw_unlabeled, legend_beside

FEATURES = ("feature 0", "feature 1")
MARGIN = 0.15  # of the range of the data, added on every side
CONTOURS = 9  # lines for real values
PALE = 0.55  # share of white in the color of a class's region


class DecisionSurfaceDisplay(Display):
    """The values of f over the plane. Labeled points are strong, and unlabeled points are faint.

    For two classes the picture has two colors: that of ``classes[0]`` where f < 0, and that of
    ``classes[1]`` where f > 0. The color is stronger where |f| is larger. The line f = 0 is drawn.
    For more classes the picture shows the regions where each column of f is the largest, and their
    borders. For real values it shows f from dark to light, with contours and a color bar.

    Parameters
    ----------
    xx, yy : arrays of shape (r, r)
        The grid.
    response : array of shape (r, r) for two classes, (r, r, c) for c classes
        The values of f on the grid.
    X : array of shape (n, 2)
        The points to draw.
    labels : PointLabels
    limit : float
        The value of |f| with the full color, for two classes.
    features : pair of str
        The names of the axes.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    surface_ : QuadMesh
        The colored plane.
    boundary_ : list of QuadContourSet
        The line f = 0, or one border per class with a neighbor, or the contours of real values.
        Empty if one class covers the plane.
    labeled_ : list of PathCollection
        One per class with a labeled point.
    unlabeled_ : PathCollection or None
    legend_ : Legend or None

    Examples
    --------
    >>> from lapwing import LapSVC
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.inspection import DecisionSurfaceDisplay
    >>> X, y, _ = make_two_moons(random_state=0)
    >>> model = LapSVC().fit(X, y)
    >>> display = DecisionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=50)
    >>> display.response.shape
    (50, 50)
    >>> display.plot().ax_.get_xlabel()
    'feature 0'
    """

    def __init__(
        self,
        *,
        xx: np.ndarray,
        yy: np.ndarray,
        response: np.ndarray,
        X: MatrixLike,
        labels: PointLabels,
        limit: float = 1.0,
        features: Any = FEATURES,
        span: Any = None,
    ) -> None:
        self.xx = xx
        self.yy = yy
        self.response = response
        self.X = X
        self.labels = labels
        self.limit = limit
        self.features = features
        self.span = span

    @classmethod
    def from_estimator(
        cls,
        estimator: Estimator,
        X: MatrixLike,
        y: TargetLike = None,
        *,
        grid_resolution: int = 200,
    ) -> Self:
        """Evaluate a fitted classifier or regressor on a grid around the points.

        Parameters
        ----------
        estimator : classifier, regressor of one target, or a pipeline that ends in one
            It must be fitted on two features. A classifier is shown by its ``decision_function``,
            otherwise by ``predict_proba``, otherwise by ``predict``.
        X : array or data frame of shape (n, 2)
            The points to show. The columns of a data frame name the axes.
        y : array of shape (n,), optional
            The labels of the points, with −1 or None/NaN for unlabeled points, or real targets.
            None shows all points as unlabeled.
        grid_resolution : int, default=200
            The number of grid points along each axis.
        """
        if not is_classifier(estimator) and not is_regressor(estimator):
            raise TypeError(
                f"A decision surface needs a classifier or a regressor, got {estimator!r}."
            )
        check_is_fitted(estimator)
        frame, X = X, check_array(X, dtype=np.float64)
        features = getattr(estimator, "n_features_in_", X.shape[1])
        if X.shape[1] != 2 or features != 2:
            raise ValueError(
                f"A decision surface needs two features, but X has {X.shape[1]} and the estimator "
                f"was fitted on {features}. GraphDisplay and EmbeddingDisplay show more."
            )
        if grid_resolution < 2:
            raise ValueError(f"grid_resolution={grid_resolution!r} must be at least 2.")
        labels = _labels(estimator, y, len(X))
        xx, yy = np.meshgrid(*(_ticks(column, grid_resolution) for column in X.T))
        grid = np.column_stack([xx.ravel(), yy.ravel()])
        response = _response(estimator, _like(frame, grid))
        shape = xx.shape if response.ndim == 1 else (*xx.shape, response.shape[1])
        # far from the points f may be very large: the colors are scaled at the data
        shown = _response(estimator, frame)
        limit = float(np.abs(shown).max()) or 1.0
        span = None if is_classifier(estimator) else (float(shown.min()), float(shown.max()))
        return cls(
            xx=xx,
            yy=yy,
            response=response.reshape(shape),
            X=X,
            labels=labels,
            limit=limit,
            features=tuple(map(str, getattr(frame, "columns", FEATURES))),
            span=span,
        )

    def plot(self, ax: Axes = None, *, title: str | None = None, legend: bool = True) -> Self:
        """Draw.

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
        ax = self._on(ax)
        self.surface_: Any = self._surface(ax)
        self.boundary_: Any = self._boundaries(ax)
        self.labeled_: Any = draw_labeled(ax, self.X, self.labels, size=95, edge=1.2)
        self.unlabeled_: Any = draw_unlabeled(ax, self.X, self.labels)
        ax.set(xlabel=self.features[0], ylabel=self.features[1])
        keep_scale(ax, self.X)
        ax.set_xlim(self.xx[0, 0], self.xx[0, -1])
        ax.set_ylim(self.yy[0, 0], self.yy[-1, 0])
        if title is not None:
            ax.set_title(title)
        self.legend_: Any = legend_beside(ax, self.labels) if legend and self.span is None else None
        if self.span is not None:
            self.figure_.colorbar(self.surface_, ax=ax, label="f")
        return self

    def _surface(self, ax: Axes):
        colors = load("matplotlib.colors")
        n_classes = len(self.labels.classes)
        if self.span is not None:
            cmap, values = "cividis", self.response
            span = {"vmin": self.span[0], "vmax": self.span[1]}
        elif self.response.ndim == 2:
            cmap = colors.LinearSegmentedColormap.from_list("two classes", _shades())
            values, span = self.response, {"vmin": -self.limit, "vmax": self.limit}
        else:
            cmap = colors.ListedColormap([_pale(color(c), PALE) for c in range(n_classes)])
            values, span = self.response.argmax(axis=2), {"vmin": -0.5, "vmax": n_classes - 0.5}
        return ax.pcolormesh(
            self.xx,
            self.yy,
            values,
            cmap=cmap,
            shading="nearest",
            rasterized=True,
            zorder=0,
            **span,
        )

    def _boundaries(self, ax: Axes) -> list[Any]:
        """The lines where f, or f_c minus the maximum of the others, changes its sign."""
        if self.span is not None:
            levels = np.linspace(self.span[0], self.span[1], CONTOURS + 2)[1:-1]
            if not (np.diff(levels) > 0).all():
                return []  # f is constant
            lines = {"colors": "white", "linewidths": 0.6, "linestyles": "solid", "zorder": 1}
            return [ax.contour(self.xx, self.yy, self.response, levels=levels, **lines)]
        style = {"levels": [0.0], "colors": "black", "linewidths": 1.3, "zorder": 1}
        return [
            ax.contour(self.xx, self.yy, field, **style)
            for field in self._fields()
            if field.min() < 0 < field.max()
        ]

    def _fields(self):
        if self.response.ndim == 2:
            return [self.response]
        f = self.response
        return [f[..., c] - np.delete(f, c, axis=2).max(axis=2) for c in range(f.shape[2])]


def _labels(estimator: Estimator, y: TargetLike, n: int) -> PointLabels:
    if is_classifier(estimator):
        return read_labels(y, n, estimator.classes_)
    known = np.zeros(n, dtype=bool) if y is None else ~missing_mask(as_labels(y))
    return PointLabels(np.array(["labeled"]), np.where(known, 0, -1))


def _like(frame: Frame, grid: np.ndarray):
    """The grid as a data frame with the given columns. Estimators check the column names."""
    return type(frame)(grid, columns=frame.columns) if hasattr(frame, "iloc") else grid


def _response(estimator: Estimator, grid) -> np.ndarray:
    """The response: (m,) for real values and two classes (with the border 0), else (m, c)."""
    if is_regressor(estimator):
        values = np.asarray(estimator.predict(grid), dtype=np.float64)
        if values.ndim != 1:
            raise ValueError(f"A picture shows one target, but there are {values.shape[1]}.")
        return values
    two = len(estimator.classes_) == 2
    # a scikit-learn classifier has these methods or not, depending on its loss
    if hasattr(estimator, "decision_function"):
        values = np.asarray(estimator.decision_function(grid))
    elif hasattr(estimator, "predict_proba"):
        proba = estimator.predict_proba(grid)
        values = proba[:, 1] - proba[:, 0] if two else proba
    else:
        codes = read_labels(estimator.predict(grid), len(grid), estimator.classes_).codes
        values = 2.0 * codes - 1.0 if two else np.eye(len(estimator.classes_))[codes]
    if not two and (values.ndim != 2 or values.shape[1] != len(estimator.classes_)):
        raise ValueError(
            f"decision_function gave the shape {values.shape} for {len(estimator.classes_)} "
            "classes; one column per class is expected (for SVC: decision_function_shape='ovr')."
        )
    return values


def _ticks(column: np.ndarray, resolution: int) -> np.ndarray:
    low, high = column.min(), column.max()
    # points on one line also need a plane around them
    margin = MARGIN * (high - low) or 0.5 * max(abs(low), 1.0)
    return np.linspace(low - margin, high + margin, resolution)


def _shades() -> list[tuple[float, tuple[float, ...]]]:
    """Positions and colors from f = −limit to limit. The color jumps at 0 to show both sides."""
    left, right = color(0), color(1)
    return [(0.0, _pale(left, 0.3)), (0.5, _pale(left, 0.88)), (0.5, _pale(right, 0.88)),
            (1.0, _pale(right, 0.3))]  # fmt: skip


def _pale(name: str, share: float) -> tuple[float, ...]:
    rgb = np.array(load("matplotlib.colors").to_rgb(name))
    return tuple((1 - share) * rgb + share)
