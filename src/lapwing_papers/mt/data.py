"""The thirteen data sets of MT Table I: splitting and standardizing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..datasets import load_multi_target

DATASETS = (
    "atp1d", "atp7d", "edm", "enb", "jura", "oes10", "oes97",
    "osales", "sarcossub", "scpf", "sf1", "sf2", "wq",
)  # fmt: skip

TRAIN_SHARE, LABELED_SHARE = 0.75, 0.30
SARCOS_ROWS = 1000


@dataclass(frozen=True)
class Split:
    """One draw: y is NaN on the unlabeled rows of the training part."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    @property
    def n_labeled(self) -> int:
        return int((~np.isnan(self.y)).any(axis=1).sum())


def draw(name: str, data_home, seed: int) -> Split:
    """A split of one data set; SARCOS's 1,000 rows are drawn anew from the file of 4,449."""
    sarcos = name == "sarcossub"
    data = load_multi_target("sarcos" if sarcos else name, data_home)
    return split(data.X, data.Y, seed, SARCOS_ROWS if sarcos else None)


def split(X: np.ndarray, Y: np.ndarray, seed: int, most_rows: int | None = None) -> Split:
    """75/25 split, labels on 30 % of the training rows, everything in units of those rows.

    Features are centered and scaled by the training rows, missing ones set to their mean,
    constant ones dropped. Targets are expressed in the training rows' mean and deviation (the
    paper uses the whole set): a change of units, the same for all methods, in which predicting
    the mean scores about 1. Of more rows than ``most_rows``, a draw of so many is split.
    """
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(X))[:most_rows]
    cut = round(TRAIN_SHARE * len(rows))
    train, test = rows[:cut], rows[cut:]
    X, Y = _standardized(X, train), _standardized(Y, train, drop=False)
    y = Y[train]
    y[round(LABELED_SHARE * cut) :] = np.nan
    return Split(X[train], y, X[test], Y[test])


def _standardized(A: np.ndarray, train: np.ndarray, drop: bool = True) -> np.ndarray:
    mean, deviation = np.nanmean(A[train], axis=0), np.nanstd(A[train], axis=0)
    varies = deviation > 1e-12 * np.maximum(np.abs(mean), 1e-300)
    Z = np.nan_to_num((A - mean) / np.where(varies, deviation, 1.0))
    return Z[:, varies] if drop else Z
