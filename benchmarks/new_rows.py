"""New rows beside unlabeled ones, where values live on the graph.

The function for new rows learns the graph's answers over 1,000 landmarks. Printed are R² (shapes
with real targets) or errors in % (classes) at the unlabeled rows and at 2,000 new ones, and
``extension_error_``, what the model itself says of the difference. 100 labels.

    python benchmarks/new_rows.py [--data DIR] [--sizes 5000 20000] [--seed 3]

DIR holds ``usps.npz`` and ``mnist.npz``; without it the shapes alone are run.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import make_moons, make_swiss_roll
from sklearn.metrics import r2_score

from lapwing import LapRLSClassifier, LapRLSRegressor

NEW, LABELS = 2000, 100


def helix(n: int, seed: int):
    """A curve in three dimensions, and a smooth target along it."""
    draw = np.random.default_rng(seed)
    t = draw.uniform(0, 6 * np.pi, n)
    X = np.column_stack([np.cos(t), np.sin(t), t / 3])
    return X + 0.05 * draw.standard_normal(X.shape), np.sin(t / 3) + t / 10


SHAPES = {
    "helix": helix,
    "swiss roll": lambda n, seed: make_swiss_roll(n, noise=0.3, random_state=seed),
    "moons": lambda n, seed: make_moons(n, noise=0.1, random_state=seed),
}


def images(path: Path):
    """Draws from a file of images."""
    file = np.load(path)
    X, y = file["X"].astype(float), file["y"].astype(int)

    def draw(n: int, seed: int):
        rows = np.random.default_rng(seed).permutation(len(X))[:n]
        return X[rows] / np.abs(X).max(), y[rows]

    return draw


def measured(X, truth, n: int) -> tuple[str, float, float, float]:
    """The unit, the score at unlabeled and at new rows, and what the model says of both."""
    lab = np.random.default_rng(0).choice(n, LABELS, replace=False)
    real = truth.dtype.kind == "f"
    y = np.full(n, np.nan) if real else np.full(n, -1)
    y[lab] = truth[lab]
    model = (LapRLSRegressor() if real else LapRLSClassifier()).fit(X[:n], y)
    rest = np.setdiff1d(np.arange(n), lab)
    pairs = (
        (truth[rest], model.transduction_[rest]),
        (truth[n:], model.predict(X[n:])),
    )
    scores = [r2_score(t, a) if real else 100 * float(np.mean(t != a)) for t, a in pairs]
    return "R²" if real else "%", *scores, float(model.extension_error_)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5000, 20000])
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    draws = dict(SHAPES)
    for name in ("usps", "mnist") if given.data else ():
        draws[name] = images(given.data / f"{name}.npz")
    print(f"{'':12}{'rows':>7}{'unlabeled':>12}{'new':>9}{'said':>8}")
    for name, draw in draws.items():
        for n in given.sizes:
            X, truth = draw(n + NEW, given.seed)
            if len(X) < n + NEW:
                continue
            unit, known, new, said = measured(X, truth, n)
            print(f"{name:12}{n:7}{known:12.4g}{new:9.4g}{said:8.3f}  {unit}", flush=True)


if __name__ == "__main__":
    main()
