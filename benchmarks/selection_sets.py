"""The data sets that benchmarks/selection.py compares the default call on.

Each is a function (data directory, random generator) ↦ X, truth; :data:`SETS` says how many labels
it has, per class or at random, and its group: "goals" have a protocol of their own, "development"
sets were looked at while the search was made, "hold-out" sets only at the end. The latter two have
at most 1,800 rows each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn import datasets
from sklearn.feature_extraction.text import TfidfVectorizer

from lapwing.datasets import keep_labels, make_two_moons, make_two_spirals

ROWS = 1500


@dataclass(frozen=True)
class Set:
    """A problem: points, classes, and how many labels of each class, or of all, are known."""

    make: Callable
    per_class: int | dict[int, int] = 0
    labels: int = 0
    group: str = "development"

    def draw(self, data: Path, seed: int):
        """X, labels with −1 where unlabeled, and the truth."""
        if self.group == "goals":
            return self.make(data, seed)
        X, truth = self.make(data, np.random.default_rng([seed, 1]))
        draw = np.random.default_rng([seed, 2])
        for _ in range(100):
            rows = self._labeled(truth, draw)
            if len(np.unique(truth[rows])) == len(np.unique(truth)):
                break
        y = np.full(len(truth), -1)
        y[rows] = truth[rows]
        return X, y, truth

    def _labeled(self, truth, draw):
        if self.labels:
            return draw.permutation(len(truth))[: self.labels]
        each = self.per_class
        counts = each if isinstance(each, dict) else {int(c): each for c in np.unique(truth)}
        kept = [draw.permutation(np.flatnonzero(truth == c))[:k] for c, k in counts.items()]
        return np.concatenate(kept)


def rows_of(X, truth, draw, rows=ROWS):
    """A sample, its classes numbered from 0."""
    kept = draw.permutation(len(truth))[:rows]
    return X[kept], np.unique(truth[kept], return_inverse=True)[1]


def stored(name, key="X", classes=None, standard=False, dtype=float):
    def make(data, draw):
        file = np.load(data / f"{name}.npz")
        X, truth = file[key].astype(dtype), file["y"].ravel().astype(int)
        if classes is not None:
            X, truth = X[np.isin(truth, classes)], truth[np.isin(truth, classes)]
        X, truth = rows_of(X, truth, draw)
        return (standardized(X) if standard else X), truth

    return make


def standardized(X):
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def own(loader, standard=False):
    def make(data, draw):
        X, truth = loader(return_X_y=True)
        return (standardized(X) if standard else X), truth

    return make


def generated(function, **options):
    return lambda data, draw: function(random_state=int(draw.integers(1 << 30)), **options)


def one_against_rest(make, c):
    def made(data, draw):
        X, truth = make(data, draw)
        return X, (truth == c).astype(int)

    return made


def odd_and_even(make):
    def made(data, draw):
        X, truth = make(data, draw)
        return X, truth % 2

    return made


def unscaled(make, decades=4):
    """Columns in units that differ by powers of ten."""

    def made(data, draw):
        X, truth = make(data, draw)
        return X * 10.0 ** draw.uniform(0, decades, X.shape[1]), truth

    return made


def uniform(data, draw, d=10):
    X = draw.uniform(-1, 1, (1000, d))
    return X, (X @ draw.standard_normal(d) > 0).astype(int)


def gaussians(data, draw, d=100, distance=3.0, n=1000):
    """Two unit Gaussians; distance 2.5 in 241 dimensions is Chapelle's g241c."""
    truth = draw.integers(0, 2, n)
    way = draw.standard_normal(d)
    return (
        draw.standard_normal((n, d)) + np.outer(truth - 0.5, distance * way / np.linalg.norm(way)),
        truth,
    )


def misleading(data, draw, d=241, n=1500):
    """Four Gaussians whose near pairs are of different classes: Chapelle's g241d."""
    which = draw.integers(0, 4, n)
    ways = draw.standard_normal((3, d))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    far, first, second = 6.0 * ways[0], 2.5 * ways[1], 2.5 * ways[2]
    centers = np.array([0 * far, far, first, far + second])
    return draw.standard_normal((n, d)) + centers[which], (which >= 2).astype(int)


def g50c(data, draw):
    """Two Gaussians in 50 dimensions that a Bayes rule tells apart with 5 % errors."""
    return gaussians(data, draw, d=50, distance=2 * 1.645, n=550)


def hastie(data, draw):
    X = draw.standard_normal((1200, 10))
    return X, ((X**2).sum(axis=1) > 9.34).astype(int)


def swiss_roll(data, draw):
    X, t = datasets.make_swiss_roll(1000, noise=0.5, random_state=int(draw.integers(1 << 30)))
    return X, (t > np.median(t)).astype(int)


def checkers(data, draw):
    X = draw.uniform(0, 2, (1000, 2))
    return X, (np.floor(X).sum(axis=1) % 2).astype(int)


def newsgroups(names, rows=1200):
    def make(data, draw):
        file = np.load(data / "20news_bydate_raw.npz")
        known = [str(t) for t in file["target_names"]]
        of = np.array([known.index(n) for n in names])
        at = np.flatnonzero(np.isin(file["y"], of))
        at = draw.permutation(at)[:rows]
        text, offsets = file["text"], file["offsets"]
        documents = [
            text[offsets[i] : offsets[i + 1]].tobytes().decode("latin-1").partition("\n\n")[2]
            for i in at
        ]
        vectors = TfidfVectorizer(sublinear_tf=True, min_df=3, max_df=0.5, stop_words="english")
        X = vectors.fit_transform(documents)
        return sp.csr_matrix(X), np.unique(file["y"][at], return_inverse=True)[1]

    return make


def scene(data, draw):
    file = np.load(data / "scene.npz")
    single = file["Y"].sum(axis=1) == 1
    return rows_of(file["X"][single].astype(float), file["Y"][single].argmax(axis=1), draw)


def rcv1(data, draw):
    Y = np.load(data / "rcv1sub1.npz")["Y"]
    frequent = int(np.argsort(-np.abs(0.35 - Y.mean(axis=0)))[-1])
    X, truth = sp.load_npz(data / "rcv1sub1.X.npz").tocsr(), Y[:, frequent].astype(int)
    return rows_of(sp.csr_matrix(X, dtype=float), truth, draw, 1200)


def hidden_but(rows, truth):
    return np.where(np.isin(np.arange(len(truth)), rows), truth, -1)


def five_of_each_digit(data, seed):
    X, truth = datasets.load_digits(return_X_y=True)
    return X, keep_labels(truth, 5, np.random.RandomState(seed)), truth


def three_or_eight(data, seed):
    X, digit = datasets.load_digits(return_X_y=True)
    X, truth = X[np.isin(digit, (3, 8))], (digit[np.isin(digit, (3, 8))] == 8).astype(int)
    return X, keep_labels(truth, 2, np.random.RandomState(seed)), truth


def chapelle_zien(data, seed):
    file = np.load(data / "uspst_cz.npz")
    truth = file["y"].ravel().astype(int)
    return file["X"].astype(float), hidden_but(file["idxLabs"][seed % 10], truth), truth


def courses(data, seed):
    """MR's Table 5: words of the page, 3 courses and 9 other pages."""
    file = np.load(data / "webkb_course.npz")
    kept = file["page"].any(axis=1)
    X, truth = sp.csr_matrix(file["page"][kept].astype(float)), (file["y"].ravel()[kept] > 0) + 0
    draw = np.random.default_rng(seed)
    rows = [draw.permutation(np.flatnonzero(truth == c))[:k] for c, k in ((1, 3), (0, 9))]
    return X, hidden_but(np.concatenate(rows), truth), truth


DIGITS = own(datasets.load_digits)
CLASSIFICATION = generated(
    datasets.make_classification, n_samples=1000, n_features=20, n_informative=5, n_redundant=5
)

SETS = {
    "two moons, 1 each": Set(lambda data, seed: make_two_moons(random_state=seed), 1, 0, "goals"),
    "two spirals, 1 each": Set(
        lambda data, seed: make_two_spirals(random_state=seed), 1, 0, "goals"
    ),
    "digits, scikit-learn": Set(five_of_each_digit, 5, 0, "goals"),
    "USPS, Chapelle and Zien": Set(chapelle_zien, 0, 50, "goals"),
    "WebKB courses": Set(courses, {0: 9, 1: 3}, 0, "goals"),
    "3 against 8": Set(three_or_eight, 2, 0, "goals"),
    "digits, 5 each": Set(DIGITS, 5),
    "digits, 2 each": Set(DIGITS, 2),
    "digits, 100": Set(DIGITS, labels=100),
    "digits, 8 or not": Set(one_against_rest(DIGITS, 8), labels=60),
    "usps": Set(stored("usps"), labels=50),
    "mnist": Set(stored("mnist"), labels=100),
    "isolet, 10 letters": Set(stored("isolet", classes=range(1, 11)), 5),
    "cancer": Set(own(datasets.load_breast_cancer), 10),
    "cancer, standardized": Set(own(datasets.load_breast_cancer, True), 10),
    "wine": Set(own(datasets.load_wine), 5),
    "iris": Set(own(datasets.load_iris), 5),
    "moons": Set(generated(datasets.make_moons, n_samples=1000, noise=0.2), 5),
    "circles": Set(generated(datasets.make_circles, n_samples=1000, noise=0.1, factor=0.5), 5),
    "blobs": Set(generated(datasets.make_blobs, n_samples=1000, centers=5, cluster_std=2.0), 3),
    "classification": Set(CLASSIFICATION, labels=50),
    "classification, 100": Set(CLASSIFICATION, labels=100),
    "g50c": Set(g50c, labels=50),
    "g241c": Set(lambda data, draw: gaussians(data, draw, 241, 2.5, 1500), labels=100),
    "webkb": Set(stored("webkb_course", "page"), {0: 9, 1: 3}),
    "newsgroups": Set(
        newsgroups(["comp.graphics", "rec.autos", "sci.med", "talk.politics.guns"]), 10
    ),
    "uniform": Set(uniform, labels=100),
    "gaussians": Set(gaussians, labels=100),
    "hastie": Set(hastie, labels=100),
    # looked at only at the end
    "mfeat, Fourier": Set(stored("mfeat", "fou"), 5, group="hold-out"),
    "mfeat, morphology": Set(stored("mfeat", "mor"), 10, group="hold-out"),
    "mfeat, Zernike": Set(stored("mfeat", "zer"), labels=100, group="hold-out"),
    "isolet, 26 letters": Set(stored("isolet"), 5, group="hold-out"),
    "usps, odd or even": Set(odd_and_even(stored("usps")), labels=60, group="hold-out"),
    "mnist, 3 or not": Set(one_against_rest(stored("mnist"), 3), labels=100, group="hold-out"),
    "rcv1": Set(rcv1, labels=50, group="hold-out"),
    "newsgroups, close": Set(
        newsgroups(["comp.sys.mac.hardware", "comp.sys.ibm.pc.hardware"]), 20, group="hold-out"
    ),
    "webkb, links": Set(stored("webkb_course", "link"), {0: 9, 1: 3}, group="hold-out"),
    "scene": Set(scene, 10, group="hold-out"),
    "swiss roll": Set(swiss_roll, 10, group="hold-out"),
    "checkers": Set(checkers, labels=60, group="hold-out"),
    "g241d": Set(misleading, labels=100, group="hold-out"),
    "noisy moons, 100": Set(
        generated(datasets.make_moons, n_samples=1000, noise=0.35), labels=100, group="hold-out"
    ),
    "rare class": Set(
        generated(
            datasets.make_classification, n_samples=1500, n_features=15, n_informative=5,
            weights=[0.93], flip_y=0.0, class_sep=1.5,
        ),
        labels=100, group="hold-out",
    ),
    "unscaled classification": Set(
        unscaled(
            generated(
                datasets.make_classification, n_samples=1000, n_features=12, n_informative=6,
                n_classes=3, class_sep=1.5,
            )
        ),
        20, group="hold-out",
    ),
    "cancer, 2 each": Set(own(datasets.load_breast_cancer, True), 2, group="hold-out"),
    "wine, standardized": Set(own(datasets.load_wine, True), 5, group="hold-out"),
}  # fmt: skip
