"""MR Table 3: USPS digits one-vs-rest."""

from __future__ import annotations

from typing import Any

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian

from ..claims import Claim, lower
from ..datasets import load_uspst
from ..draws import hidden_but
from ..experiment import Experiment
from ..table import build_table
from .models import (
    AGAINST,
    METHODS,
    SWITCHING,
    beside_switching,
    make_models,
    switching,
    tsvm,
)

EXTRA = ("LapRLS without intercept", "LapRLS by the rule")


class Table3(Experiment):
    """Ten published splits of 2,007 digits, 50 of them labeled."""

    names = ("mr-table3",)
    title = "USPS digits, one-vs-rest, 50 labels"
    datasets = ("uspst",)
    repetitions = 10
    minutes = 2.5
    protocol = """
The file and the ten splits of Chapelle and Zien (2005); error on the 1,957 unlabeled rows, in
%. The paper prints no settings. RBF width 9.4, 10 neighbors with heat weights exp(−d²/2d̄²),
normalized Laplacian squared, γ_A l = 5e-5, γ_I l/n² = 0.5 were taken over from an earlier plain
implementation that came near the table, without any search here; the supervised models have
the same γ_A. TSVM: `TSVC` (100 leading eigenvectors, 2 starts) at γ_A l = 0.05, one model per
class; and by label switching, the paper's algorithm, at the same γ_A. The last two rows are ours
alone; the rule (γ_A = 1e-6 · mean k(x, x), γ_I = 1e-3 n²,
median width) sees no label.
"""

    def run_one(self, repetition, part, seed):
        data = load_uspst(self.data)
        y = hidden_but(data.y, data.labeled[repetition])
        rest, n = data.unlabeled[repetition], len(data.y)
        graph = Laplacian(KNN(10), degree=2)
        settings: dict[str, Any] = {"kernel": RBF(9.4), "regularizer": graph, "inductive": 5e-5}
        settings |= {"ambient": 5e-5, "intrinsic": 0.5}
        models = make_models(n, 50, **settings)
        models["TSVM"] = tsvm(50, kernel=RBF(9.4), inductive=0.05, seed=seed)
        models[SWITCHING] = switching(50, n - 50, kernel=RBF(9.4), inductive=0.05)
        models[EXTRA[0]] = make_models(n, 50, **settings, fit_intercept=False)["LapRLS"]
        models[EXTRA[1]] = LapRLSClassifier(
            kernel=RBF("median"), regularizer=graph, gamma_A="rule", gamma_I="rule",
            fit_intercept=True,
        )  # fmt: skip
        return [
            {
                "method": name,
                "measure": "error %",
                "value": 100 * float((_fitted(m, data.X, y) != data.y)[rest].mean()),
            }
            for name, m in models.items()
        ]

    def tables(self, records):
        return [
            build_table(
                records, beside_switching(self.printed("3")), name="Table 3",
                caption="Error on unlabeled rows, %.",
                rows=[*METHODS, *EXTRA], columns=["error %"],
                against={**AGAINST, **dict.fromkeys(EXTRA, "RLS")},
            )
        ]  # fmt: skip

    def claims(self, records):
        found = {m: records.values(method=m) for m in METHODS}
        printed = self.printed("3")
        at_least = [
            Claim(
                f"{m} within 0.5 points of the printed error or below",
                bool(found[m].mean() <= printed[m, "error %"].value + 0.5),
                f"{found[m].mean():.1f} against {printed[m, 'error %'].text}",
            )
            for m in ("LapSVM", "LapRLS")
        ]
        return [
            *at_least,
            lower("LapSVM errs less than SVM", found["LapSVM"], found["SVM"], " %"),
            lower("LapRLS errs less than RLS", found["LapRLS"], found["RLS"], " %"),
            *(
                lower(f"LapSVM errs less than {m}", found["LapSVM"], found[m], " %")
                for m in ("TSVM", SWITCHING)
            ),
            *(
                lower(f"SVM errs less than {m} (local minima)", found["SVM"], found[m], " %")
                for m in ("TSVM", SWITCHING)
            ),
        ]


def _fitted(model, X, y):
    return model.fit(X, y).transduction_
