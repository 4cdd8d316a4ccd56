"""The two data sets of VV, as our copies allow."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp


@dataclass(frozen=True)
class Draw:
    """A choice of labelled rows in a fixed split.

    Attributes
    ----------
    X_train, X_test : arrays or CSR matrices
    Y_train, Y_test : arrays of 0 and 1
    labelled : boolean array over the training rows
    """

    X_train: Any
    Y_train: np.ndarray
    X_test: Any
    Y_test: np.ndarray
    labelled: np.ndarray

    @property
    def Y(self) -> np.ndarray:
        """The targets with NaN on the unlabelled training rows."""
        return np.where(self.labelled[:, None], self.Y_train, np.nan)


class Split:
    """Half of the rows to train (a fixed random choice), the other half unseen.

    Parameters
    ----------
    X, Y : the whole data set
    n_train, n_labelled : int
    """

    def __init__(self, X, Y: np.ndarray, n_train: int, n_labelled: int):
        rows = np.random.default_rng(0).permutation(X.shape[0])
        self.train, self.test = rows[:n_train], rows[n_train:]
        self.X, self.Y, self.n_labelled = X, Y, n_labelled

    def draw(self, seed: int) -> Draw:
        """Other labelled rows for each seed, the same split."""
        chosen = np.random.default_rng(1 + seed).permutation(len(self.train))[: self.n_labelled]
        labelled = np.zeros(len(self.train), dtype=bool)
        labelled[chosen] = True
        return Draw(
            self.X[self.train], self.Y[self.train], self.X[self.test], self.Y[self.test], labelled
        )


def scene(directory) -> Split:
    """2407 images, 294 colour moments, 6 labels; 1204 to train, 100 labelled."""
    data = np.load(Path(directory) / "scene.npz", allow_pickle=False)
    return Split(data["X"], data["Y"].astype(float), 1204, 100)


def rcv1(directory, n_words: int = 2900, n_categories: int = 25) -> Split:
    """6000 news stories; 3000 to train, 50 labelled.

    The paper "eliminated words with small document and category frequencies" down to 2900 words
    and 25 categories: the most frequent ones here.
    """
    X = sp.load_npz(Path(directory) / "rcv1sub1.X.npz").tocsr()
    Y = np.load(Path(directory) / "rcv1sub1.npz", allow_pickle=False)["Y"].astype(float)
    words = _most_frequent(np.asarray((X > 0).sum(axis=0)).ravel(), n_words)
    categories = _most_frequent(Y.sum(axis=0), n_categories)
    return Split(sp.csr_array(X[:, words]), Y[:, categories], 3000, 50)


def _most_frequent(counts: np.ndarray, n: int) -> np.ndarray:
    return np.sort(np.argsort(-counts, kind="stable")[:n])
