"""Are as many labels listed as are wrong? Correct labels, and a tenth of them flipped.

python benchmarks/suspicion.py [--draws 4]
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from sklearn import datasets

from lapwing import LapRLSClassifier

SETS = {
    "digits": datasets.load_digits(return_X_y=True),
    "breast cancer": datasets.load_breast_cancer(return_X_y=True),
    "wine": datasets.load_wine(return_X_y=True),
    **{
        f"classification {s}": datasets.make_classification(
            1000, 20, n_informative=5, random_state=s
        )
        for s in range(2)
    },
}


def listed(X, truth, l: int, flips: int, seed: int):
    """How many labels are listed, how many of these are wrong, and what probabilities add up to."""
    draw = np.random.default_rng(seed)
    rows, q = draw.permutation(len(truth)), truth.max() + 1
    y = np.full(len(truth), -1)
    y[rows[:l]] = truth[rows[:l]]
    wrong = draw.permutation(rows[:l])[:flips]
    y[wrong] = (truth[wrong] + draw.integers(1, q, flips)) % q
    kept = rows[: l + 500]
    model = LapRLSClassifier().fit(X[kept], y[kept])
    found = kept[model.suspicious_labels_]
    return len(found), np.isin(found, wrong).sum(), np.nansum(model.label_suspicion_)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=4)
    draws = parser.parse_args().draws
    warnings.simplefilter("ignore")
    for name, (X, truth) in SETS.items():
        for l, flips in ((40, 0), (40, 4), (200, 0), (200, 20)):
            if 2 * l <= len(truth):
                runs = np.mean([listed(X, truth, l, flips, seed) for seed in range(draws)], axis=0)
                print(
                    f"{name:18} {l:4} labels, {flips:3} wrong: listed {runs[0]:5.1f}, of these "
                    f"wrong {runs[1]:5.1f}; probabilities add up to {runs[2]:5.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
