"""Four workers with 1 GiB each fit what one process with 1 GiB cannot: 1.6 GB of dense rows.

Run: python examples/dask_beyond_memory.py   (needs "lapwing-learn[dask]"; a few minutes)

First a process whose address space may grow by 1 GiB tries to fit all rows in memory, and fails.
Then a cluster of four processes, limited to 1 GiB each by Dask, fits and predicts. Blocks are made
when they are needed, as if read from files; the graph is searched exactly, block against block,
along the leading principal axes, as in memory.
"""

import multiprocessing
import resource
from pathlib import Path
from time import perf_counter

import dask
import dask.array as da
import numpy as np

from distributed import Client, LocalCluster
from lapwing import LapRLSClassifier
from lapwing.distributed import fit, predict
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from lapwing.spaces import Landmarks, OnPoints

BLOCKS, SHAPE = 40, (1_250, 4_000)
GIB = 2**30


def make_block(number: int) -> np.ndarray:
    """Two rings in a plane of 4,000 dimensions, with noise in all of them."""
    rng, plane = np.random.default_rng(number), np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, SHAPE[0])
    radius = np.where(np.arange(SHAPE[0]) % 2, 40.0, 20.0)
    axes = np.linalg.qr(plane.standard_normal((SHAPE[1], 2)))[0]
    noise = 0.2 * rng.standard_normal(SHAPE)
    return noise + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]) @ axes.T


def labels() -> tuple[np.ndarray, np.ndarray]:
    """The truth, and ten labels of each class."""
    truth = np.arange(BLOCKS * SHAPE[0]) % 2
    y = np.full(len(truth), -1)
    y[:20] = truth[:20]
    return truth, y


def model() -> LapRLSClassifier:
    """All parameters given."""
    return LapRLSClassifier(
        kernel=RBF(sigma=15.0),
        regularizer=Laplacian(KNN(10, components=10), degree=2),
        gamma_A="rule",
        gamma_I="10*rule",
        fit_intercept=False,
        space=OnPoints(Landmarks(300)),
    )


def alone() -> None:
    """All rows in a process that may grow by 1 GiB."""
    in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (in_use + GIB, in_use + GIB))
    try:
        X = np.empty((BLOCKS * SHAPE[0], SHAPE[1]))
        for number in range(BLOCKS):
            X[number * SHAPE[0] : (number + 1) * SHAPE[0]] = make_block(number)
        model().fit(X, labels()[1])
        print("one process, 1 GiB: fitted")
    except MemoryError as error:
        print(f"one process, 1 GiB: MemoryError, {error}")


def on_a_cluster() -> float:
    """The share of wrong answers of four processes with 1 GiB each."""
    make, (truth, y) = dask.delayed(make_block, pure=True), labels()
    X = da.concatenate([da.from_delayed(make(b), SHAPE, float) for b in range(BLOCKS)])
    cluster = LocalCluster(
        n_workers=4, threads_per_worker=1, memory_limit=GIB, dashboard_address=None
    )
    began = perf_counter()
    with cluster, Client(cluster):
        fitted = fit(model(), X, y)
        unseen = predict(fitted, X[: 2 * SHAPE[0]]).compute()
    wrong = float(np.mean(fitted.transduction_ != truth))
    print(f"four workers, 1 GiB each: {X.nbytes / 1e9:.2f} GB of rows, {wrong:.2%} wrong")
    print(f"predicted in blocks: {np.mean(unseen != truth[: len(unseen)]):.2%} wrong")
    print(f"{perf_counter() - began:.0f} s")
    return wrong


def main() -> None:
    one = multiprocessing.get_context("spawn").Process(target=alone)
    one.start()
    one.join()
    on_a_cluster()


if __name__ == "__main__":
    main()
