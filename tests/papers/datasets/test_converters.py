"""Public formats, written in small and read again."""

import bz2
import io
import tarfile
from itertools import pairwise

import numpy as np
from scipy.io import savemat
from sklearn.datasets import dump_svmlight_file

from lapwing_papers.datasets import convert


def test_usps(tmp_path):
    rng = np.random.default_rng(0)
    files, X, y = [], [], []
    for part, n in (("usps.bz2", 5), ("usps.t.bz2", 3)):
        A, digits = rng.uniform(-1, 1, (n, 256)), rng.integers(0, 10, n)
        text = io.BytesIO()
        dump_svmlight_file(A, digits + 1, text, zero_based=False)
        files.append(tmp_path / part)
        files[-1].write_bytes(bz2.compress(text.getvalue()))
        X.append(A)
        y.append(digits)
    found = convert.usps(files)
    np.testing.assert_allclose(found["X"], np.vstack(X), atol=1e-6)
    np.testing.assert_array_equal(found["y"], np.concatenate(y))
    assert found["n_train"] == 5


def test_mnist(tmp_path):
    x = np.arange(3 * 28 * 28, dtype=np.uint8).reshape(3, 28, 28)
    np.savez(tmp_path / "m.npz", x_train=x[:2], y_train=[5, 0], x_test=x[2:], y_test=[7])
    found = convert.mnist([tmp_path / "m.npz"])
    assert found["X"].shape == (3, 784) and found["y"].tolist() == [5, 0, 7]
    assert found["n_train"] == 2


def test_newsgroups(tmp_path):
    messages = {
        "20news-bydate-test/b.two/7": b"last",
        "20news-bydate-train/b.two/30": b"second \xe9",
        "20news-bydate-train/a.one/4": b"first",
    }
    with tarfile.open(tmp_path / "n.tar.gz", "w:gz") as archive:
        for name, body in messages.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    found = convert.newsgroups([tmp_path / "n.tar.gz"])
    ends = found["offsets"]
    texts = [found["text"][a:b].tobytes().decode("latin-1") for a, b in pairwise(ends)]
    assert texts == ["first", "second é", "last"]
    assert found["y"].tolist() == [0, 1, 1]
    assert found["is_train"].tolist() == [True, True, False]
    assert found["target_names"].tolist() == ["a.one", "b.two"]


def test_scene(tmp_path):
    head = "@relation s\n@attribute x1 numeric\n@attribute x2 numeric\n"
    head += "".join(f"@attribute L{i} {{0,1}}\n" for i in range(6)) + "@data\n"
    rows = "0.5,1,1,0,0,0,0,1\n0.25,2,0,1,1,1,1,0\n"
    (tmp_path / "a.arff").write_text(head + rows)
    found = convert.scene([tmp_path / "a.arff"] * 2)
    np.testing.assert_array_equal(found["X"], [[0.5, 1], [0.25, 2]] * 2)
    np.testing.assert_array_equal(found["Y"], [[1, 0, 0, 0, 0, 1], [0, 1, 1, 1, 1, 0]] * 2)


def test_sarcos(tmp_path):
    A = np.arange(2 * 28.0).reshape(2, 28)
    savemat(tmp_path / "s.mat", {"sarcos_inv_test": A})
    found = convert.sarcos([tmp_path / "s.mat"])
    np.testing.assert_array_equal(np.hstack([found["X"], found["Y"]]), A)
    assert found["Y"].shape == (2, 7)
