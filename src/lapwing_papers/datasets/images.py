"""USPS digits, spoken letters and the turning teapot."""

import numpy as np
from sklearn.utils import Bunch

from .catalog import CATALOG


def load_usps(data_home=None) -> Bunch:
    """9,298 handwritten digits of 16 × 16 pixels in [−1, 1]; the first 7,291 rows are to train.

    Parameters
    ----------
    data_home : path or None
        A directory that holds ``usps.npz``; None downloads (once) into the cache.

    Returns
    -------
    Bunch
        ``X`` (9298, 256), ``y`` (9298,) digits, ``n_train`` 7291.

    References
    ----------
    MR §5.2, Figs. 4 and 5.
    """
    file = CATALOG["usps"].open(data_home)
    return Bunch(X=file["X"].astype(float), y=file["y"].astype(int), n_train=int(file["n_train"]))


def load_uspst(data_home=None) -> Bunch:
    """2,007 digits with the ten splits of Chapelle and Zien (2005): 50 labeled, 1,957 not.

    Returns
    -------
    Bunch
        ``X`` (2007, 256), ``y`` (2007,), ``labeled`` (10, 50), ``unlabeled`` (10, 1957).

    References
    ----------
    MR Table 3.
    """
    file = CATALOG["uspst"].open(data_home)
    return Bunch(
        X=file["X"].astype(float), y=file["y"].ravel().astype(int),
        labeled=file["idxLabs"], unlabeled=file["idxUnls"],
    )  # fmt: skip


def load_isolet(data_home=None) -> Bunch:
    """7,797 utterances of the 26 letters by 150 speakers, 617 acoustic features.

    Returns
    -------
    Bunch
        ``X`` (7797, 617), ``y`` letters 1 … 26, ``group`` 1 … 5 (isolet1 … isolet5), ``speaker``
        0 … 29 within group 1 (inferred from the order of the rows), −1 elsewhere.

    References
    ----------
    MR §5.3, Table 4, Figs. 6 and 7.
    """
    file = CATALOG["isolet"].open(data_home)
    return Bunch(
        X=file["X"].astype(float), y=file["y"].astype(int),
        group=file["group"].astype(int), speaker=file["speaker"].astype(int),
    )  # fmt: skip


def load_teapots(data_home=None) -> Bunch:
    """100 color images of a teapot on one full turn, in order.

    Returns
    -------
    Bunch
        ``X`` (100, 76, 101, 3) in [0, 1].

    References
    ----------
    SO Tables I and II, which have 400 images of such a turn.
    """
    file = CATALOG["teapots"].open(data_home)
    return Bunch(X=file["X"].astype(float) / 255.0)


def load_mnist(data_home=None) -> Bunch:
    """70,000 handwritten digits of 28 × 28 pixels; the first 60,000 rows are to train.

    Returns
    -------
    Bunch
        ``X`` (70000, 784) of bytes, ``y`` (70000,), ``n_train`` 60000.
    """
    file = CATALOG["mnist"].open(data_home)
    return Bunch(X=file["X"], y=np.asarray(file["y"], dtype=int), n_train=int(file["n_train"]))
