"""f(x) ≈ f(T x) for transforms T that should not change the prediction."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.ndimage
import scipy.sparse as sp

from ..graphs import WeightedGraph
from ..operators import MatrixOperator, PSDOperator
from ..parameters.checks import check_count
from ..types import MatrixLike, TargetLike
from .base import Regularizer


class Invariance(Regularizer):
    """⟨f, M f⟩ = (1/k) Σ_i Σ_j (f(x_i) − f(T_j x_i))² over k transforms and chosen rows.

    The points T_j x_i are not rows of X. They are added as unlabeled points where f is evaluated.
    The sum ``Laplacian(KNN()) + 0.5 * Invariance([Shift((16, 16), 1, 0)])`` joins each chosen row
    to its neighbors and to its transformed copies.

    Parameters
    ----------
    transform : callable or list of callables
        Each takes m rows of X, shape (m, d), and returns the m transformed rows, shape (m, d). See
        :class:`Shift`, :class:`Rotation`, :class:`Noise` and :class:`FeatureDropout`.
    max_points : int, default=1000
        The largest number of transformed points. Labeled rows are transformed first. Other rows are
        drawn at random.
    random_state : int, default=0
        The seed that draws the other rows.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, §7.4; Schölkopf, Burges, Vapnik 1996 (virtual examples).

    Examples
    --------
    >>> import numpy as np
    >>> M = Invariance(lambda X: -X).build(np.ones((2, 1)))
    >>> M.toarray()                          # f(1) against f(−1), for both rows
    array([[ 1.,  0., -1.,  0.],
           [ 0.,  1.,  0., -1.],
           [-1.,  0.,  1.,  0.],
           [ 0., -1.,  0.,  1.]])
    """

    adds_points = True

    def __init__(self, transform: Any, *, max_points: int = 1000, random_state: int = 0) -> None:
        self.transform = transform
        self.max_points = max_points
        self.random_state = random_state

    def _transforms(self) -> list[Callable]:
        given = self.transform if isinstance(self.transform, list | tuple) else [self.transform]
        if not given or not all(callable(t) for t in given):
            raise TypeError(
                f"transform={self.transform!r} must be a callable on the rows of X, or a list of "
                "them."
            )
        check_count("max_points", self.max_points)
        return list(given)

    def _rows(self, n: int, y: TargetLike, k: int) -> np.ndarray:
        """The rows to transform: all rows, or the labeled rows and a random draw of the others."""
        allowed = max(1, self.max_points // k)
        if n <= allowed:
            return np.arange(n)
        drawn = np.random.default_rng(self.random_state).permutation(n)
        if y is not None:
            drawn = drawn[np.argsort(np.asarray(y)[drawn] < 0, kind="stable")]
        return np.sort(drawn[:allowed])

    def extra_points(self, X: MatrixLike, y: TargetLike = None) -> np.ndarray | None:
        transforms = self._transforms()
        rows = self._rows(X.shape[0], y, len(transforms))
        images = [t(X[rows]) for t in transforms]
        for t, image in zip(transforms, images, strict=True):
            if np.shape(image) != (len(rows), X.shape[1]):
                raise ValueError(
                    f"The transform {t!r} made shape {np.shape(image)} of {(len(rows), X.shape[1])}"
                    ": it must return as many rows and columns as it gets."
                )
        if sp.issparse(X):
            return sp.vstack([sp.csr_array(image) for image in images], format="csr")
        found = np.vstack([np.asarray(image, dtype=np.float64) for image in images])
        if not np.isfinite(found).all():
            raise ValueError("A transform returned NaN or infinite values.")
        return found

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        k, n = len(self._transforms()), X.shape[0]
        rows = self._rows(n, y, k)
        total = n + k * len(rows)
        source, image = np.tile(rows, k), np.arange(n, total)
        edges = sp.coo_array((np.full(len(image), 1.0 / k), (source, image)), (total, total))
        W = sp.csr_array(edges + edges.T)
        graph = WeightedGraph(W)
        return MatrixOperator(sp.csr_array(sp.diags_array(graph.degrees) - W), graph)


class Shift:
    """Move images by (down, right) pixels. The border pixels are repeated.

    Parameters
    ----------
    shape : (int, int)
        Height and width. A row of X holds the pixels of an image, row by row.
    down, right : float
        The number of pixels. Fractions interpolate linearly.

    Examples
    --------
    >>> import numpy as np
    >>> Shift((2, 2), 0, 1)(np.array([[1.0, 2.0, 3.0, 4.0]]))
    array([[1., 1., 3., 3.]])
    """

    def __init__(self, shape: tuple[int, int], down: float, right: float) -> None:
        self.shape = shape
        self.down = down
        self.right = right

    def __call__(self, X: MatrixLike) -> np.ndarray:
        images = np.reshape(X, (-1, *self.shape))
        by = (0, self.down, self.right)
        return scipy.ndimage.shift(images, by, order=1, mode="nearest").reshape(len(X), -1)


class Rotation:
    """Rotate images by an angle. The border pixels are repeated.

    Parameters
    ----------
    shape : (int, int)
        Height and width of an image.
    degrees : float
        The angle.

    Examples
    --------
    >>> import numpy as np
    >>> Rotation((2, 2), 90)(np.array([[1.0, 2.0, 3.0, 4.0]]))
    array([[2., 4., 1., 3.]])
    """

    def __init__(self, shape: tuple[int, int], degrees: float) -> None:
        self.shape = shape
        self.degrees = degrees

    def __call__(self, X: MatrixLike) -> np.ndarray:
        images = np.reshape(X, (-1, *self.shape))
        turned = scipy.ndimage.rotate(
            images, self.degrees, axes=(1, 2), reshape=False, order=1, mode="nearest"
        )
        return turned.reshape(len(X), -1)


class Noise:
    """Add Gaussian noise to every feature. ``scale`` is its standard deviation.

    Parameters
    ----------
    scale : float
        The standard deviation of the noise.
    random_state : int

    Examples
    --------
    >>> Noise(0.1)(np.zeros((1000, 4))).std().round(1)
    np.float64(0.1)
    """

    def __init__(self, scale: float, random_state: int = 0) -> None:
        self.scale = scale
        self.random_state = random_state

    def __call__(self, X: MatrixLike) -> np.ndarray:
        rng = np.random.default_rng(self.random_state)
        return X + self.scale * rng.standard_normal(X.shape)


class FeatureDropout:
    """Set each entry to 0 with probability ``rate``. Sparse rows stay sparse.

    Parameters
    ----------
    rate : float in [0, 1)
        The probability that an entry is set to 0.
    random_state : int

    Examples
    --------
    >>> FeatureDropout(0.5)(np.ones((100, 4))).mean().round(1)
    np.float64(0.5)
    """

    def __init__(self, rate: float, random_state: int = 0) -> None:
        self.rate = rate
        self.random_state = random_state

    def __call__(self, X: MatrixLike) -> np.ndarray:
        rng = np.random.default_rng(self.random_state)
        if sp.issparse(X):
            kept = sp.csr_array(X, copy=True)
            kept.data *= rng.random(len(kept.data)) >= self.rate
            return kept
        return X * (rng.random(X.shape) >= self.rate)
