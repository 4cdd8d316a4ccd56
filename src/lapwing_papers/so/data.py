"""The two data sets of SO, as our copies allow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from ..datasets import load_newsgroups, load_teapots

GROUPS = (
    "comp.sys.mac.hardware",
    "misc.forsale",
    "rec.sport.baseball",
    "rec.sport.hockey",
    "soc.religion.christian",
    "talk.politics.guns",
    "talk.politics.mideast",
)
"""Seven groups in a hierarchy; the paper does not name its own."""


@dataclass(frozen=True)
class Draw:
    """One repetition: training rows (some labeled), and unseen rows.

    Attributes
    ----------
    X_train, X_test : arrays or CSR matrices
    y_train, y_test : integer arrays
        Positions among the outputs.
    """

    X_train: object
    y_train: np.ndarray
    X_test: object
    y_test: np.ndarray

    def labels(self, per_class: int) -> np.ndarray:
        """y with −1 except on the first ``per_class`` training rows of each class."""
        y = np.full(len(self.y_train), -1)
        for c in np.unique(self.y_train):
            rows = np.flatnonzero(self.y_train == c)[:per_class]
            y[rows] = c
        return y


@cache
def newsgroups(data_home):
    """(X, y) of all messages of the seven groups: tf-idf with sublinear counts, no label used.

    Vocabulary and document frequencies come from all of these messages.
    """
    data = load_newsgroups(data_home, GROUPS)
    tfidf = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2)
    return tfidf.fit_transform(data.text), data.y


@cache
def teapots(data_home):
    """100 images as coordinates in their span, which keeps inner products and distances."""
    images = load_teapots(data_home).X
    left, stretch, _ = np.linalg.svd(images.reshape(len(images), -1), full_matrices=False)
    return left * stretch


def draw_newsgroups(data_home, seed: int, n_train: int = 100, n_test: int = 50) -> Draw:
    """So many random messages of each group, in random order."""
    X, y = newsgroups(data_home)
    rng = np.random.default_rng(seed)
    chosen = [
        rng.permutation(np.flatnonzero(y == c))[: n_train + n_test] for c in range(len(GROUPS))
    ]
    train = np.concatenate([rows[:n_train] for rows in chosen])
    test = np.concatenate([rows[n_train:] for rows in chosen])
    return Draw(X[train], y[train], X[test], y[test])


def draw_teapots(data_home, seed: int, n_train: int = 6) -> Draw:
    """10 clusters of 8 images, two images dropped between clusters; 6 of 8 to train."""
    X = teapots(data_home)
    rng = np.random.default_rng(seed)
    chosen = [10 * cluster + 1 + rng.permutation(8) for cluster in range(10)]
    train = np.concatenate([rows[:n_train] for rows in chosen])
    test = np.concatenate([rows[n_train:] for rows in chosen])
    return Draw(X[train], train // 10, X[test], test // 10)
