"""Cell types for all cells, from AnnData and from anything that looks like it."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.neighbors import kneighbors_graph

from lapwing import LapSVC
from lapwing.integrations.anndata import annotate

pandas = pytest.importorskip("pandas")
X, TRUTH = make_blobs(150, n_features=8, centers=3, cluster_std=1.5, random_state=0)
NAMES = np.array(["B", "NK", "T"])
KNOWN = np.random.default_rng(0).permutation(150)[:15]


def looks_like_it():
    types = np.full(150, None, dtype=object)
    types[KNOWN] = NAMES[TRUTH[KNOWN]]
    obs = pandas.DataFrame({"cell_type": pandas.Categorical(types)})
    graph = kneighbors_graph(X, 8, mode="connectivity")
    return SimpleNamespace(obs=obs, obsm={"X_pca": X}, obsp={"connectivities": graph}, X=X)


def real():
    anndata = pytest.importorskip("anndata")
    like = looks_like_it()
    like.obs.index = like.obs.index.astype(str)
    return anndata.AnnData(X=X, obs=like.obs, obsm=like.obsm, obsp=like.obsp)


@pytest.mark.parametrize("make", [looks_like_it, real])
@pytest.mark.parametrize("options", [{}, {"graph": None}, {"use_rep": "X"}])
def test_columns_of_obs_are_written(make, options):
    adata = make()
    model = annotate(adata, "cell_type", **options)
    assert adata.obs["cell_type_lapwing"].dtype == "category"
    assert np.mean(adata.obs["cell_type_lapwing"].astype(str) == NAMES[TRUTH]) > 0.95
    sure = adata.obs["cell_type_lapwing_confidence"]
    assert ((sure > 1 / 3 - 1e-9) & (sure <= 1)).all()
    np.testing.assert_array_equal(adata.obs["cell_type_lapwing_reached"], ~model.unreached_)


def test_cells_that_no_label_reaches_are_told():
    adata = looks_like_it()
    lonely = np.flatnonzero(TRUTH == 2)
    adata.obs.loc[lonely, "cell_type"] = None
    W = adata.obsp["connectivities"].tolil()
    W[lonely[:, None], np.flatnonzero(TRUTH != 2)] = 0
    W[np.flatnonzero(TRUTH != 2)[:, None], lonely] = 0
    adata.obsp["connectivities"] = W.tocsr()
    with pytest.warns(UserWarning):
        annotate(adata, "cell_type")
    assert not adata.obs["cell_type_lapwing_reached"][lonely].any()


def test_a_word_for_unknown_and_an_estimator_of_ones_own():
    adata = looks_like_it()
    adata.obs["cell_type"] = adata.obs["cell_type"].astype(object).fillna("unknown")
    model = annotate(adata, "cell_type", unlabeled="unknown", estimator=LapSVC(), key_added="a")
    assert isinstance(model, LapSVC) and set(adata.obs["a"]) == set(NAMES)


@pytest.mark.parametrize(
    "key, options, match",
    [
        ("type", {}, "no column 'type'"),
        ("cell_type", {"use_rep": "X_umap"}, "no 'X_umap'; it has"),
        ("cell_type", {"graph": "distances"}, "no 'distances'; it has"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(key, options, match):
    with pytest.raises(ValueError, match=match):
        annotate(looks_like_it(), key, **options)
