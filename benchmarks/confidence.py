"""Can the answers be trusted? Calibration, coverage, wrong labels found, labels asked for.

    python benchmarks/confidence.py DIRECTORY [--seeds 10]

DIRECTORY holds ``uspst_cz.npz`` and ``mtr/*.npz``. The bounds: expected calibration error (15 bins)
below 0.05 on digits and USPS with 5 labels per class; 90 % predictive intervals that cover 85–95 %
on average over the multi-target sets, at unlabeled training rows and at new rows; 10 % flipped
labels found with precision above 0.7 at recall 0.5 on digits with 20 labels per class; from 2
labels per class, 20 queries better than 20 random labels on digits in at least 8 of 10 seeds.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler

from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC, VectorValuedRegressor
from lapwing.datasets import load_digits

BINS = 15
MAX_ROWS = 1000


def calibration_error(p, codes) -> float:
    """Σ_bins (share of rows) · |mean confidence − accuracy|."""
    confidence, right = p.max(axis=1), p.argmax(axis=1) == codes
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    parts = [bins == b for b in range(BINS)]
    return float(sum(abs(confidence[at].sum() - right[at].sum()) for at in parts) / len(codes))


def usps(directory: Path, seed: int):
    data = np.load(directory / "uspst_cz.npz")
    truth = np.unique(data["y"], return_inverse=True)[1]
    rng, y = np.random.default_rng(seed), np.full(len(truth), -1)
    for c in range(10):
        rows = rng.permutation(np.flatnonzero(truth == c))[:5]
        y[rows] = c
    return data["X"], y, truth


def calibration(directory: Path, seeds: int) -> None:
    for model in (LapRLSClassifier(), LapSVC()):
        for name in ("digits", "USPS"):
            found = []
            for seed in range(seeds):
                X, y, truth = (
                    load_digits(labels_per_class=5, random_state=seed)
                    if name == "digits"
                    else usps(directory, seed)
                )
                hidden = y < 0
                p = model.fit(X, y).predict_proba(X[hidden])
                error = np.mean(p.argmax(axis=1) != truth[hidden])
                found.append((calibration_error(p, truth[hidden]), error))
            ece, error = np.mean(found, axis=0)
            print(
                f"{type(model).__name__:17} {name:6} ECE {ece:.3f}  error {error:.3f}", flush=True
            )


def targets(path: Path):
    data = np.load(path)
    X = StandardScaler().fit_transform(SimpleImputer().fit_transform(data["X"]))
    Y = SimpleImputer().fit_transform(np.asarray(data["Y"], dtype=float))
    rows = np.random.default_rng(0).permutation(len(X))[:MAX_ROWS]
    return X[rows], Y[rows]


def coverage(directory: Path) -> None:
    for model in (LapRLSRegressor(), VectorValuedRegressor()):
        table = []
        for path in sorted((directory / "mtr").glob("*.npz")):
            X, Y = targets(path)
            row = []
            for share in (0.2, 0.5):
                n = 4 * len(X) // 5
                y = Y[:n].copy()
                y[int(share * n) :] = np.nan
                model.fit(X[:n], y)
                for at in (slice(int(share * n), n), slice(n, None)):
                    mean, spread = model.predict(X[at], return_std=True)
                    row.append(np.mean(np.abs(Y[at] - mean) <= 1.645 * spread))
            table.append(row)
            print(f"  {path.stem:12}", *(f"{v:.2f}" for v in row), flush=True)
        inside = " ".join(f"{v:.3f}" for v in np.mean(table, axis=0))
        print(f"{type(model).__name__}: coverage at 20 % (unlabeled, new), 50 % labeled: {inside}")


def wrong_labels(seeds: int) -> None:
    precision = []
    for seed in range(seeds):
        X, y, truth = load_digits(labels_per_class=20, random_state=seed)
        rng, labeled = np.random.default_rng(seed), np.flatnonzero(y >= 0)
        flipped = rng.permutation(labeled)[:20]
        y = y.copy()
        y[flipped] = (truth[flipped] + rng.integers(1, 10, 20)) % 10
        found = np.isin(LapRLSClassifier().fit(X, y).suspicious_labels_, flipped)
        reached = np.flatnonzero(np.cumsum(found) >= 10)
        precision.append(10 / (reached[0] + 1) if len(reached) else 0.0)
    print(f"wrong labels: precision at recall 0.5: {np.mean(precision):.2f}, "
          f"worst {min(precision):.2f}")  # fmt: skip


def asked_for(seeds: int) -> None:
    for criterion in ("error", "variance"):
        wins, errors = 0, []
        for seed in range(seeds):
            X, y, truth = load_digits(labels_per_class=2, random_state=seed)
            drawn = np.random.default_rng(seed).permutation(np.flatnonzero(y < 0))[:20]
            asked = LapRLSClassifier().fit(X, y).next_to_label(20, criterion=criterion)
            pair = []
            for rows in (asked, drawn):
                more = y.copy()
                more[rows] = truth[rows]
                pair.append(np.mean(LapRLSClassifier().fit(X, more).transduction_ != truth))
            wins += pair[0] < pair[1]
            errors.append(pair)
        asked_error, drawn_error = np.mean(errors, axis=0)
        print(f"20 labels asked for by {criterion}: better in {wins} of {seeds}, error "
              f"{asked_error:.3f} against {drawn_error:.3f}", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seeds", type=int, default=10)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    coverage(arguments.directory)
    asked_for(arguments.seeds)
    wrong_labels(arguments.seeds)
    calibration(arguments.directory, arguments.seeds)


if __name__ == "__main__":
    main()
