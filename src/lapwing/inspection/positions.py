"""Where each point is drawn: data of any dimension in the plane."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.utils import check_array


def in_the_plane(X) -> tuple[np.ndarray, str]:
    """Rows of X as points of the plane, and what the two axes then show.

    One column is laid on a line, two are taken as they are, more are projected on their first
    two principal components, or, where X is sparse, on the first two singular directions, which
    need no centring and so no dense copy.

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
        dense = X.toarray() if sp.issparse(X) else X
        return np.column_stack([dense, np.zeros((n, 2 - d))]), "feature"
    if sp.issparse(X):
        return TruncatedSVD(2, random_state=0).fit_transform(X), "singular direction"
    # a single row has no principal direction: it is its own centre
    scores = PCA(2, random_state=0).fit_transform(X) if n > 1 else np.zeros((1, 2))
    return scores, "principal component"


def check_positions(positions, n: int | None = None) -> np.ndarray:
    """An (n, 2) array of finite numbers, or one clear error."""
    positions = check_array(positions, dtype=np.float64, input_name="positions")
    if positions.shape[1] != 2:
        raise ValueError(
            f"A picture needs positions of shape (n, 2), got {positions.shape}: choose two columns."
        )
    if n is not None and len(positions) != n:
        raise ValueError(f"There are {len(positions)} positions for {n} points: give one each.")
    return positions
