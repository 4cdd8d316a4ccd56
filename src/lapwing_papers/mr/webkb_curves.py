"""MR Fig. 8: WebKB against the number of labeled and of unlabeled pages."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from lapwing.metrics import prbep

from ..claims import NOT_RUN, Claim, everywhere, higher
from ..datasets import load_webkb
from ..draws import hidden_but, labels_with_every_class
from ..experiment import Experiment
from ..figures import Figure, curves
from ..table import build_table
from .models import make_models
from .webkb import SETTINGS, pages

N_TEST = 263
COUNTS = (4, 8, 16, 32, 64, 128)
UNLABELED = (100, 350)
METHODS = ("SVM", "LapSVM", "RLS", "LapRLS")
MANIFOLD = METHODS[1::2]
ALL = "all"


class Figure8(Experiment):
    """Random splits; all models on all training pages, LapSVM on fewer."""

    names = ("mr-figure8",)
    title = "WebKB: precision against labeled and unlabeled pages"
    datasets = ("webkb",)
    repetitions = 100
    quick_repetitions = 1
    minutes = 4.0
    protocol = """
263 pages to test, the others to train, as many of these labeled as the figure says (drawn
again until both classes are among them); precision at the break-even point on the unlabeled
training pages and on the test pages, in %. Settings of Table 5, kept for all sizes as in the
paper. Lower panel: LapSVM with 100, 350 or all other training pages unlabeled; the paper says
that LapRLS does likewise, which the claims look at.
"""

    def run_one(self, repetition, part, seed):
        X, _, truth = pages(load_webkb(self.data))
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(truth))
        test, train = order[:N_TEST], order[N_TEST:]
        records = []
        for count in COUNTS[1::3] if self.quick else COUNTS:
            rows = labels_with_every_class(truth[train], count, rng)
            others = np.setdiff1d(np.arange(len(train)), rows)
            for size in (ALL, *UNLABELED):
                kept = others if size == ALL else rng.permutation(others)[:size]
                used = train[np.concatenate([rows, kept])]
                y = hidden_but(truth[used], np.arange(count))
                models = make_models(len(used), count, **SETTINGS)
                for name in METHODS if size == ALL else MANIFOLD:
                    model = models[name].fit(X[used], y)
                    for where, at in (("unlabeled", used[count:]), ("test", test)):
                        value = 100 * prbep(truth[at], model.decision_function(X[at]))
                        records.append(
                            {"method": name, "count": count, "size": str(size), "measure": where,
                             "value": value}
                        )  # fmt: skip
        return records

    def tables(self, records):
        counts = [str(c) for c in records.distinct("count")]
        rows = [f"{m}, {w}" for m in METHODS for w in ("unlabeled", "test")]

        def select(row, column):
            method, where = row.split(", ")
            return {"method": method, "measure": where, "count": int(column), "size": ALL}

        return [
            build_table(
                records, {}, name="Fig. 8 in numbers", caption="Precision at the break-even point, "
                "%, by the number of labeled pages; the paper prints curves only.",
                rows=rows, columns=counts, select=select,
                against={f"Lap{m}, {w}": f"{m}, {w}" for m in ("SVM", "RLS")
                         for w in ("unlabeled", "test")},
            )
        ]  # fmt: skip

    def claims(self, records):
        found = []
        for better, worse in (("LapSVM", "SVM"), ("LapRLS", "RLS")):
            for where in ("unlabeled", "test"):
                common = {"measure": where, "size": ALL}
                a, b = (records.values(method=m, **common) for m in (better, worse))
                found.append(higher(f"{better} above {worse}, {where}", a, b, " %"))
                found.append(self._at_every_count(records, better, worse, where))
        for m in MANIFOLD:
            rises = {w: self._rises(records, m, w) for w in ("unlabeled", "test")}
            text = f"{m}: transduction improves with more pages"
            found.append(replace(rises["unlabeled"], text=text))
            test, text = rises["test"], f"{m}: on the test set this is not seen consistently"
            judged = test.detail != NOT_RUN
            found.append(replace(test, text=text, holds=judged and not test.holds))
        return found

    @staticmethod
    def _at_every_count(records, better: str, worse: str, where: str) -> Claim:
        counts = records.distinct("count")
        steps = [
            higher("", *(records.values(method=m, measure=where, size=ALL, count=c)
                         for m in (better, worse)))
            for c in counts
        ]  # fmt: skip
        text = f"{better} above {worse}, {where}, at every number of labeled pages"
        return everywhere(text, steps, [str(c) for c in counts])

    @staticmethod
    def _rises(records, method: str, where: str) -> Claim:
        """Whether each step to more unlabeled pages helps a method, by a paired test each."""
        sizes = [str(s) for s in (*UNLABELED, ALL)]
        values = [records.values(method=method, measure=where, size=s) for s in sizes]
        if not all(len(v) == len(values[0]) > 0 for v in values):
            return Claim("", False, NOT_RUN)
        steps = [higher("", more, less) for less, more in pairwise(values)]
        means = " → ".join(f"{v.mean():.1f}" for v in values)
        all_of_them = everywhere("", steps, ["350", "all"])
        ps = " and ".join(f"{one.p:.2g}" for one in steps)
        return replace(all_of_them, detail=f"{means} % with 100, 350 and all, p = {ps}")

    def figures(self, records):
        return [
            Figure(
                "Fig. 8, top", "All models, unlabeled (U) and test (T) pages.",
                partial(_models, records), (1, 2), (11, 4),
            ),
            Figure(
                "Fig. 8, bottom", "LapSVM with different numbers of unlabeled pages.",
                partial(_sizes, records), (1, 2), (11, 4),
            ),
        ]  # fmt: skip


def _models(records, axes) -> None:
    counts = records.distinct("count")
    for ax, where in zip(axes[0], ("unlabeled", "test"), strict=True):
        lines = {
            f"{m} ({where[0].upper()})": [
                records.mean(method=m, measure=where, size=ALL, count=c) for c in counts
            ]
            for m in METHODS
        }
        curves(ax, counts, lines, xlabel="labeled pages", ylabel="PRBEP %", xscale="log")


def _sizes(records, axes) -> None:
    counts = records.distinct("count")
    for ax, where in zip(axes[0], ("unlabeled", "test"), strict=True):
        lines = {
            f"u = {s}": [
                records.mean(method="LapSVM", measure=where, size=str(s), count=c) for c in counts
            ]
            for s in (*UNLABELED, ALL)
        }
        curves(ax, counts, lines, xlabel="labeled pages", ylabel=f"{where}, PRBEP %",
               xscale="log")  # fmt: skip
