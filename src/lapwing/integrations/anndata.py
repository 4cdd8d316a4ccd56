"""Cell types for all cells from those of a few: AnnData in, columns of ``obs`` out.

Nothing of scanpy or anndata is imported: only ``obs``, ``obsm``, ``obsp`` and ``X`` are asked for.
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
    """Answer the cells whose type is not known from those whose type is.

    Parameters
    ----------
    adata : AnnData
        Changed in place: see *Returns*.
    key : str
        The column of ``adata.obs`` with the types; cells of unknown type are missing there.
    use_rep : str, default="X_pca"
        The representation in ``adata.obsm``; "X" is ``adata.X``.
    graph : str or None, default="connectivities"
        The neighbor graph in ``adata.obsp``, such as scanpy's; None lets the estimator choose one.
    unlabeled : str, optional
        What else marks a cell of unknown type, such as "unknown".
    estimator : classifier of Lapwing, optional
        None is ``LapRLSClassifier``; its ``regularizer`` is set to the graph.
    key_added : str, optional
        The beginning of the columns' names; None is ``f"{key}_lapwing"``.

    Returns
    -------
    estimator
        Fitted. ``adata.obs`` has got ``key_added`` (the answer, a category), and with
        ``_confidence`` and ``_reached`` behind it the probability of the answer and whether the
        graph joins the cell with a labeled one.

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
