"""
Much data in blocks: Dask arrays
================================

Fit on a Dask array with several worker processes, predict on another. This example is shown but
not run here: it starts processes. Run: python examples/dask_blocks.py   (needs pip install
"lapwing-learn[dask]")
"""

import dask
import dask.array as da
import numpy as np

from distributed import Client, LocalCluster
from lapwing import LapRLSClassifier
from lapwing.distributed import fit, predict

BLOCK, COLUMNS = 500, 20


def make_block(seed: int) -> np.ndarray:
    """As if read from a file: half of the rows of one class, half of the other."""
    rows = np.random.default_rng(seed).normal(size=(BLOCK, COLUMNS))
    rows[BLOCK // 2 :, :5] += 3.0
    return rows


def rows_of(seeds) -> da.Array:
    """One Dask array of which no process ever holds all rows."""
    make = dask.delayed(make_block)
    return da.concatenate([da.from_delayed(make(s), (BLOCK, COLUMNS), float) for s in seeds])


def main() -> None:
    X, X_new = rows_of(range(6)), rows_of(range(6, 8))
    truth = np.tile(np.repeat([0, 1], BLOCK // 2), 8)
    y = np.full(len(X), -1)
    y[[0, 1, 2, -1, -2, -3]] = truth[[0, 1, 2, len(X) - 1, len(X) - 2, len(X) - 3]]
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster):
        model = fit(LapRLSClassifier(), X, y)
        answers = predict(model, X_new).compute()
    print(f"{len(X)} rows, 6 labels: {np.mean(model.transduction_ != truth[: len(X)]):.1%} wrong")
    print(f"{len(X_new)} new rows: {np.mean(answers != truth[len(X) :]):.1%} wrong")


if __name__ == "__main__":
    main()
