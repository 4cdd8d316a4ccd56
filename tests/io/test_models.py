"""Models as files: small, of known types alone, told by their format, whole or not at all."""

import io
import json
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_digits

from lapwing import LapRLSClassifier, LapSVC
from lapwing.datasets import make_two_moons
from lapwing.io import FORMAT, ModelFileError, former, load, read_header, save, written_beside

skops = pytest.importorskip("skops.io")
HERE = Path(__file__).parent / "models"
X, Y, TRUTH = make_two_moons(120, labels_per_class=5, random_state=0)


@pytest.fixture(scope="module")
def model():
    return LapRLSClassifier(kernel="rbf", regularizer=None, gamma_A=0.01, gamma_I=0.1).fit(X, Y)


def with_header(path, **changes):
    """The file with another header; None takes an entry away."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = {**json.loads(members["lapwing.json"]), **changes}
    members["lapwing.json"] = json.dumps({k: v for k, v in header.items() if v != "gone"}).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


MODELS = [LapRLSClassifier(), LapSVC(), LapRLSClassifier(space="graph")]


@pytest.mark.parametrize("estimator", MODELS)
def test_a_model_reads_back(tmp_path, estimator):
    fitted = clone(estimator).fit(X, Y)
    save(fitted, tmp_path / "m", about={"who": "me"})
    again = load(tmp_path / "m")
    np.testing.assert_allclose(again.predict_proba(X), fitted.predict_proba(X), atol=1e-9)
    header = read_header(tmp_path / "m")
    assert header.format == FORMAT and header.about == {"who": "me"}
    assert [p.name for p in tmp_path.iterdir()] == ["m"]


@pytest.mark.parametrize("space", ["exact", "graph", "landmarks"])
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix])
def test_a_model_of_sparse_rows_reads_back(tmp_path, kind, space):
    """Counts of words are a CSR matrix, and a model holds its rows."""
    rows = kind(np.maximum(X, 0.0))
    given = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": 1e-3, "gamma_I": 1.0}
    fitted = LapRLSClassifier(**given, space=space).fit(rows, Y)
    save(fitted, tmp_path / "m")
    assert_array_equal(load(tmp_path / "m").predict(rows), fitted.predict(rows))


@pytest.mark.parametrize("number", ["x", None, "gone", -1, 0, True, 1.5])
def test_a_damaged_header_is_one_clear_error(tmp_path, model, number):
    save(model, tmp_path / "m")
    with_header(tmp_path / "m", format=number)
    with pytest.raises(ModelFileError, match="damaged"):
        load(tmp_path / "m")


def test_a_newer_format_is_refused(tmp_path, model):
    save(model, tmp_path / "m")
    with_header(tmp_path / "m", format=FORMAT + 1, version="99.0")
    with pytest.raises(ModelFileError, match=r"Lapwing 99\.0 in format 3.*Update Lapwing"):
        load(tmp_path / "m")


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_model_is_said(tmp_path, data):
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(ModelFileError, match="is no model of Lapwing, or it is damaged"):
        load(tmp_path / "m")
    with pytest.raises(ModelFileError, match="no file"):
        load(tmp_path / "n")
    with pytest.raises(ModelFileError, match="is a directory"):
        load(tmp_path)


def test_a_file_that_was_cut_short_or_changed_is_said(tmp_path, model):
    save(model, tmp_path / "m")
    data = (tmp_path / "m").read_bytes()
    (tmp_path / "m").write_bytes(data[: len(data) // 2])
    with pytest.raises(ModelFileError):
        load(tmp_path / "m")
    (tmp_path / "m").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "m", "a") as archive, pytest.warns(UserWarning):
        archive.writestr("schema.json", b'{"__class__": "LapRLSClassifier"}')
    with pytest.raises(ModelFileError, match="cannot be read"):
        load(tmp_path / "m")


def test_foreign_types_are_refused_by_save_and_load(tmp_path, model):
    foreign = clone(model).set_params(kernel=np.dot)
    with pytest.raises(ModelFileError, match=r"cannot be saved, since it holds numpy\.dot"):
        save(foreign, tmp_path / "m")
    assert not list(tmp_path.iterdir())
    packed = io.BytesIO(skops.dumps(foreign))
    (tmp_path / "m").write_bytes(packed.getvalue())
    with pytest.raises(ModelFileError, match=r"does not load: numpy\.dot"):
        load(tmp_path / "m")


def test_a_pickle_is_never_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "sprung"),)

    (tmp_path / "m").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ModelFileError):
        load(tmp_path / "m")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("number", [1, 2])
def test_files_of_the_last_two_formats_are_read(number):
    """Remake them with tests/io/models/make.py only when a format is given up."""
    points = np.loadtxt(HERE / f"format_{number}.csv", delimiter=",", skiprows=1)
    found = load(HERE / f"format_{number}.lapwing")
    assert read_header(HERE / f"format_{number}.lapwing").format == number
    np.testing.assert_allclose(found.decision_function(points[:, :2]), points[:, 2], atol=1e-6)


def test_files_with_former_names_are_read(tmp_path, monkeypatch, model):
    """A type and an attribute are renamed in a file, as if they had been called so before."""
    save(model, tmp_path / "m")
    with zipfile.ZipFile(tmp_path / "m") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    schema = members["schema.json"].decode()
    assert '"RBF"' in schema and '"sigma"' in schema
    schema = schema.replace('"RBF"', '"Bell"').replace("lapwing.kernels.rbf", "lapwing.old.bell")
    members["schema.json"] = schema.replace('"sigma"', '"breadth"').encode()
    with zipfile.ZipFile(tmp_path / "m", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(ModelFileError, match=r"does not load: lapwing\.old\.bell\.Bell"):
        load(tmp_path / "m")
    monkeypatch.setitem(former.TYPES, "lapwing.old.bell.Bell", "lapwing.kernels.rbf.RBF")
    monkeypatch.setitem(former.ATTRIBUTES, "lapwing.kernels.rbf.RBF", {"breadth": "sigma"})
    np.testing.assert_allclose(load(tmp_path / "m").predict_proba(X), model.predict_proba(X))


def test_the_size_is_that_of_the_data(tmp_path):
    points, truth = load_digits(return_X_y=True)
    y = np.where(np.arange(len(truth)) < 100, truth, -1)
    save(LapRLSClassifier().fit(points, y), tmp_path / "m")
    assert (tmp_path / "m").stat().st_size < max(500_000, 3 * points.nbytes)


def test_an_old_file_is_whole_until_the_new_one_is(tmp_path, model):
    path = tmp_path / "m"
    save(model, path)
    before = path.read_bytes()
    with pytest.raises(RuntimeError), written_beside(path) as beside:
        beside.write_bytes(b"half")
        raise RuntimeError
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["m"]
    with pytest.raises(FileNotFoundError, match="no directory"):
        save(model, tmp_path / "no" / "m")
    with pytest.raises(OSError, match="/dev/full could not be written: No space left on device"):
        save(model, "/dev/full")


def test_a_disk_that_fills_up_leaves_the_old_file(tmp_path):
    """A limit on the size of files stands for a full disk: writing stops in the middle."""
    (tmp_path / "m").write_text("precious")
    code = (
        "import resource, lapwing.io as io\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        f"with io.written_beside({str(tmp_path / 'm')!r}) as beside:\n"
        "    beside.write_bytes(bytes(5000))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 1
    assert "m was not written, and nothing there was changed: File too large." in ran.stderr
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("m", "precious")]
