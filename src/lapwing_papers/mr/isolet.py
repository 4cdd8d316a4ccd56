"""MR Table 4, Figs. 6 and 7: spoken letters, one speaker labeled."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import pearsonr

from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.metrics import break_even_error
from lapwing.regularizers import Laplacian

from ..claims import Claim, lower, mostly_lower
from ..datasets import load_isolet
from ..draws import hidden_but
from ..experiment import Experiment
from ..figures import Figure, curves, scatter
from ..table import build_table
from .models import AGAINST, make_models, tsvm

SETTINGS: dict[str, Any] = {
    "kernel": RBF(10.0),
    "regularizer": Laplacian(KNN(6, weight="binary")),
    "inductive": 0.05,
    "ambient": 0.005,
    "intrinsic": 0.005,
}
METHODS = ("SVM", "TSVM", "LapSVM", "RLS", "LapRLS")
MEASURES = ("unlabeled", "test")
BETTER = (("LapSVM", "SVM"), ("LapRLS", "RLS"), ("LapSVM", "TSVM"), ("LapRLS", "TSVM"))
HIGH = 0.8  # a correlation that is called high; the paper gives no number


class Isolet(Experiment):
    """Thirty speakers, each in turn the only one that is labeled."""

    names = ("mr-table4", "mr-figure6", "mr-figure7")
    title = "Isolet: letters by one labeled speaker of thirty"
    datasets = ("isolet",)
    repetitions = 30
    parts = ("26 letters", "halves", "halves, second utterances")
    minutes = 4.5
    protocol = """
Trained on isolet1 (30 speakers, 1,560 utterances, the 52 of one speaker labeled), tested on
isolet5 (1,559 utterances of others). Repetition s labels speaker s. Table 4: 26 letters
one-vs-rest, error in %. Figs. 6 and 7: letters 1–13 against 14–26, error at the break-even
point; experiment 2 trains on first and tests on second utterances (780 each). Printed: RBF
width 10, γl = 0.05 for SVM and RLS (chosen by the authors on these splits), γ_A l = γ_I l/(u +
l)² = 0.005. Not printed: the graph; the original code's 6 neighbors with binary weights,
normalized, are taken. All models have an intercept. Speakers are inferred from the order of
the file's rows. TSVM: `TSVC` with 100 leading eigenvectors, one start; by label switching it
stands in `mr-table4-switching`.
"""

    def run_one(self, repetition, part, seed):
        X, y, speaker, X_new, y_new = letters_of(self.data, part)
        many = part == "26 letters"
        given = hidden_but(y, np.flatnonzero(speaker == repetition))
        rest, l = given == -1, int((given != -1).sum())
        models = make_models(len(y), l, **SETTINGS)
        if not (many and self.quick):
            models["TSVM"] = tsvm(
                l, kernel=SETTINGS["kernel"], inductive=0.05, seed=seed, n_restarts=1
            )
        records = []
        for name, model in models.items():
            model.fit(X, given)
            for where, truth, rows in (("unlabeled", y[rest], X[rest]), ("test", y_new, X_new)):
                if many:
                    value = 100 * float((model.predict(rows) != truth).mean())
                else:
                    value = 100 * break_even_error(truth, model.decision_function(rows))
                records.append({"method": name, "task": part, "measure": where, "value": value})
        return records

    def tables(self, records):
        columns = ["unlabeled", "test"]
        table = partial(build_table, rows=METHODS, columns=columns, against=AGAINST)
        return [
            table(
                records.where(task="26 letters"), self.printed("4"), name="Table 4",
                caption="26 letters one-vs-rest, error %.",
            ),
            table(
                records.where(task="halves"), {}, name="Fig. 6 in numbers",
                caption="Letters 1–13 against 14–26, error at the break-even point, %.",
            ),
            table(
                records.where(task="halves, second utterances"), {}, name="Fig. 7, experiment 2",
                caption="Trained on first, tested on second utterances, error at the break-even "
                "point, %.",
            ),
        ]  # fmt: skip

    def claims(self, records):
        found = []
        printed = self.printed("4")
        for m in ("LapSVM", "LapRLS"):
            for where in ("unlabeled", "test"):
                ours = records.mean(task="26 letters", method=m, measure=where)
                theirs = printed[m, where]
                found.append(
                    Claim(
                        f"Table 4: {m}, {where}, within 0.5 points of the printed error or below",
                        ours <= theirs.value + 0.5, f"{ours:.1f} against {theirs.text}",
                    )
                )  # fmt: skip
        for task in ("26 letters", "halves"):
            for better, worse in BETTER:
                both = tuple(records.where(task=task, method=worse).distinct("repetition"))
                for where in ("unlabeled", "test"):
                    ours, theirs = (
                        records.values(task=task, method=m, measure=where, repetition=both)
                        for m in (better, worse)
                    )
                    text = f"{task}: {better} errs less than {worse}, {where}"
                    found.append(lower(text, ours, theirs, " %"))
        return [
            *found, *_gains(records), *_for_every_speaker(records), *_smaller_outside(records),
            *_correlations(records),
        ]  # fmt: skip

    def figures(self, records):
        halves = records.where(task="halves")
        return [
            Figure(
                "Fig. 6", "Error at the break-even point for each labeled speaker, unlabeled "
                "speakers (top) and isolet5 (bottom).",
                partial(_speakers, halves), (2, 2), (11, 7),
            ),
            Figure(
                "Fig. 7", "Test against unlabeled error, one point per labeled speaker; left: "
                "isolet5 (experiment 1), right: second utterances (experiment 2).",
                partial(_in_and_out, records), (1, 2), (10, 4.5),
            ),
        ]  # fmt: skip


def letters_of(home, part: str) -> tuple[np.ndarray, ...]:
    """X, y, speakers, and unseen X and y of one of the parts; halves are letters 14–26 or not."""
    data = load_isolet(home)
    train, test = data.group == 1, data.group == 5
    X, letters, speaker = data.X[train], data.y[train], data.speaker[train]
    X_new, letters_new = data.X[test], data.y[test]
    if part == "halves, second utterances":
        second = _second(letters, speaker)
        X, X_new = X[~second], X[second]
        letters_new, letters, speaker = letters[second], letters[~second], speaker[~second]
    if part == "26 letters":
        return X, letters.astype(int), speaker, X_new, letters_new.astype(int)
    return X, (letters > 13).astype(int), speaker, X_new, (letters_new > 13).astype(int)


def _gains(records) -> list[Claim]:
    """MR of Table 4: "around 3 to 4% improvement" over SVM and RLS; rounded here."""
    found = []
    for better, worse in BETTER[:2]:
        gains = [
            records.mean(task="26 letters", method=worse, measure=w)
            - records.mean(task="26 letters", method=better, measure=w)
            for w in MEASURES
        ]
        text = f"Table 4: {better} is 3 to 4 points below {worse}"
        detail = f"{gains[0]:.1f} points unlabeled, {gains[1]:.1f} test"
        found.append(Claim(text, all(3 <= round(gain) <= 4 for gain in gains), detail))
    return found


def _for_every_speaker(records) -> list[Claim]:
    """MR of Fig. 6: the gain is there "over all choices of the labeled speaker"."""
    found = []
    for better, worse in BETTER:
        for where in MEASURES:
            ours, theirs = (
                records.values(task="halves", method=m, measure=where) for m in (better, worse)
            )
            text = f"Fig. 6: {better} errs less than {worse} for every labeled speaker, {where}"
            mostly = mostly_lower(text, ours, theirs)
            every = bool(len(ours)) and bool((ours < theirs).all())
            found.append(replace(mostly, holds=every))
    return found


def _smaller_outside(records) -> list[Claim]:
    """MR's reading of Fig. 6: on other speakers the gain is smaller."""
    found = []
    for better, worse in BETTER[:2]:
        inside, outside = (
            records.values(task="halves", method=worse, measure=w)
            - records.values(task="halves", method=better, measure=w)
            for w in MEASURES
        )
        text = f"Fig. 6: {better}'s gain over {worse} is smaller on isolet5"
        found.append(lower(text, outside, inside, " points"))
    return found


def _correlations(records) -> list[Claim]:
    """MR's reading of Fig. 7: a speaker that is hard in sample is hard out of sample."""
    found: list[Claim] = []
    for method in ("LapSVM", "LapRLS"):
        r = {}
        for task in ("halves", "halves, second utterances"):
            pair = [records.values(task=task, method=method, measure=w) for w in MEASURES]
            if len(pair[0]) < 3 or len(pair[0]) != len(pair[1]):
                return found
            r[task] = float(np.corrcoef(*pair)[0, 1])
        first, second = r.values()
        text = f"Fig. 7: {method}, unlabeled and test errors correlate highly in experiment 2"
        detail = f"r = {second:.2f} over the speakers (experiment 1: {first:.2f})"
        p = float(pearsonr(*pair).pvalue)
        found.append(Claim(text, second > HIGH, f"{detail}, p = {p:.2g}", p))
    return found


def _second(letters: np.ndarray, speaker: np.ndarray) -> np.ndarray:
    """Where a speaker says a letter for the second time."""
    seen: set[tuple[int, int]] = set()
    second = np.zeros(len(letters), dtype=bool)
    for i, key in enumerate(zip(speaker.tolist(), letters.tolist(), strict=True)):
        second[i] = key in seen
        seen.add(key)
    return second


def _speakers(records, axes) -> None:
    for row, where in zip(axes, ("unlabeled", "test"), strict=True):
        for ax, methods in zip(row, (("RLS", "LapRLS"), ("SVM", "TSVM", "LapSVM")), strict=True):
            lines = {m: records.values(method=m, measure=where) for m in methods}
            speakers = [r + 1 for r in records.distinct("repetition")]
            curves(ax, speakers, lines, xlabel="labeled speaker", ylabel=f"{where}, error %")


def _in_and_out(records, axes) -> None:
    for ax, task in zip(axes[0], ("halves", "halves, second utterances"), strict=True):
        groups = {
            m: tuple(records.values(task=task, method=m, measure=w) for w in ("unlabeled", "test"))
            for m in ("RLS", "LapRLS", "SVM", "LapSVM")
        }
        scatter(ax, groups, xlabel="unlabeled, error %", ylabel="test, error %", title=task)
