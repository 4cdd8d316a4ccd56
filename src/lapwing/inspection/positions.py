"""The positions of points in the plane, for data of any dimension."""

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from sklearn.utils import check_array
from sklearn.utils.extmath import randomized_svd

from ..types import MatrixLike

FEWEST, MOST = 12, 3000  # the fewest and the most points for t-SNE
DIRECTIONS = 50  # singular directions that t-SNE reads


def in_the_plane(X: MatrixLike) -> tuple[np.ndarray, str]:
    """The rows of X as points of the plane, and the name of the two axes.

    One column is drawn on a line. Two columns are used directly. More columns are projected on
    their first two principal components. A sparse X is projected on its first two singular
    directions, because they need no centering and no dense copy.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)

    Returns
    -------
    positions : array of shape (n, 2)
    axis : {"feature", "principal component", "singular direction"}

    Examples
    --------
    >>> import numpy as np
    >>> in_the_plane(np.array([[1.0], [2.0]]))[0]
    array([[1., 0.],
           [2., 0.]])
    """
    X = check_array(X, accept_sparse="csr", dtype=np.float64)
    n, d = X.shape
    if d <= 2:
        return _two_columns(X.toarray() if sp.issparse(X) else X), "feature"
    if sp.issparse(X):
        U, s, _ = randomized_svd(X, 2, random_state=0)
        return _two_columns(U * s), "singular direction"
    if (X[0] == X).all():  # all rows are equal: there is no principal direction
        return np.zeros((n, 2)), "principal component"
    return PCA(2, random_state=0).fit_transform(X), "principal component"


def unfolded(X: MatrixLike) -> tuple[np.ndarray, str]:
    """:func:`in_the_plane`, but with neighbors in many dimensions drawn near each other.

    In a projection, clusters may overlap, and a graph is then unreadable. t-SNE keeps neighbors
    together. It starts from the first principal components and is therefore repeatable. With more
    than 3000 points, or fewer than 12, the projection is used.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)

    Returns
    -------
    positions : array of shape (n, 2)
    axis : str
    """
    positions, axis = in_the_plane(X)
    n = len(positions)
    if axis == "feature" or not FEWEST <= n <= MOST or not positions.any():
        return positions, axis
    X = check_array(X, accept_sparse="csr", dtype=np.float64)
    if sp.issparse(X) or X.shape[1] > DIRECTIONS:
        U, s, _ = randomized_svd(X, min(DIRECTIONS, *X.shape), random_state=0)
        X = U * s
    tsne = TSNE(2, init="pca", perplexity=min(30, (n - 1) // 3), random_state=0)
    return tsne.fit_transform(X / (np.abs(X).max() or 1.0)), "t-SNE"


def _two_columns(P: np.ndarray) -> np.ndarray:
    """P, with a column of zeros if P has less than two columns."""
    return np.column_stack([P, np.zeros((len(P), 2 - P.shape[1]))])


def check_positions(positions: MatrixLike, n: int | None = None) -> np.ndarray:
    """Check that positions are an (n, 2) array of finite numbers, and return it."""
    positions = check_array(positions, dtype=np.float64, input_name="positions")
    if positions.shape[1] != 2:
        raise ValueError(
            f"A picture needs positions of shape (n, 2), got {positions.shape}: choose two columns."
        )
    if n is not None and len(positions) != n:
        raise ValueError(f"There are {len(positions)} positions for {n} points: give one each.")
    return positions
