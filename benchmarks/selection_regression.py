"""LapRLSRegressor() without a parameter beside tuned supervised models, on single targets.

KernelRidge and SVR are tuned by five folds of the same labels over widths and penalties, columns
standardized or not. What is printed are root mean squared errors on the unlabeled rows, in units
of the target's standard deviation: means over the seeds.

    python benchmarks/selection_regression.py DIR [--sets diabetes …] [--seeds 3]
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_swiss_roll
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from lapwing import LapRLSRegressor

ROWS, LABELS = 600, 60
MTR = ("enb", "jura", "edm", "wq", "atp1d", "oes97", "scpf")
SETS = ("diabetes", "friedman1", "friedman2", "swiss roll", *MTR)


def load(name: str, data: Path, seed: int):
    draw = np.random.default_rng(seed)
    if name == "diabetes":
        X, y = load_diabetes(return_X_y=True)
    elif name == "friedman1":
        X, y = make_friedman1(ROWS, noise=1.0, random_state=seed)
    elif name == "friedman2":
        X, y = make_friedman2(ROWS, noise=100.0, random_state=seed)
    elif name == "swiss roll":
        X, y = make_swiss_roll(ROWS, noise=0.3, random_state=seed)
    else:
        file = np.load(data / "mtr" / f"{name}.npz")
        X, y = file["X"].astype(float), file["Y"][:, 0].astype(float)
        known = np.isfinite(X).all(axis=1) & np.isfinite(y)
        X, y = X[known], y[known]
    kept = draw.permutation(len(y))[:ROWS]
    return X[kept], y[kept]


def tuned(X, y, kind: str) -> np.ndarray:
    """Predictions everywhere of a model tuned where y is known."""
    seen = ~np.isnan(y)
    widths = [w / X.shape[1] for w in (0.03, 0.1, 0.3, 1.0, 3.0)]
    if kind == "KernelRidge":
        model, grid = KernelRidge(kernel="rbf"), {"alpha": [1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0]}
    else:
        model, grid = SVR(), {"C": [0.1, 1, 10, 100], "epsilon": [0.01, 0.1, 0.3]}
    grids = [
        {f"m__{k}": v for k, v in {**grid, "kernel": ["rbf"], "gamma": widths}.items()},
        {f"m__{k}": v for k, v in {**grid, "kernel": ["linear"]}.items()},
    ]
    search = GridSearchCV(
        Pipeline([("s", StandardScaler()), ("m", model)]), grids, cv=5,
        scoring="neg_mean_squared_error",
    )  # fmt: skip
    whole = TransformedTargetRegressor(search, transformer=StandardScaler())
    return whole.fit(X[seen], y[seen]).predict(X)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| set | LapRLSRegressor() | KernelRidge | SVR |\n|---|---|---|---|")
    for name in options.sets:
        rows, chosen = [], ""
        for seed in range(options.seeds):
            X, truth = load(name, options.data, seed)
            l = min(LABELS, len(truth) // 2)
            y = np.where(np.arange(len(truth)) < l, truth, np.nan)
            model = LapRLSRegressor().fit(X, y)
            chosen = str(model.selection_)
            answers = [model.transduction_, tuned(X, y, "KernelRidge"), tuned(X, y, "SVR")]
            rest = np.isnan(y)
            rows.append(
                [np.sqrt(np.mean((a[rest] - truth[rest]) ** 2)) / truth.std() for a in answers]
            )
        cells = " | ".join(f"{value:.3f}" for value in np.mean(rows, axis=0))
        print(f"| {name} | {cells} | <!-- {chosen} -->", flush=True)


if __name__ == "__main__":
    main()
