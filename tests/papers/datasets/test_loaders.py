"""The loaders read the layout of ../shared/data."""

import numpy as np
import pytest

from lapwing_papers import datasets
from lapwing_papers.datasets import CATALOG, TARGET_SETS
from lapwing_papers.datasets.files import fingerprint


def test_usps(data):
    usps = datasets.load_usps(data)
    assert usps.X.shape == (9298, 256) and usps.n_train == 7291
    assert np.abs(usps.X).max() <= 1 and set(usps.y) == set(range(10))


def test_uspst_splits_are_disjoint_and_complete(data):
    found = datasets.load_uspst(data)
    for labeled, unlabeled in zip(found.labeled, found.unlabeled, strict=True):
        assert sorted([*labeled, *unlabeled]) == list(range(2007))
        assert set(found.y[labeled]) == set(found.y)


def test_isolet(data):
    found = datasets.load_isolet(data)
    assert found.X.shape == (7797, 617) and set(found.y) == set(range(1, 27))
    assert np.bincount(found.speaker[found.group == 1]).tolist() == [52] * 30


def test_webkb(data):
    found = datasets.load_webkb(data)
    assert found.page.shape == (1051, 3000) and found.link.shape == (1051, 1840)
    assert found.y.sum() == 230 and set(found.y) == {0, 1}


def test_texts_of_newsgroups(data):
    groups = ("rec.autos", "comp.graphics")
    found = datasets.load_newsgroups(data, groups)
    assert found.groups == groups and len(found.text) == len(found.y) == len(found.is_train)
    cars = [" car" in text for text in found.text]
    assert np.mean(cars, where=found.y == 0) > 2 * np.mean(cars, where=found.y == 1)
    with pytest.raises(ValueError, match=r"alt\.lapwing"):
        datasets.load_newsgroups(data, ["alt.lapwing"])


def test_several_labels_views_and_targets(data):
    assert datasets.load_scene(data).Y.shape == (2407, 6)
    rcv1 = datasets.load_rcv1_subset(data)
    assert rcv1.X.shape == (6000, 47236) and rcv1.Y.shape == (6000, 101)
    views = datasets.load_multiple_features(data).views
    assert {name: X.shape[1] for name, X in views.items()} == {
        "pix": 240, "fou": 76, "fac": 216, "zer": 47, "kar": 64, "mor": 6,
    }  # fmt: skip
    for name in TARGET_SETS:
        found = datasets.load_multi_target(name, data)
        assert len(found.feature_names) == found.X.shape[1]
        assert len(found.target_names) == found.Y.shape[1]
    with pytest.raises(ValueError, match="no multi-target set"):
        datasets.load_multi_target("iris", data)


def test_pictures(data):
    assert datasets.load_teapots(data).X.shape == (100, 76, 101, 3)
    mnist = datasets.load_mnist(data)
    assert mnist.X.shape == (70000, 784) and mnist.n_train == 60000


@pytest.mark.parametrize("name", [n for n, d in CATALOG.items() if d.content])
def test_fingerprints_are_those_of_the_files(name, data):
    arrays = CATALOG[name].open(data)
    own = {
        "mfeat": ("pix", "fou", "fac", "zer", "kar", "mor", "y"),
        "isolet": ("X", "y", "group", "speaker"),
    }
    names = own.get(name, ("X", "Y"))
    assert fingerprint({k: arrays[k] for k in names}) == CATALOG[name].content


def test_every_data_set_is_in_the_catalog(data):
    for entry in CATALOG.values():
        assert all(path.exists() for path in entry.locate(data))
        assert bool(entry.sources) == (entry.convert is not None)
        if entry.sources:
            checked = entry.content or all(source.checksum for source in entry.sources)
            assert checked or entry.name == "rcv1"  # LIBSVM publishes no checksum of it
