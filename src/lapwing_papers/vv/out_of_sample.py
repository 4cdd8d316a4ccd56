"""VV on RCV1 at a γ_A that keeps unseen stories too."""

from __future__ import annotations

from functools import partial

import numpy as np

from lapwing import VectorValuedClassifier, path
from lapwing.metrics import label_auc
from lapwing.outputs import OutputGraph

from ..claims import higher
from ..experiment import Experiment
from ..table import build_table
from .data import RCV1, load
from .table1 import _split

SETTINGS = {
    "RLS, γ_A = 1": (1.0, 0.0, 0.0),
    "RLS": (1e-3, 0.0, 0.0),
    "LapRLS": (1e-3, 0.1, 0.0),
    "VVMR": (1e-3, 0.1, 0.25),
}
"""γ_A, γ_I and γ_O of each method; γ_A = 1 is where RLS was best on the draw that is not scored."""


class Inductive(Experiment):
    """Unlabeled and unseen stories, at a setting that was chosen on another draw."""

    names = ("vv-table1-inductive",)
    title = "RCV1: a setting that keeps unseen stories"
    datasets = ("rcv1",)
    repetitions = 10
    parts = ("RCV1",)
    minutes = 1.5
    protocol = """
As Table 1 on RCV1, with γ_A = 1e-3 and γ_I = 0.1 in place of γ_A = 1e-6, at which a linear
function of 2,900 words interpolates the graph's values and unseen stories fall below RLS. Both
were chosen on one draw that is not scored (the table is in the README beside this report),
before these ten were drawn. RLS stands at the same γ_A, and at γ_A = 1, where it was best on
that draw.
"""

    def run_one(self, repetition, part, seed):
        X, Y = load(part, self.data)
        train, test = _split(Y, RCV1, seed)
        given = Y[train].copy()
        given[RCV1.n_labeled :] = np.nan
        model = VectorValuedClassifier(
            kernel=RCV1.kernel, regularizer=RCV1.regularizer, fit_intercept=True,
            output_kernel=OutputGraph(n_neighbors=RCV1.output_neighbors),
        )  # fmt: skip
        n, names = RCV1.n_train, {key: name for name, key in SETTINGS.items()}
        records = []
        for point in path(
            model, X[train], given, gamma_A=[1.0, 1e-3], gamma_O=[0.0, 0.25],
            gamma_I=[0.0, 0.1 * n**2],
        ):  # fmt: skip
            gamma_I, gamma_O = round(point.gamma_I / n**2, 6), point.gamma_O or 0.0
            name = names.get((point.gamma_A, gamma_I, gamma_O))
            if name is None:
                continue
            unseen = point.objective.space.evaluate_at(X[test], point.coef)
            rest = slice(RCV1.n_labeled, None)
            for where, truth, scores in (
                ("unlabeled", Y[train][rest], point.readout[rest]), ("unseen", Y[test], unseen),
            ):  # fmt: skip
                area = 100 * float(np.nanmean(label_auc(truth, scores)))
                records.append({"method": name, "measure": where, "value": area})
        return records

    def tables(self, records):
        table = partial(build_table, records, {}, rows=list(SETTINGS))
        return [
            table(
                name="Table 1, RCV1 out of sample", caption="AUC, mean over labels, %.",
                columns=["unlabeled", "unseen"], against=dict.fromkeys(list(SETTINGS)[:3], "VVMR"),
            )
        ]  # fmt: skip

    def claims(self, records):
        return [
            higher(
                f"RCV1: {m} above {reference}, {where}",
                records.values(method=m, measure=where),
                records.values(method=reference, measure=where), " %",
            )
            for m in ("VVMR", "LapRLS")
            for reference in ("RLS, γ_A = 1", "RLS")
            for where in ("unlabeled", "unseen")
        ]  # fmt: skip
