"""VV Table 1, Figs. 1 and 2: several labels per image and per news story."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import numpy as np

from lapwing import VectorValuedClassifier, path
from lapwing.inspection import SurfaceDisplay
from lapwing.metrics import label_auc
from lapwing.outputs import OutputGraph

from ..claims import Claim, everywhere, higher
from ..experiment import Experiment
from ..figures import Figure, scatter
from ..table import build_table
from .competitors import competitors, tuned
from .data import TASKS, Task, load

OURS = ("RLS", "VV-RLS", "LapRLS", "VVMR")
THEIRS = ("KCCA", "M3L", "SMSE2", "CNMF")


class Table1(Experiment):
    """Ten draws of labeled rows on each data set, a whole grid of γ's in each."""

    names: ClassVar[tuple[str, ...]] = ("vv-table1", "vv-figure1", "vv-figure2")
    title = "Scene and RCV1: several labels per row"
    datasets: ClassVar[tuple[str, ...]] = ("scene", "rcv1")
    repetitions = 10
    revision = 2
    parts: ClassVar[tuple[str, ...]] = ("Scene", "RCV1")
    quick_parts: ClassVar[tuple[str, ...] | None] = ("Scene",)
    minutes = 5.0
    fit_intercept = True
    tasks: ClassVar[Mapping[str, Task]] = TASKS
    protocol = """
Half of the rows to train, of which 100 (Scene) or 50 (RCV1) are labeled; mean area under the
ROC curve over the labels, in %, on the unlabeled rows and on the unseen half. The split is
drawn with the labels; the labeled rows are drawn again until every label is on one of them,
which the paper does not say. The rarer of RCV1's 25 topics are on 3 to 4 % of the stories: 50
stories drawn freely lack up to six topics, of which no method then knows anything (an area of
about 50). This was seen on three draws that are not scored; five free draws of an earlier run,
which were, had 81.8 over all topics and 85.0 over those on a labeled story. Printed: Scene RBF
4.3, γ_A = 1e-4, 5 input and 2 output neighbors; RCV1 linear kernel, γ_A = 1, 50 input
neighbors iterated to degree 5, 20 output neighbors, 2,900 words, 25 topics (the most frequent
ones here). Not printed: γ_I and γ_O. Scene: γ_I = 0.01, γ_O = 1 from an earlier plain
implementation. RCV1: cosine neighbors with binary weights, γ_A = 1e-6, γ_I = 0.1, γ_O = 0.25,
looked at on two draws that are not scored; at the printed γ_A = 1 no γ_I comes above 80, so the
paper's rows or its γ_A are scaled otherwise. Each label has an intercept: without, AUC on RCV1
falls to 57 at γ_O = 0, and γ_O = 1 brings it back (`vv-table1-printed`). The graph of Scene is
that of `KNN(5)`, which leaves out hubs.

KCCA, SMSE2 and CNMF: our implementations, tuned by 5-fold cross-validation on the labeled
rows, over the paper's ridges {0, 10^−3 … 10³} for KCCA and μ, ν of SMSE2 in {0.1 … 100} × {0.1,
1}; 100 steps of CNMF. M3L is not run: its solver and its label prior are not described well
enough to claim the name.
"""

    def run_one(self, repetition, part, seed):
        X, Y = load(part, self.data)
        task = self.tasks[part]
        train, test = _split(Y, task, seed)
        truth = Y[train]
        given = truth.copy()
        given[task.n_labeled :] = np.nan
        rest = slice(task.n_labeled, None)
        records = self._grid(part, task, X[train], given, truth[rest], X[test], Y[test])
        for name, settings in competitors(task, X[train], self.quick).items():
            scores = tuned(settings, X[train], given, seed)[rest]
            area = 100 * float(np.nanmean(label_auc(truth[rest], scores)))
            records.append({"task": part, "method": name, "measure": "unlabeled", "value": area})
        return records

    def _grid(self, part, task: Task, X, Y, truth, X_new, Y_new) -> list[dict]:
        n = task.n_train
        model = VectorValuedClassifier(
            kernel=task.kernel, regularizer=task.regularizer,
            output_kernel=OutputGraph(n_neighbors=task.output_neighbors),
            fit_intercept=self.fit_intercept,
        )  # fmt: skip
        gammas_O = sorted({0.0, 0.5, task.chosen[2]}) if self.quick else task.gamma_O
        gammas_I = sorted({0.0, task.chosen[1]}) if self.quick else task.gamma_I
        names: dict[tuple, str] = {key: name for name, key in task.methods.items()}
        records = []
        for point in path(
            model, X, Y, gamma_A=task.gamma_A, gamma_O=gammas_O,
            gamma_I=[g * n**2 for g in gammas_I],
        ):  # fmt: skip
            gamma_I = min(gammas_I, key=lambda g: abs(g - point.gamma_I / n**2))
            key = (point.gamma_A, gamma_I, point.gamma_O)
            areas = {"unlabeled": 100 * label_auc(truth, point.readout[task.n_labeled :])}
            cell = {"task": part, "measure": "unlabeled", "value": np.nanmean(areas["unlabeled"])}
            cell |= dict(zip(("gamma_A", "gamma_I", "gamma_O"), key, strict=True))
            records.append({**cell, "method": "grid"})
            if key in names:
                unseen = point.objective.space.evaluate_at(X_new, point.coef)
                areas["unseen"] = 100 * label_auc(Y_new, unseen)
                records += [
                    {"task": part, "method": names[key], "measure": w, "value": np.nanmean(a)}
                    for w, a in areas.items()
                ]
            if names.get(key) == "VVMR":
                records += [
                    {"task": part, "method": "VVMR, one label", "label": j, "measure": w,
                     "value": float(a[j])}
                    for w, a in areas.items() for j in range(len(a)) if not np.isnan(a[j])
                ]  # fmt: skip
        return records

    def tables(self, records):
        tasks = records.distinct("task")
        also = [m for task in tasks for m in self.tasks[task].also]
        common = {"rows": [*THEIRS, *OURS, *also], "columns": tasks}
        references = dict.fromkeys([m for m in common["rows"] if m != "VVMR"], "VVMR")
        return [
            build_table(
                records, self.printed("1"), name="Table 1", caption="AUC on the unlabeled rows, "
                "mean over labels, %.", against=references, **common,
                select=lambda r, c: {"method": r, "task": c, "measure": "unlabeled"},
            ),
            build_table(
                records, {}, name="The same on the unseen half", caption="AUC, %.",
                rows=[*OURS, *also], columns=tasks, against=dict.fromkeys(OURS[:3], "VVMR"),
                select=lambda r, c: {"method": r, "task": c, "measure": "unseen"},
            ),
        ]  # fmt: skip

    def claims(self, records):
        found = []
        least = {"Scene": 84.9, "RCV1": 85.2}  # printed
        for task in records.distinct("task"):
            area = {
                m: records.values(task=task, method=m, measure="unlabeled")
                for m in (*OURS, *THEIRS)
            }
            ours = area["VVMR"].mean()
            text = f"{task}: VVMR at or above the printed {least[task]}"
            found.append(Claim(text, bool(ours >= least[task]), f"{ours:.1f}"))
            found += [
                higher(f"{task}: VVMR above {m}", area["VVMR"], area[m], " %")
                for m in (*THEIRS, "RLS", "VV-RLS", "LapRLS")
            ]
            found += self._of_the_text(records, task)
        return found

    def _of_the_text(self, records, task: str) -> list[Claim]:
        """What the paper reads off Figs. 1 and 2."""
        gamma_A, gamma_I, gamma_O = self.tasks[task].chosen
        grid = records.where(task=task, method="grid", gamma_A=gamma_A)
        strengths, couplings = (sorted(grid.distinct(name)) for name in ("gamma_I", "gamma_O"))
        low, high = (grid.values(gamma_I=gamma_I, gamma_O=g) for g in (0.0, couplings[-1]))
        ends = (0.0, min(0.1, strengths[-1]))
        first, last = (grid.values(gamma_I=g, gamma_O=gamma_O) for g in ends)
        vvmr, rls = (records.values(task=task, method=m, measure="unseen") for m in ("VVMR", "RLS"))

        def rise(along: str, ends, across: str, others) -> Claim:
            """The first γ from end to end, at each value of the second."""
            steps = [
                higher("", *(grid.values(**{along: g, across: o}) for g in ends[::-1]))
                for o in others
            ]
            sign = {"gamma_I": "γ_I", "gamma_O": "γ_O"}
            text = f"{task}: AUC rises with {sign[along]} at every {sign[across]}"
            return everywhere(text, steps, [f"{o:g}" for o in others])

        found = [
            higher(f"{task}: AUC rises as γ_O goes from 0 to {couplings[-1]:g}", high, low, " %"),
            rise("gamma_O", (0.0, couplings[-1]), "gamma_I", strengths),
            higher(f"{task}: AUC rises as γ_I goes from 0 to {ends[1]:g}", last, first, " %"),
            rise("gamma_I", ends, "gamma_O", couplings),
            higher(f"{task}: out of sample above RLS on unseen rows", vvmr, rls, " %"),
        ]
        inside = records.values(task=task, method="VVMR", measure="unlabeled")
        if len(inside) == len(vvmr):
            gap = float((vvmr - inside).mean())
            text = f"{task}: unseen rows within 2 points of the unlabeled ones, on average"
            found.append(Claim(text, abs(gap) < 2, f"{gap:+.1f} points"))
        if task == "RCV1":
            weak, strong = (
                grid.values(gamma_I=ends[1], gamma_O=g) - grid.values(gamma_I=0.0, gamma_O=g)
                for g in (0.0, couplings[-1])
            )
            text = "RCV1: unlabeled rows help more where outputs are tied weakly"
            found.append(higher(text, weak, strong, " points"))
        return found

    def figures(self, records):
        tasks = records.distinct("task")
        return [
            Figure(
                "Fig. 1", "AUC on the unlabeled rows over γ_I and γ_O (γ_A of Table 1); the "
                "framed cell is the best.", partial(_surface, self.tasks, records, tasks),
                (1, len(tasks)), (6.4 * len(tasks), 4.6),
            ),
            Figure(
                "Fig. 2", "Transductive against inductive AUC, one point per label and draw.",
                partial(_in_and_out, records, tasks), (1, len(tasks)), (5 * len(tasks), 4.6),
            ),
        ]  # fmt: skip


def _split(Y: np.ndarray, task: Task, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows to train, the labeled ones first and every label among them, and the other half."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(Y))
    train, test = rows[: task.n_train], rows[task.n_train :]
    while not Y[train[: task.n_labeled]].any(axis=0).all():
        train = rng.permutation(train)
    return train, test


def _surface(settings, records, tasks, axes) -> None:
    for ax, task in zip(axes[0], tasks, strict=True):
        chosen = records.where(task=task, method="grid", gamma_A=settings[task].chosen[0])
        xs, ys = sorted(chosen.distinct("gamma_I")), sorted(chosen.distinct("gamma_O"))
        scores = [[chosen.mean(gamma_I=x, gamma_O=y) for x in xs] for y in ys]
        SurfaceDisplay(xs, ys, scores, "γ_I", "γ_O", "AUC, %").plot(ax, fmt=".1f", cmap="gray")
        ax.set_title(task)


def _in_and_out(records, tasks, axes) -> None:
    for ax, task in zip(axes[0], tasks, strict=True):
        chosen = records.where(task=task, method="VVMR, one label")
        both = [
            {(r["repetition"], r["label"]): r["value"] for r in chosen.where(measure=w)}
            for w in ("unlabeled", "unseen")
        ]
        keys = [k for k in both[0] if k in both[1]]
        points = tuple([b[k] for k in keys] for b in both)
        scatter(ax, {task: points}, xlabel="transductive AUC, %", ylabel="inductive AUC, %")
