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

from ...pointcloud import MultiViewKernel
from ...regularizers import get_regularizer
from .draws import draw

NAMES = ("pix", "fou", "fac", "zer", "kar", "mor")
GAMMA_A = 1e-6  # the automatic rules at k(x, x) = 1
SMOOTHNESS = 1e-3  # γ_I/n²
LAMBDA = 10.0 * GAMMA_A


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
        self._draws = [draw(self.y, labels, seed) for seed in range(count)]
        return self._draws

    def score(self, values: np.ndarray, y: np.ndarray) -> float:
        return 100.0 * float(np.mean(values.argmax(axis=1) != y))

    def kernels(self) -> dict:
        found: dict = {name: partial(self.kernel, [name]) for name in NAMES}
        found["six views, no Laplacians"] = partial(self.kernel, NAMES, own=False)
        found["six views, own Laplacians"] = partial(self.kernel, NAMES)
        return found

    def kernel(self, names, own: bool = True) -> np.ndarray:
        """k̃ between all rows and those that are labelled in some draw."""
        M = SMOOTHNESS / LAMBDA * get_regularizer(None) if own else None
        views = [(name, "rbf", self.columns[name], M, StandardScaler()) for name in names]
        kernel = MultiViewKernel(views, gammas=GAMMA_A, lam=LAMBDA).fit(self.X)
        labelled = np.unique(np.concatenate(self._draws))
        K = np.full((len(self.y), len(self.y)), np.nan)
        K[:, labelled] = kernel(self.X, self.X[labelled])
        K[np.ix_(labelled, labelled)] = kernel(self.X[labelled])
        return K
