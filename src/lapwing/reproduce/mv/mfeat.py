"""Multiple features: 2000 digits seen through six sets of features, 2 labels per class.

Everything is the library's default: RBF kernels at the median distance, ``Laplacian(KNN(),
degree=2)`` in each view, γ_A, γ_I and γ_C by the automatic rules, view weights 1/6. Columns are
standardised, each view by a scaler of its own.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from sklearn.preprocessing import StandardScaler

from ...kernels import RBF, OnColumns
from ...pointcloud import DeformedKernel, MultiViewKernel
from ...regularizers import get_regularizer
from .draws import draw

NAMES = ("pix", "fou", "fac", "zer", "kar", "mor")
GAMMA_A = 1e-6  # the automatic rules at k(x, x) = 1
SMOOTHNESS = 1e-3  # γ_I/n²
LAMBDA = 10.0 * GAMMA_A / 15  # fifteen pairs of views
FIRST_SEED = 10_000  # draws that were never looked at while the library was written


class MFeat:
    """The data, and the kernels to compare on it."""

    def __init__(self, directory, rows: int | None = None):
        with np.load(Path(directory) / "mfeat.npz", allow_pickle=False) as file:
            blocks = [file[name].astype(float) for name in NAMES]
            y = file["y"].ravel().astype(int)
        keep = np.arange(len(y)) if rows is None else np.random.default_rng(0).permutation(len(y))
        keep = np.sort(keep[:rows])
        self.y = y[keep]
        self.X = np.hstack(blocks)[keep]
        ends = np.cumsum([0, *(block.shape[1] for block in blocks)])
        self.columns = {
            name: slice(int(a), int(b))
            for name, a, b in zip(NAMES, ends[:-1], ends[1:], strict=True)
        }

    single = NAMES

    def draws(self, count: int) -> list[np.ndarray]:
        labels = dict.fromkeys(np.unique(self.y), 2)
        self._draws = [draw(self.y, labels, FIRST_SEED + i) for i in range(count)]
        return self._draws

    def score(self, values: np.ndarray, y: np.ndarray) -> float:
        return 100.0 * float(np.mean(values.argmax(axis=1) != y))

    def kernels(self) -> dict:
        found: dict = {name: partial(self.kernel, [name]) for name in NAMES}
        found["six views, own Laplacians"] = partial(self.kernel, NAMES)
        found["summed kernel, graph of the sum"] = self.summed
        return found

    def kernel(self, names) -> np.ndarray:
        """The given views co-regularised, each with its own Laplacian."""
        M = SMOOTHNESS / LAMBDA * get_regularizer(None)
        views = [(name, "rbf", self.columns[name], M, StandardScaler()) for name in names]
        return self._columns(MultiViewKernel(views, gammas=GAMMA_A, lam=LAMBDA), self.X, 1.0)

    def summed(self) -> np.ndarray:
        """The mean of the six kernels, and one graph of all columns, each view counting alike."""
        blocks = [StandardScaler().fit_transform(self.X[:, at]) for at in self.columns.values()]
        X = np.hstack([block / np.sqrt(block.shape[1]) for block in blocks])
        first, *others = (OnColumns(RBF(), at) for at in self.columns.values())
        kernel = 1 / 6 * sum(others, start=first)
        return self._columns(DeformedKernel(kernel, None, SMOOTHNESS / GAMMA_A), X, 1 / GAMMA_A)

    def _columns(self, kernel, X: np.ndarray, scale: float) -> np.ndarray:
        """k̃ between all rows and those that are labelled in some draw; NaN elsewhere."""
        labelled = np.unique(np.concatenate(self._draws))
        K = np.full((len(X), len(X)), np.nan)
        kernel.fit(X)
        K[:, labelled] = scale * kernel(X, X[labelled])
        K[np.ix_(labelled, labelled)] = scale * kernel(X[labelled])
        return K
