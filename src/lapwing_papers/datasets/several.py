"""Several labels, several views, several targets."""

from sklearn.utils import Bunch

from .catalog import CATALOG, TARGET_SETS

VIEWS = ("pix", "fou", "fac", "zer", "kar", "mor")


def load_scene(data_home=None) -> Bunch:
    """2,407 photographs, 294 color moments, 6 labels.

    Returns
    -------
    Bunch
        ``X`` (2407, 294), ``Y`` (2407, 6) of 0 and 1.

    References
    ----------
    VV Table 1.
    """
    file = CATALOG["scene"].open(data_home)
    return Bunch(X=file["X"].astype(float), Y=file["Y"].astype(float))


def load_multiple_features(data_home=None) -> Bunch:
    """2,000 digits seen through six sets of features.

    Returns
    -------
    Bunch
        ``views`` dict of name to array (2000, d), ``y`` (2000,).

    References
    ----------
    UCI Multiple Features; used for MV.
    """
    file = CATALOG["mfeat"].open(data_home)
    views = {name: file[name].astype(float) for name in VIEWS}
    return Bunch(views=views, y=file["y"].ravel().astype(int))


def load_multi_target(name: str, data_home=None) -> Bunch:
    """One of the thirteen multi-target regression sets, NaN where a value is missing.

    Parameters
    ----------
    name : str
        One of :data:`TARGET_SETS`; "sarcos" is the 4,449-row test file.
    data_home : path or None
        A directory that holds ``mtr/<name>.npz``; None downloads into the cache.

    Returns
    -------
    Bunch
        ``X`` (n, d), ``Y`` (n, m), ``feature_names``, ``target_names``.

    References
    ----------
    MT Table I.
    """
    if name not in TARGET_SETS:
        raise ValueError(f"{name!r} is no multi-target set; expected one of {TARGET_SETS}.")
    file = CATALOG[name].open(data_home)
    return Bunch(
        X=file["X"].astype(float), Y=file["Y"].astype(float),
        feature_names=file["feature_names"].tolist(), target_names=file["target_names"].tolist(),
    )  # fmt: skip
