"""Clusters in the kernel's own space beside values on the graph, as rows come: adjusted Rand index.

Run ``python benchmarks/clusters.py``; it prints one line for each set and number of rows, training
rows / new rows, two draws. The table is behind ``EXACT_CLUSTERS_UP_TO`` of estimators/spectral.py.
"""

from sklearn.datasets import load_digits, make_circles
from sklearn.metrics import adjusted_rand_score

from lapwing import RegularizedSpectralClustering
from lapwing.datasets import make_two_moons

SETS = {
    "moons": lambda n, seed: make_two_moons(n, random_state=seed)[::2],
    "noisy moons": lambda n, seed: make_two_moons(n, noise=0.1, random_state=seed)[::2],
    "circles": lambda n, seed: make_circles(n, noise=0.05, factor=0.5, random_state=seed),
}


def scores(space, train, new, n_clusters=2):
    """Of the rows that were clustered, and of others."""
    (X, truth), (Z, truth_new) = train, new
    model = RegularizedSpectralClustering(n_clusters, space=space).fit(X)
    found = adjusted_rand_score(truth, model.labels_)
    return f"{found:.2f}/{adjusted_rand_score(truth_new, model.predict(Z)):.2f}"


def main():
    for n in (500, 1000, 2000, 3000, 4000):
        for name, make in SETS.items():
            for space in ("exact", "graph"):
                both = [scores(space, make(n, s), make(500, s + 5)) for s in (0, 1)]
                print(f"{n:5d} {name:12s} {space:6s}", *both, flush=True)
    X, y = load_digits(return_X_y=True)
    for space in ("exact", "graph"):
        found = scores(space, (X[:1400], y[:1400]), (X[1400:], y[1400:]), 10)
        print(f" 1400 {'digits':12s} {space:6s}", found)


if __name__ == "__main__":
    main()
