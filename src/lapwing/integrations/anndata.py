"""Predict the types of all cells from a few known types. The data is an AnnData object.

This module does not import scanpy or anndata. It reads ``obs``, ``obsm``, ``obsp`` and ``X``.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..estimators import LapRLSClassifier
from ..graphs import Given
from ..regularizers import Laplacian
from ..targets.markers import is_missing


def annotate(
    adata,
    key: str,
    *,
    use_rep: str = "X_pca",
    graph: str | None = "connectivities",
    unlabeled=None,
    estimator=None,
    key_added: str | None = None,
):
    """Predict the type of cells with unknown type from the cells with known type.

    Parameters
    ----------
    adata : AnnData
        The data. It is changed in place: see *Returns*.
    key : str
        The column of ``adata.obs`` with the types. It is missing (NaN) for cells of unknown type.
    use_rep : str, default="X_pca"
        The representation in ``adata.obsm``. "X" is ``adata.X``.
    graph : str or None, default="connectivities"
        The neighbor graph in ``adata.obsp``, such as that of scanpy. With None the estimator
        chooses a graph.
    unlabeled : str, optional
        A value that also marks cells of unknown type, such as "unknown".
    estimator : classifier of Lapwing, optional
        None is ``LapRLSClassifier``. Its ``regularizer`` is set to the graph.
    key_added : str, optional
        The beginning of the names of the new columns. None is ``f"{key}_lapwing"``.

    Returns
    -------
    estimator
        The fitted estimator. ``adata.obs`` has three new columns. ``key_added`` holds the predicted
        type, a category. ``key_added + "_confidence"`` holds its probability.
        ``key_added + "_reached"`` says whether the graph connects the cell to a labeled cell.

    Raises
    ------
    ValueError
        If ``adata`` lacks the column, the representation or the graph.

    Examples
    --------
    >>> annotate(adata, "cell_type")                      # doctest: +SKIP
    >>> adata.obs["cell_type_lapwing_confidence"].mean()  # doctest: +SKIP
    """
    X = _representation(adata, use_rep)
    y = _types(adata, key, unlabeled)
    model: Any = LapRLSClassifier() if estimator is None else estimator
    if graph is not None:
        model.set_params(regularizer=Laplacian(Given(_graph(adata, graph)), degree=2))
    model.fit(X, y)
    answer = np.asarray(model.transduction_)
    p = model.predict_proba(X)
    place = {name: i for i, name in enumerate(model.classes_.tolist())}
    at = np.array([place[name] for name in answer.tolist()])
    name = f"{key}_lapwing" if key_added is None else key_added
    adata.obs[name] = answer.astype(object)
    adata.obs[name] = adata.obs[name].astype("category")
    adata.obs[f"{name}_confidence"] = p[np.arange(len(p)), at]
    adata.obs[f"{name}_reached"] = ~np.asarray(model.unreached_)
    return model


def _representation(adata, use_rep: str):
    if use_rep == "X":
        return sp.csr_array(adata.X) if sp.issparse(adata.X) else np.asarray(adata.X)
    if use_rep not in adata.obsm:
        raise ValueError(
            f"adata.obsm has no {use_rep!r}; it has {sorted(adata.obsm)}. Compute it "
            '(scanpy.pp.pca), or use use_rep="X".'
        )
    return np.asarray(adata.obsm[use_rep], dtype=float)


def _types(adata, key: str, unlabeled) -> np.ndarray:
    if key not in adata.obs:
        raise ValueError(f"adata.obs has no column {key!r}; it has {list(adata.obs.columns)}.")
    values = adata.obs[key].astype(object).to_list()
    y = np.empty(len(values), dtype=object)
    y[:] = [None if is_missing(v) or v == unlabeled else v for v in values]
    return y


def _graph(adata, graph: str):
    if graph not in adata.obsp:
        raise ValueError(
            f"adata.obsp has no {graph!r}; it has {sorted(adata.obsp)}. Compute it "
            "(scanpy.pp.neighbors), or give graph=None."
        )
    W = sp.csr_array(adata.obsp[graph]).astype(float)
    return W.maximum(W.T)
