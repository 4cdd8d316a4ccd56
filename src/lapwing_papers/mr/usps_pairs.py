"""MR Figs. 4 and 5: 45 pairs of USPS digits, two labels per class."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

from lapwing.graphs import KNN
from lapwing.kernels import Polynomial
from lapwing.metrics import break_even_error
from lapwing.regularizers import Laplacian

from ..claims import LEVEL, NOT_RUN, Claim, lower, mostly_lower, slower
from ..datasets import load_usps
from ..draws import hidden_but, labeled_rows
from ..experiment import Experiment
from ..figures import Figure, curves, scatter
from ..statistics import paired_test
from ..table import build_table
from .models import AGAINST, METHODS, SWITCHING, make_models, switching, timed, tsvm

PAIRS = tuple(f"{a}-{b}" for a, b in combinations(range(10), 2))
COUNTS = (2, 4, 8, 16, 32, 64)  # labels per class, Fig. 5
N = 400  # images per digit to train
SETTINGS: dict[str, Any] = {
    "kernel": Polynomial(3, coef0=1.0, scale=1 / 256),
    "regularizer": Laplacian(KNN(6, weight="binary")),
    "inductive": 0.05,
    "ambient": 0.005,
    "intrinsic": 0.045,
    "fit_intercept": False,
}


def pair(data, part: str):
    """(X, y, X_test, y_test) of two digits: 100 principal components of the training images."""
    train, test = [], []
    for digit in map(int, part.split("-")):
        rows = np.flatnonzero(data.y[: data.n_train] == digit)
        train.append(rows[:N])
        test.append(rows[N:])
    fit, new = np.concatenate(train), np.concatenate(test)
    pca = PCA(100, svd_solver="full").fit(data.X[fit])
    positive = int(part.split("-")[1])
    y, y_new = (data.y[fit] == positive).astype(int), (data.y[new] == positive).astype(int)
    return pca.transform(data.X[fit]), y, pca.transform(data.X[new]), y_new


class USPSPairs(Experiment):
    """Every pair of digits, with few labels, and Fig. 5's growing number of labels."""

    names = ("mr-figure4", "mr-figure5")
    title = "USPS digits in pairs, two labels per class"
    datasets = ("usps",)
    repetitions = 10
    parts = PAIRS
    quick_parts = ("3-8", "0-1")
    minutes = 9.0
    protocol = """
First 400 training images of each digit, 100 principal components, 2 of each class labeled (the
printed l = 2, u = 398 are per class); error at the precision–recall break-even point on the 796
unlabeled images and on the remaining training images of the two digits, in %. Printed:
polynomial kernel of degree 3, γl = 0.05, γ_A l = 0.005, γ_I l/n² = 0.045. Not printed: the
kernel's scale (here (xᵀz/256 + 1)³, after Schölkopf et al. 1995, whom the paper follows), the
graph (the original code's 6 neighbors, binary weights, normalized). No model has an
intercept: with two labels per class and the normalized Laplacian, whose null vector is √degree
and not the constant, a free constant lets the labels be fitted by vertex degree, and with the
kernel xᵀz cubed errors rise from 6 to 28 %. Scale and constant of the kernel were looked at on
four pairs with other draws. TSVM: `TSVC` with 100 leading eigenvectors, 2 starts; and by label
switching, the paper's algorithm. The seconds are CPU of one thread for one fit.
"""

    def run_one(self, repetition, part, seed):
        X, y, X_new, y_new = pair(load_usps(self.data), part)
        records = []
        for count in COUNTS[:2] if self.quick else COUNTS:
            rows = labeled_rows(y, count, np.random.default_rng([seed, count]))
            given = hidden_but(y, rows)
            rest, l = given == -1, 2 * count
            models = make_models(len(y), l, **SETTINGS)
            if count == COUNTS[0]:
                models["TSVM"] = tsvm(l, kernel=SETTINGS["kernel"], inductive=0.05, seed=seed)
                models[SWITCHING] = switching(
                    l, int(rest.sum()), kernel=SETTINGS["kernel"], inductive=0.05
                )
            for name, model in models.items():
                spent = timed(model, X, given)
                common = {"method": name, "count": count}
                if count == COUNTS[0]:
                    records.append({**common, "measure": "seconds", "value": spent})
                for where, truth, scores in (
                    ("unlabeled", y[rest], model.decision_function(X[rest])),
                    ("test", y_new, model.decision_function(X_new)),
                ):
                    value = 100 * break_even_error(truth, scores)
                    records.append({**common, "measure": where, "value": value})
        return records

    def tables(self, records):
        first = records.where(count=COUNTS[0])
        return [
            build_table(
                first, {}, name="Fig. 4 in numbers",
                caption="Mean error at the break-even point over all pairs and draws, %; the paper "
                "prints curves only.",
                rows=METHODS, columns=["unlabeled", "test", "seconds"], against=AGAINST, digits=2,
            )
        ]  # fmt: skip

    def claims(self, records):
        first = records.where(count=COUNTS[0])
        mean = {
            (m, w): np.array(list(first.by("part", method=m, measure=w).values()))
            for m in METHODS
            for w in ("unlabeled", "test")
        }
        found = []
        for where in ("unlabeled", "test"):
            for better, worse in (
                ("LapSVM", "SVM"), ("LapRLS", "RLS"), ("LapSVM", "TSVM"), ("LapSVM", SWITCHING)
            ):  # fmt: skip
                text = f"{better} errs less than {worse}, {where}, over the pairs"
                found.append(lower(text, mean[better, where], mean[worse, where], " %"))
            found += [self._no_worse(first, m, where) for m in ("TSVM", SWITCHING)]
        slow, fast = (first.values(method=m, measure="seconds") for m in (SWITCHING, "LapSVM"))
        found.append(slower(f"{SWITCHING} slower than LapSVM", slow, fast, times=1.0))
        others = ("TSVM", SWITCHING, "SVM", "RLS")
        spread = {m: self._deviations(first, m, "test") for m in ("LapSVM", *others)}
        if len(spread["LapSVM"]):
            found += [
                mostly_lower(
                    f"LapSVM varies less than {m} on most pairs (standard deviation, test)",
                    spread["LapSVM"], spread[m],
                )
                for m in others
            ]  # fmt: skip
        found += self._with_labels(records)
        for m in ("LapSVM", "LapRLS"):
            gap = mean[m, "test"] - mean[m, "unlabeled"]
            text = f"{m}: out of sample as good as in sample (within 2 points on average)"
            found.append(Claim(text, bool(abs(gap.mean()) < 2), f"{gap.mean():+.2f} points"))
        return found

    @staticmethod
    def _no_worse(records, other: str, where: str) -> Claim:
        """MR: "either compares well or significantly outperforms TSVM" on each of the pairs."""
        text = f"LapSVM errs significantly more than {other} on no pair, {where}"
        better = worse = 0
        for part in records.distinct("part"):
            ours, theirs = (
                records.values(part=part, method=m, measure=where) for m in ("LapSVM", other)
            )
            if not len(ours) or len(ours) != len(theirs):
                return Claim(text, False, NOT_RUN)
            test = paired_test(ours, theirs)
            better += test.pvalue < LEVEL and test.mean < 0
            worse += test.pvalue < LEVEL and test.mean > 0
        total = len(records.distinct("part"))
        detail = f"significantly less on {better} of {total} pairs, more on {worse} (p < 0.05 each)"
        return Claim(text, worse == 0, detail)

    @staticmethod
    def _with_labels(records) -> list[Claim]:
        """MR Fig. 5: what unlabeled images bring falls with the number of labels."""
        counts = records.distinct("count")
        if len(counts) < 2:
            return []
        gains = {}
        for count in (counts[0], counts[-1]):
            chosen = records.where(count=count, measure="test")
            plain, smooth = (chosen.by("part", method=m) for m in ("SVM", "LapSVM"))
            gains[count] = np.array([plain[p] - smooth[p] for p in plain])
        few, many = gains[counts[0]], gains[counts[-1]]
        text = f"LapSVM's gain over SVM is smaller at {counts[-1]} labels per class, test"
        return [lower(text, many, few, " points")]

    def figures(self, records):
        first = records.where(count=COUNTS[0])
        return [
            Figure(
                "Fig. 4, top", "Error at the break-even point on the test images, 45 pairs.",
                partial(self._curves, first), (1, 2), (11, 4),
            ),
            Figure(
                "Fig. 4, bottom", "Test against unlabeled error, one point per pair; standard "
                "deviations of LapSVM and TSVM over the draws.",
                partial(self._scatters, first), (1, 3), (12, 4),
            ),
            Figure(
                "Fig. 5", "Error against the number of labels per class, mean over the pairs.",
                partial(self._labels, records), (1, 2), (11, 4),
            ),
        ]  # fmt: skip

    @staticmethod
    def _deviations(records, method: str, where: str) -> np.ndarray:
        """The standard deviation over draws, one per pair."""
        chosen = records.where(method=method, measure=where)
        found = [chosen.values(part=p) for p in chosen.distinct("part")]
        return np.array([v.std(ddof=1) for v in found if len(v) > 1])

    @staticmethod
    def _curves(records, axes) -> None:
        for ax, methods in zip(
            axes[0], (("RLS", "LapRLS"), ("SVM", "TSVM", "LapSVM")), strict=True
        ):
            lines = {
                m: list(records.by("part", method=m, measure="test").values()) for m in methods
            }
            parts = range(1, 1 + len(records.distinct("part")))
            curves(ax, parts, lines, xlabel="pair of digits", ylabel="error %")

    def _scatters(self, records, axes) -> None:
        for ax, m in zip(axes[0], ("LapRLS", "LapSVM"), strict=False):
            points = [
                list(records.by("part", method=m, measure=w).values())
                for w in ("unlabeled", "test")
            ]
            scatter(ax, {m: tuple(points)}, xlabel="unlabeled, error %", ylabel="test, error %")
        deviations = [self._deviations(records, m, "test") for m in ("LapSVM", "TSVM")]
        scatter(axes[0, 2], {"one pair": tuple(deviations)}, xlabel="standard deviation, LapSVM",
                ylabel="standard deviation, TSVM")  # fmt: skip

    @staticmethod
    def _labels(records, axes) -> None:
        counts = records.distinct("count")
        for ax, methods in zip(axes[0], (("RLS", "LapRLS"), ("SVM", "LapSVM")), strict=True):
            lines = {
                f"{m} ({w[0].upper()})": [
                    records.mean(method=m, measure=w, count=c) for c in counts
                ]
                for m in methods
                for w in ("unlabeled", "test")
            }
            curves(ax, counts, lines, xlabel="labels per class", ylabel="error %", xscale="log")
