"""Web pages, news stories and newsgroup messages."""

import numpy as np
import scipy.sparse as sp
from sklearn.utils import Bunch

from .catalog import CATALOG


def load_webkb(data_home=None) -> Bunch:
    """1,051 web pages, course or not, seen as the words on the page and on the links to it.

    Returns
    -------
    Bunch
        ``page`` (1051, 3000) and ``link`` (1051, 1840), tf-idf with unit rows (five rows of each
        are all zero), ``y`` 1 for the 230 courses and 0 for the others.

    References
    ----------
    MR Table 5, Fig. 8; MV.
    """
    file = CATALOG["webkb"].open(data_home)
    return Bunch(
        page=file["page"].astype(float), link=file["link"].astype(float),
        y=(file["y"].ravel() > 0).astype(int),
    )  # fmt: skip


def load_rcv1_subset(data_home=None) -> Bunch:
    """6,000 Reuters stories with 101 topics.

    Returns
    -------
    Bunch
        ``X`` (6000, 47236) CSR, ``Y`` (6000, 101) of 0 and 1.

    References
    ----------
    VV Table 1, which keeps the 2,900 most frequent words and 25 topics.
    """
    features, labels = CATALOG["rcv1"].locate(data_home)
    with np.load(labels, allow_pickle=False) as file:
        Y = file["Y"].astype(float)
    return Bunch(X=sp.csr_array(sp.load_npz(features)), Y=Y)


def load_newsgroups(data_home=None, groups=None) -> Bunch:
    """18,846 messages of 20 newsgroups, headers included, or those of the groups named.

    Parameters
    ----------
    data_home : path or None
        A directory that holds ``20news_bydate_raw.npz``; None downloads into the cache.
    groups : sequence of str, optional

    Returns
    -------
    Bunch
        ``text`` list of str, ``y`` positions in ``groups``, ``groups`` tuple of str,
        ``is_train`` the split by date.

    References
    ----------
    SO Tables III and IV.
    """
    file = CATALOG["newsgroups"].open(data_home)
    names = [str(name) for name in file["target_names"]]
    groups = tuple(names) if groups is None else tuple(groups)
    unknown = [g for g in groups if g not in names]
    if unknown:
        raise ValueError(f"{unknown} are no newsgroups; expected some of {names}.")
    text, offsets = file["text"], file["offsets"]
    position = np.full(len(names), -1)
    position[[names.index(g) for g in groups]] = np.arange(len(groups))
    y = position[file["y"]]
    rows = np.flatnonzero(y >= 0)
    return Bunch(
        text=[text[offsets[i] : offsets[i + 1]].tobytes().decode("latin-1") for i in rows],
        y=y[rows],
        groups=groups,
        is_train=file["is_train"][rows],
    )
