"""From the files that others publish to the arrays that the loaders read."""

import tarfile
from io import StringIO
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.io import loadmat
from sklearn.datasets import load_svmlight_file

from .arff import read_arff
from .unpack import unpack

Arrays = dict[str, np.ndarray]
RCV1_WORDS, RCV1_TOPICS = 47_236, 101
ISOLET = (1560, 1560, 1560, 1558, 1559)  # utterances of each group of thirty speakers
VIEWS = ("pix", "fou", "fac", "zer", "kar", "mor")


def usps(files: list[Path]) -> Arrays:
    """libsvm's training and test files; digits are 1 … 10 there."""
    parts = [load_svmlight_file(str(file), n_features=256) for file in files]
    return {
        "X": np.vstack([X.toarray() for X, _ in parts]).astype(np.float32),
        "y": np.concatenate([y for _, y in parts]).astype(int) - 1,
        "n_train": np.array(parts[0][0].shape[0]),
    }


def rcv1(files: list[Path]) -> list[Arrays]:
    """LIBSVM's training and test part of the first subset: words as CSR, then 101 topics."""
    parts = [load_svmlight_file(str(f), n_features=RCV1_WORDS, multilabel=True) for f in files]
    X = sp.csr_array(sp.vstack([X for X, _ in parts], format="csr"))
    topics = [row for _, rows in parts for row in rows]
    Y = np.zeros((len(topics), RCV1_TOPICS), dtype=np.uint8)
    for i, row in enumerate(topics):
        if row and not 0 <= min(row) <= max(row) < RCV1_TOPICS:
            raise ValueError(f"Row {i} has the topics {row}; expected 0 … {RCV1_TOPICS - 1}.")
        Y[i, [int(t) for t in row]] = 1
    words = {"data": X.data, "indices": X.indices, "indptr": X.indptr}
    return [{**words, "shape": np.array(X.shape), "format": np.array(b"csr")}, {"Y": Y}]


def isolet(files: list[Path]) -> Arrays:
    """UCI's two files: 617 features and the letter, one speaker after the other.

    The rows of groups 1 to 4 are sorted by letter, as in the copy that the tables were made with.
    Under each letter, group 1 then has two utterances in turn of each of its thirty speakers.
    """
    texts = [unpack(file.read_bytes()).decode("ascii") for file in files]
    A = np.vstack([np.loadtxt(StringIO(text), delimiter=",") for text in texts])
    letters, group = A[:, -1].astype(int), np.repeat(np.arange(1, 6), ISOLET)
    order = np.lexsort((np.where(group < 5, letters, 0), group))
    return {
        "X": A[order, :-1].astype(np.float32), "y": letters[order], "group": group,
        "speaker": np.where(group == 1, np.arange(len(group)) % 60 // 2, -1),
    }  # fmt: skip


def mnist(files: list[Path]) -> Arrays:
    """The arrays of Keras's file."""
    with np.load(files[0], allow_pickle=False) as file:
        images = np.concatenate([file["x_train"], file["x_test"]])
        y = np.concatenate([file["y_train"], file["y_test"]])
        n_train = len(file["y_train"])
    return {"X": images.reshape(len(images), -1), "y": y, "n_train": np.array(n_train)}


def newsgroups(files: list[Path]) -> Arrays:
    """20news-bydate: a folder per part and group, a file per message."""
    messages: list[tuple[bool, str, int, bytes]] = []
    with tarfile.open(files[0]) as archive:
        for member in archive:
            if member.isfile():
                part, group, number = Path(member.name).parts[-3:]
                content = archive.extractfile(member)
                assert content is not None
                messages.append((part.endswith("test"), group, int(number), content.read()))
    messages.sort(key=lambda m: m[:3])
    names = sorted({m[1] for m in messages})
    texts = [m[3] for m in messages]
    return {
        "text": np.frombuffer(b"".join(texts), dtype=np.uint8),
        "offsets": np.cumsum([0, *map(len, texts)]),
        "y": np.array([names.index(m[1]) for m in messages], dtype=np.uint8),
        "is_train": np.array([not m[0] for m in messages]),
        "target_names": np.array(names),
    }


def multiple_features(files: list[Path]) -> Arrays:
    """Six tables of numbers, 200 rows of each digit in turn."""
    arrays = {name: np.loadtxt(file) for name, file in zip(VIEWS, files, strict=True)}
    return {**arrays, "y": np.repeat(np.arange(10), 200)}


def scene(files: list[Path]) -> Arrays:
    """MULAN's training and test files: 294 features, then six labels of 0 and 1."""
    X = np.vstack([_labeled(file, 6)[0] for file in files])
    Y = np.vstack([_labeled(file, 6)[1] for file in files])
    return {"X": X, "Y": Y}


def targets(count: int):
    """The converter of a file whose last ``count`` attributes are the targets."""

    def convert(files: list[Path]) -> Arrays:
        A, names = read_arff(files[0])
        cut = len(names) - count
        return {
            "X": A[:, :cut], "Y": A[:, cut:],
            "feature_names": np.array(names[:cut]), "target_names": np.array(names[cut:]),
        }  # fmt: skip

    return convert


def sarcos(files: list[Path]) -> Arrays:
    """21 positions, velocities and accelerations, then 7 torques."""
    A = loadmat(files[0])["sarcos_inv_test"]
    return {
        "X": A[:, :21], "Y": A[:, 21:],
        "feature_names": np.array([f"x{i + 1}" for i in range(21)]),
        "target_names": np.array([f"torque{i + 1}" for i in range(7)]),
    }  # fmt: skip


def _labeled(file: Path, count: int) -> tuple[np.ndarray, np.ndarray]:
    """X, and labels that are declared as {0,1}: of each pair of columns the one that says 1."""
    A, names = read_arff(file)
    ones = [i for i, name in enumerate(names) if name.endswith("=1")][-count:]
    features = [i for i, name in enumerate(names) if "=" not in name]
    return A[:, features], A[:, ones]
