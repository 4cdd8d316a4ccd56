"""Downloads are whole and right, or leave nothing behind and say why."""

import bz2
import io
import socket
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file

from lapwing_papers.datasets import (
    CATALOG,
    DownloadError,
    load_multi_target,
    load_multiple_features,
    load_rcv1_subset,
)
from lapwing_papers.datasets.arff import read_arff
from lapwing_papers.datasets.convert import VIEWS, targets
from lapwing_papers.datasets.download import Source, fetch
from lapwing_papers.datasets.files import DataFiles, fingerprint


def left(folder):
    return sorted(p.name for p in folder.rglob("*") if p.is_file()) if folder.exists() else []


def test_a_good_file_is_kept_and_not_asked_for_again(place, tmp_path, capsys):
    place.files["a.bin"] = bytes(range(256)) * 1000
    source = Source(f"{place.url}/a.bin", place.checksum("a.bin"))
    path = fetch(source, tmp_path)
    assert path.read_bytes() == place.files["a.bin"]
    assert "a.bin" in capsys.readouterr().err
    fetch(source, tmp_path)
    assert place.asked == ["a.bin"] and left(tmp_path) == ["a.bin"]


def test_a_file_that_was_changed_on_disk_is_fetched_again(place, tmp_path):
    place.files["a.bin"] = b"right"
    source = Source(f"{place.url}/a.bin", place.checksum("a.bin"))
    (tmp_path / "a.bin").write_bytes(b"wrong")
    assert fetch(source, tmp_path).read_bytes() == b"right"


def test_a_cut_off_file_is_an_error_and_nothing_is_left(place, tmp_path):
    place.files["a.bin"] = b"x" * 200_000
    place.cut.add("a.bin")
    source = Source(f"{place.url}/a.bin", place.checksum("a.bin"))
    with pytest.raises(DownloadError, match="100000 of 200000"):
        fetch(source, tmp_path)
    assert left(tmp_path) == []


def test_a_wrong_file_is_an_error_and_nothing_is_left(place, tmp_path):
    place.files["a.bin"] = b"another"
    with pytest.raises(DownloadError, match="checksum"):
        fetch(Source(f"{place.url}/a.bin", "md5:" + "0" * 32), tmp_path)
    assert left(tmp_path) == []


def test_a_refusal_says_so(place, tmp_path):
    with pytest.raises(DownloadError, match="answered 404"):
        fetch(Source(f"{place.url}/nothing", "md5:0"), tmp_path)


def test_without_a_connection_the_message_names_the_way_out(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(DownloadError, match=r"no connection.*--data DIR"):
        fetch(Source(f"http://127.0.0.1:{port}/a", "md5:0"), tmp_path)
    assert left(tmp_path) == []


def arff(X, Y) -> bytes:
    A = np.hstack([X, Y])
    head = "@relation r\n" + "".join(f"@attribute 'c {i}' numeric\n" for i in range(A.shape[1]))
    rows = [",".join("?" if np.isnan(v) else repr(float(v)) for v in row) for row in A]
    return (head + "\n@data\n" + "\n".join(rows) + "\n").encode()


def small_set(place, Y_served=None):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    X[1, 2] = np.nan
    place.files["small.arff"] = arff(X, Y if Y_served is None else Y_served)
    content = fingerprint({"X": X, "Y": Y})
    source = Source(f"{place.url}/small.arff")
    return DataFiles("small", ("mtr/small.npz",), "here", (source,), targets(2), content), X, Y


def test_a_data_set_is_downloaded_once_into_the_cache(place, tmp_path, monkeypatch):
    monkeypatch.setenv("LAPWING_DATA", str(tmp_path))
    small, X, Y = small_set(place)
    for _ in range(2):
        arrays = small.open()
        np.testing.assert_array_equal(arrays["X"], X)
        np.testing.assert_array_equal(arrays["Y"], Y)
    assert place.asked == ["small.arff"]
    assert left(tmp_path) == ["small.arff", "small.npz"]


def test_other_numbers_than_the_papers_are_refused(place, tmp_path, monkeypatch):
    monkeypatch.setenv("LAPWING_DATA", str(tmp_path))
    small, _, _ = small_set(place, Y_served=np.zeros((6, 2)))
    with pytest.raises(DownloadError, match="is not the small"):
        small.open()
    assert "small.npz" not in left(tmp_path)


def test_the_fingerprint_is_of_the_numbers():
    A = np.array([[1.0, np.nan], [-0.0, 2.5]])
    same = fingerprint({"X": A.astype(np.float32), "names": np.array(["a", "b"])})
    assert fingerprint({"X": A}) == same == fingerprint({"X": np.abs(A)})
    assert fingerprint({"X": A + 1}) != same and fingerprint({"Y": A}) != same


def test_nominal_values_become_columns(tmp_path):
    (tmp_path / "a.arff").write_text(
        "% a comment\n@relation r\n@attribute kind {A, B,'C c', D}\n"
        '@attribute "x\'1" numeric\n@ATTRIBUTE z real\n\n@data\n'
        "B, 1, 2\n'C c', ?, 3\n?, 5, 6\n% another\nB, 7, 8\n"
    )
    X, names = read_arff(tmp_path / "a.arff")
    assert names == ["kind=B", "kind=C c", "x'1", "z"]
    nan = np.nan
    np.testing.assert_array_equal(X, [[1, 0, 1, 2], [0, 1, nan, 3], [nan, nan, 5, 6], [1, 0, 7, 8]])


@pytest.mark.parametrize("name", ["edm", "osales", "jura"])
def test_a_multi_target_set_survives_its_public_format(name, place, data, tmp_path, monkeypatch):
    """Written as ARFF, served, downloaded and read again: the fingerprint in the catalog."""
    ours = load_multi_target(name, data)
    place.files[f"{name}.arff"] = arff(ours.X, ours.Y)
    source = Source(f"{place.url}/{name}.arff")
    monkeypatch.setitem(CATALOG, name, replace(CATALOG[name], sources=(source,)))
    monkeypatch.setenv("LAPWING_DATA", str(tmp_path))
    found = load_multi_target(name)
    np.testing.assert_array_equal(found.X, ours.X)
    np.testing.assert_array_equal(found.Y, ours.Y)


def test_multiple_features_survive_their_public_format(place, data, tmp_path, monkeypatch):
    ours = load_multiple_features(data)
    for view in VIEWS:
        lines = [" ".join(f"{v:.9g}" for v in row) for row in ours.views[view]]
        place.files[f"mfeat-{view}"] = "\n".join(lines).encode()
    sources = tuple(Source(f"{place.url}/mfeat-{view}") for view in VIEWS)
    monkeypatch.setitem(CATALOG, "mfeat", replace(CATALOG["mfeat"], sources=sources))
    monkeypatch.setenv("LAPWING_DATA", str(tmp_path))
    found = load_multiple_features()
    np.testing.assert_array_equal(found.y, ours.y)
    np.testing.assert_allclose(found.views["fou"], ours.views["fou"], rtol=1e-6)


def test_rcv1_survives_its_public_format(place, data, tmp_path, monkeypatch):
    """Written as LIBSVM's two files, served, downloaded and read again."""
    ours = load_rcv1_subset(data)
    rows = {"train": range(40), "test": range(40, 60)}
    for part, at in rows.items():
        text = io.BytesIO()
        labels = sp.csr_matrix(ours.Y[list(at)])
        dump_svmlight_file(ours.X[list(at)], labels, text, zero_based=False, multilabel=True)
        place.files[f"rcv1-{part}.svm.bz2"] = bz2.compress(text.getvalue())
    sources = tuple(Source(f"{place.url}/rcv1-{part}.svm.bz2") for part in rows)
    monkeypatch.setitem(CATALOG, "rcv1", replace(CATALOG["rcv1"], sources=sources))
    monkeypatch.setenv("LAPWING_DATA", str(tmp_path))
    for _ in range(2):
        found = load_rcv1_subset()
    assert len(place.asked) == 2
    np.testing.assert_array_equal(found.Y, ours.Y[:60])
    assert found.X.shape == (60, 47236) and abs(found.X - ours.X[:60]).max() < 1e-6


@pytest.mark.parametrize("name", ["webkb", "uspst", "teapots"])
def test_what_cannot_be_downloaded_says_why(name, tmp_path, monkeypatch):
    monkeypatch.setenv("LAPWING_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"cannot be downloaded.*data_home"):
        CATALOG[name].locate()


def test_a_directory_without_the_file_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"usps\.npz"):
        CATALOG["usps"].locate(tmp_path)
