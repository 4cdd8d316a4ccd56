"""MV on multiple features: 2,000 digits seen through six sets of features."""

from __future__ import annotations

from functools import cache

import numpy as np
from sklearn.preprocessing import StandardScaler

from lapwing import DeformedKernel, MultiViewKernel
from lapwing.graphs import KNN
from lapwing.kernels import RBF, OnColumns
from lapwing.regularizers import Laplacian

from ..claims import lower
from ..datasets import load_multiple_features
from ..draws import hidden_but, labeled_rows
from ..experiment import Experiment
from ..table import build_table
from .models import COMR, least_squares, single_view

VIEWS = ("pix", "fou", "fac", "zer", "kar", "mor")
GAMMA_A = 1e-6  # the automatic rules at k(x, x) = 1
SMOOTHNESS = 1e-3  # γ_I/n²
LAMBDA = 10.0 * GAMMA_A / 15  # fifteen pairs of views
ALL = "six views, own Laplacians"
SUM = "summed kernel, graph of the sum"
METHODS = (*VIEWS, ALL, SUM)
QUICK = 400  # rows


class MultipleFeatures(Experiment):
    """Six views together and apart, and CoMR against MR on each view."""

    names = ("mv-mfeat",)
    title = "Multiple features: six views of digits"
    datasets = ("mfeat",)
    repetitions = 20
    minutes = 15.0
    protocol = """
2,000 digits, 2 labels of each; error on the unlabeled rows, in %. The library's rules
throughout: RBF of median width on standardized columns, 10 neighbors, Laplacian squared, γ_A =
1e-6, γ_I = 1e-3 n², λ = 10 γ_A shared by the fifteen pairs of views. One view at a time: MR
(LapRLS) against CoMR at a = ½ with the automatic coupling γ_C = γ_I and with λ = 10 γ_A. The
latter is best on WebKB, and *worse* than MR on some views here: the claim that CoMR beats MR
depends on the coupling.
"""

    def run_one(self, repetition, part, seed):
        views, truth = _data(self.data, self.quick)
        rows = labeled_rows(truth, 2, seed)
        rest = np.setdiff1d(np.arange(len(truth)), rows)
        records = []
        for name in METHODS:
            values = least_squares(_kernel(name, self.data, self.quick), rows, truth)
            wrong = 100 * float((values.argmax(axis=1) != truth)[rest].mean())
            records.append({"method": name, "measure": "error %", "value": wrong})
        y = hidden_but(truth, rows)
        graph = Laplacian(KNN(10), degree=2)
        for view in VIEWS:
            X = views[view]
            for name, model in single_view(
                len(y), RBF("median"), graph, GAMMA_A, SMOOTHNESS
            ).items():
                wrong = 100 * float((model.fit(X, y).predict(X) != truth)[rest].mean())
                records.append({"method": name, "measure": view, "value": wrong})
        return records

    def tables(self, records):
        return [
            build_table(
                records, {}, name="Six views", caption="Error on the unlabeled rows, %.",
                rows=METHODS, columns=["error %"], digits=2,
                against=dict.fromkeys((*VIEWS[1:], ALL, SUM), "pix"),
            ),
            build_table(
                records, {}, name="CoMR against MR", caption="One view at a time, error %.",
                rows=COMR, columns=VIEWS, digits=2, against=dict.fromkeys(COMR[1:], "MR"),
            ),
        ]  # fmt: skip

    def claims(self, records):
        found = []
        for view in VIEWS:
            mr, auto, ten = (records.values(method=m, measure=view) for m in COMR)
            found.append(lower(f"{view}: CoMR, automatic, errs less than MR", auto, mr, " %"))
            found.append(lower(f"{view}: CoMR with λ = 10 γ_A errs less than MR", ten, mr, " %"))
        means = records.by("method", measure="error %")
        best = min(VIEWS, key=lambda v: means[v])
        a, b = (records.values(method=m, measure="error %") for m in (ALL, best))
        found.append(lower(f"Six views err less than the best one alone ({best})", a, b, " %"))
        return found


@cache
def _data(data_home, quick: bool) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Standardized views and digits; every fifth row in the quick version."""
    data = load_multiple_features(data_home)
    rows = slice(None, None, len(data.y) // QUICK) if quick else slice(None)
    views = {name: StandardScaler().fit_transform(X[rows]) for name, X in data.views.items()}
    return views, data.y[rows]


@cache
def _kernel(name: str, data_home, quick: bool) -> np.ndarray:
    """k̃ over all rows; it holds no label and serves every draw of a process."""
    blocks, _ = _data(data_home, quick)
    M = Laplacian(KNN(10), degree=2)
    if name in VIEWS:
        X = blocks[name]
        return DeformedKernel(RBF("median"), M, SMOOTHNESS / GAMMA_A).fit(X)(X) / GAMMA_A
    ends = np.cumsum([0, *(block.shape[1] for block in blocks.values())]).tolist()
    at = {v: slice(a, b) for v, a, b in zip(VIEWS, ends[:-1], ends[1:], strict=True)}
    if name == ALL:
        X = np.hstack(list(blocks.values()))
        own = SMOOTHNESS / LAMBDA * M
        views = [(v, RBF("median"), at[v], own) for v in VIEWS]
        return MultiViewKernel(views, gammas=GAMMA_A, lam=LAMBDA).fit(X)(X)
    # one graph of all columns, each view counting alike
    X = np.hstack([block / np.sqrt(block.shape[1]) for block in blocks.values()])
    first, *others = (OnColumns(RBF("median"), at[v]) for v in VIEWS)
    kernel = 1 / 6 * sum(others, start=first)
    return DeformedKernel(kernel, M, SMOOTHNESS / GAMMA_A).fit(X)(X) / GAMMA_A
