"""More unlabeled rows of one distribution must not make the default call worse.

Noisy moons (``make_moons(n, noise=0.1)``), 1, 3 and 10 labels per class, several draws: errors in %
at the unlabeled rows and at 2,000 unseen ones. With ``--limits``, on the same rows, at 0.98 and
1.02 of each size at which the default call changes its way (1,000, 2,000 and 8,000 rows; formerly
500).

    python benchmarks/more_rows.py [--sizes 500 2000 6000 8001 20000 100000] [--draws 3] [--limits]
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
from sklearn.datasets import make_moons

from lapwing import LapRLSClassifier

LIMITS = (500, 1000, 2000, 8000)


def problem(n: int, per_class: int, seed: int):
    """X, labels with −1 where unlabeled, and the truth."""
    X, truth = make_moons(n, noise=0.1, random_state=seed)
    return X, labels(truth, per_class, seed), truth


def labels(truth: np.ndarray, per_class: int, seed: int, among: int | None = None) -> np.ndarray:
    draw, y = np.random.default_rng(seed), np.full(len(truth), -1)
    for c in (0, 1):
        y[draw.choice(np.flatnonzero(truth[:among] == c), per_class, replace=False)] = c
    return y


def errors(X, y, truth) -> tuple[float, float, float]:
    """In %, at unlabeled and at unseen rows, and CPU seconds."""
    start = time.process_time()
    model = LapRLSClassifier().fit(X, y)
    spent, rest = time.process_time() - start, y < 0
    new, known = make_moons(2000, noise=0.1, random_state=10_000)
    own = 100 * np.mean(model.transduction_[rest] != truth[rest])
    return own, 100 * np.mean(model.predict(new) != known), spent


def line(name: str, found: list[tuple[float, float, float]]) -> None:
    own, unseen, spent = np.array(found).T
    each = " ".join(f"{e:5.1f}" for e in own)
    print(
        f"{name}  {own.mean():5.1f} ({each})  unseen {unseen.mean():5.1f}  {spent.mean():6.2f} s",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--sizes", type=int, nargs="*", default=[500, 2000, 6000, 8001, 20000, 100000]
    )
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--limits", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for n in [] if options.limits else options.sizes:
        for per_class in (1, 3, 10):
            found = [errors(*problem(n, per_class, seed)) for seed in range(options.draws)]
            line(f"{n:7d} rows, {per_class:2d} labels", found)
    for limit in LIMITS if options.limits else ():
        below, above = int(0.98 * limit), int(1.02 * limit)
        for per_class in (1, 3, 10):
            both: dict[int, list] = {below: [], above: []}
            for seed in range(options.draws):
                X, _, truth = problem(above, per_class, seed)
                y = labels(truth, per_class, seed, below)
                for n, held in both.items():
                    held.append(errors(X[:n], y[:n], truth[:n]))
            for n, held in both.items():
                line(f"{n:7d} of {above} rows, {per_class:2d} labels", held)


if __name__ == "__main__":
    main()
