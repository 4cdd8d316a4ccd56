"""Sets of labels on Scene: 2⁶ outputs that are never listed. Not in the paper."""

from __future__ import annotations

import numpy as np

from lapwing import StructuredLapSVC
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.metrics import macro_auc
from lapwing.metrics.structured import structured_loss, zero_one_loss
from lapwing.outputs import LabelSets
from lapwing.regularizers import Laplacian

from ..claims import lower
from ..datasets import load_scene
from ..experiment import Experiment
from ..table import build_table

N_TRAIN, N_LABELED = 1204, 100
MANIFOLD = ("with", "without")
MEASURES = ("Hamming loss", "0-1 loss", "AUC")


class SceneSets(Experiment):
    """SO's model on an output space that is searched label by label."""

    names = ("so-scene",)
    title = "Scene: sets of six labels (not in the paper)"
    datasets = ("scene",)
    repetitions = 10
    minutes = 0.3
    protocol = """
1,204 images to train, 100 of them labeled, the others unseen; `LabelSets(6)` with Hamming loss,
RBF width 4.3, 5 neighbors, Laplacian squared, γ_A = 1e-4, γ_I = 1e-3 (without 1/n²), looked at on
one draw that is not scored.
"""

    def run_one(self, repetition, part, seed):
        data = load_scene(self.data)
        X, Y = data.X, data.Y.astype(int)
        order = np.random.default_rng(seed).permutation(len(X))
        n = 300 if self.quick else N_TRAIN
        train, unseen = order[:n], order[n:]
        given = Y[train].astype(float)
        given[N_LABELED:] = np.nan
        records = []
        for manifold in MANIFOLD:
            model = StructuredLapSVC(
                kernel=RBF(4.3), output=LabelSets(6), gamma_A=1e-4,
                gamma_I=1e-3 * n**2 if manifold == "with" else 0.0,
                regularizer=Laplacian(KNN(5), degree=2),
            ).fit(X[train], given)  # fmt: skip
            for where, at in (("unlabeled", train[N_LABELED:]), ("unseen", unseen)):
                found = model.predict(X[at])
                values = (
                    structured_loss(Y[at], found, LabelSets(6)),
                    zero_one_loss(Y[at], found),
                    macro_auc(Y[at], model.decision_function(X[at])),
                )
                records += [
                    {"manifold": manifold, "rows": where, "measure": m, "value": v}
                    for m, v in zip(MEASURES, values, strict=True)
                ]
        return records

    def tables(self, records):
        rows = [f"{m}, {w}" for m in MEASURES for w in MANIFOLD]

        def select(row, column):
            measure, manifold = row.split(", ")
            return {"measure": measure, "manifold": manifold, "rows": column}

        return [
            build_table(
                records, {}, name="Sets of labels", caption="With and without manifold.",
                rows=rows, columns=["unlabeled", "unseen"], select=select, digits=3,
                against={f"{m}, with": f"{m}, without" for m in MEASURES},
            )
        ]  # fmt: skip

    def claims(self, records):
        return [
            lower(
                f"{where}: lower Hamming loss with manifold",
                *(records.values(measure="Hamming loss", rows=where, manifold=m) for m in MANIFOLD),
            )
            for where in ("unlabeled", "unseen")
        ]
