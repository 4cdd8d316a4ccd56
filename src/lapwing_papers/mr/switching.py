"""MR's TSVM as the paper ran it: label switching on Isolet, timed beside LapSVM."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from lapwing.metrics import break_even_error

from ..baselines import TSVC
from ..claims import Claim, lower
from ..draws import hidden_but
from ..experiment import Experiment
from ..table import build_table
from .isolet import SETTINGS, letters_of
from .models import make_models

METHODS = ("SVM", "TSVM", "LapSVM")
SLOWER = 10.0
"""How much slower MR says TSVM is, at least."""


class IsoletSwitching(Experiment):
    """SVM, TSVM and LapSVM for each of the thirty speakers, with their seconds."""

    names = ("mr-table4-switching",)
    title = "Isolet: TSVM by label switching"
    datasets = ("isolet",)
    repetitions = 30
    parts = ("26 letters", "halves")
    minutes = 8.0
    protocol = """
As Table 4 and Fig. 6, with the transductive model of the paper: `TSVC(method="switching")`,
Joachims' algorithm, one pair of labels at a time. An unlabeled row counts as much as a labeled
one (C* = C, the default of SVM-light), the share of positives is that of the labeled rows, and
γ is SVM's. The seconds are CPU of one thread for one fit, all 26 letters, kernel and graph
included; they depend on the computer, and their ratio is what the paper speaks of ("more than
ten times slower").
"""

    def run_one(self, repetition, part, seed):
        X, y, speaker, X_new, y_new = letters_of(self.data, part)
        given = hidden_but(y, np.flatnonzero(speaker == repetition))
        rest, l = given == -1, int((given != -1).sum())
        models = make_models(len(y), l, **SETTINGS)
        gamma = SETTINGS["inductive"] / l
        models["TSVM"] = TSVC(
            kernel=SETTINGS["kernel"], gamma_A=gamma, method="switching", n_switches=1,
            unlabeled_weight=rest.sum() / l,
        )  # fmt: skip
        records = []
        for name in METHODS:
            model, start = models[name], time.process_time()
            model.fit(X, given)
            spent = time.process_time() - start
            common = {"method": name, "task": part}
            records.append({**common, "measure": "seconds", "value": spent})
            for where, truth, rows in (("unlabeled", y[rest], X[rest]), ("test", y_new, X_new)):
                if part == "26 letters":
                    wrong = float((model.predict(rows) != truth).mean())
                else:
                    wrong = break_even_error(truth, model.decision_function(rows))
                records.append({**common, "measure": where, "value": 100 * wrong})
        return records

    def tables(self, records):
        table = partial(
            build_table, rows=METHODS, columns=["unlabeled", "test", "seconds"],
            against={"TSVM": "SVM", "LapSVM": "TSVM"},
        )  # fmt: skip
        return [
            table(
                records.where(task="26 letters"), self.printed("4"),
                name="Table 4, label switching",
                caption="26 letters one-vs-rest, error %, and CPU seconds of one fit.",
            ),
            table(
                records.where(task="halves"), {}, name="Fig. 6, label switching",
                caption="Letters 1–13 against 14–26, error at the break-even point, %.",
            ),
        ]  # fmt: skip

    def claims(self, records):
        found = []
        for task in self.parts:
            here = records.where(task=task)
            for where in ("unlabeled", "test"):
                ours, theirs = (here.values(method=m, measure=where) for m in ("LapSVM", "TSVM"))
                found.append(
                    lower(f"{task}: LapSVM errs less than TSVM, {where}", ours, theirs, " %")
                )
            ours, theirs = (here.values(method=m, measure=where) for m in ("SVM", "TSVM"))
            if task == "26 letters":
                found.append(lower(f"{task}: SVM errs less than TSVM, test", ours, theirs, " %"))
            slow = here.values(method="TSVM", measure="seconds")
            fast = here.values(method="LapSVM", measure="seconds")
            if len(slow):
                ratio = np.median(slow / fast)
                found.append(
                    Claim(
                        f"{task}: TSVM more than ten times slower than LapSVM", ratio > SLOWER,
                        f"median ratio {ratio:.1f}, from {(slow / fast).min():.1f} to "
                        f"{(slow / fast).max():.1f} over {len(slow)} fits",
                    )
                )  # fmt: skip
        return found
