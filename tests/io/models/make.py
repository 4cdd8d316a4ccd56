"""Writes the fixture of the present format: python tests/io/models/make.py."""

import zipfile
from pathlib import Path

import numpy as np
import skops.io

from lapwing import LapRLSClassifier
from lapwing.datasets import make_two_moons
from lapwing.graphs import KNN
from lapwing.io import FORMAT, save
from lapwing.regularizers import Laplacian

HERE = Path(__file__).parent


def main(bare: bool = False) -> None:
    """``bare`` is format 1: what skops writes, without a header."""
    X, y, _ = make_two_moons(60, labels_per_class=5, random_state=0)
    graph = Laplacian(KNN(5))
    settings = {"kernel": "rbf", "regularizer": graph, "gamma_A": 0.01, "gamma_I": 0.1}
    model = LapRLSClassifier(fit_intercept=True, **settings).fit(X, y)
    number = 1 if bare else FORMAT
    path = HERE / f"format_{number}.lapwing"
    if bare:
        path.write_bytes(skops.io.dumps(model, compression=zipfile.ZIP_DEFLATED))
    else:
        save(model, path)
    table = np.column_stack([X, model.decision_function(X)])
    np.savetxt(path.with_suffix(".csv"), table, delimiter=",", header="x0,x1,score", comments="")


if __name__ == "__main__":
    main()
