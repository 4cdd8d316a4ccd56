"""How long a click takes on the server, against a fit with given settings.

A renewal is what the worker does while the person reads: probabilities, suspicious labels,
suggestions, the expected gain; and settings, where they are due.

A click is what ``POST /api/do/label`` does: commit the event, answer at all rows with the present
settings, and make the packet. The worker does not run meanwhile. Rows are principal axes of MNIST
where it is at hand, else Gaussian clusters.

    python benchmarks/label_clicks.py --rows 10000 --clicks 50
"""

import argparse
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA

from lapwing import LapRLSClassifier
from lapwing.label import Session, Store
from lapwing.label.web.packets import packet

MNIST = Path(__file__).parents[2] / "shared" / "data" / "mnist.npz"


def rows(n: int) -> tuple[np.ndarray, np.ndarray]:
    if MNIST.exists():
        data = np.load(MNIST)
        X = PCA(50, random_state=0).fit_transform(data["X"][:n].astype(float))
        return X, data["y"][:n]
    return make_blobs(n, 50, centers=10, cluster_std=6.0, random_state=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--clicks", type=int, default=50)
    parser.add_argument("--cpu", action="store_true", help="CPU time instead of wall clock")
    arguments = parser.parse_args()
    clock = time.process_time if arguments.cpu else time.perf_counter
    warnings.simplefilter("ignore")
    X, truth = rows(arguments.rows)
    with tempfile.TemporaryDirectory() as folder:
        session = Session(X, Store(Path(folder) / "s.lapwing"), annotator="benchmark")
        rng = np.random.default_rng(0)
        order = rng.permutation(len(X))
        session.label(0, str(truth[0]))
        for point in order[:50]:
            session.label(int(point), str(truth[point]))
        start = clock()
        session.renew()
        print(f"renewal with settings and suggestions: {clock() - start:.2f} s")
        session.label(int(order[50]), str(truth[order[50]]))
        start = clock()
        session.renew()
        print(f"renewal with suggestions, settings kept: {clock() - start:.2f} s")
        clicks = []
        for point in order[51 : 51 + arguments.clicks]:
            start = clock()
            moved = session.label(int(point), str(truth[point]), via="suggested")
            session.catch_up()  # where a fit takes long, the page leaves it to the worker
            packet(session, None, moved)
            clicks.append(clock() - start)
        y = np.array([None if c < 0 else str(c) for c in session.state.codes], dtype=object)
        fits = []
        for _ in range(3):
            start = clock()
            LapRLSClassifier(**session.model.learner.settings).fit(session.rows.X, y)
            fits.append(clock() - start)
        right = np.mean([p == str(t) for p, t in zip(session.predictions, truth, strict=True)])
        session.close()
    click, fit = np.median(clicks), np.median(fits)
    print(f"rows {len(X)}, clicks {len(clicks)}, right {right:.3f}")
    print(f"click: median {click:.3f} s, 90 % {np.quantile(clicks, 0.9):.3f} s")
    print(f"fit with given settings: {fit:.3f} s; click / fit = {click / fit:.3f}")


if __name__ == "__main__":
    main()
