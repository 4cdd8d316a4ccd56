"""Relations between two ways to the same answer."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dask.array
import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder, StandardScaler
from skrub import TableVectorizer

from lapwing import distributed, tables
from lapwing.estimators.fitting import training_readout
from lapwing.io import load, save
from lapwing.model_selection import LabeledKFold
from lapwing.spaces.point_systems import EARLY_STOPPED

from .cases import Rng, pick
from .honesty import FEW_VALUES, claims
from .worlds import CLASSES, Use, World, as_frame, equal, hidden

EARLY_OFF = 0.07
"""How far values on a graph that stop early are from the minimizer, as a share of the largest."""


def one_by_one(use: Use, heard: list, rng: Rng) -> str:
    """Labels that come, go and change with ``warm_start``: each time what a fresh fit says.

    One class in three worlds begins without a label.
    """
    if "warm_start" not in use.model.get_params(deep=False):
        return ""
    model = clone(use.model).set_params(warm_start=True)
    w = replace(use.world, truth=use.world.truth.copy(), labeled=use.world.labeled.copy())
    if w.kind == CLASSES and len(np.unique(w.truth)) > 2 and rng.random() < 0.3:
        w.labeled[w.truth == w.truth.max()] = False
    for _ in range(5):
        model.fit(w.X, w.y())
        wrong = _two_fits(w, model, clone(use.model).fit(w.X, w.y()))
        if wrong:
            return f"with {w.labeled.sum()} labels {wrong}"
        _changed(rng, w)
    return ""


def _two_fits(w: World, warm, fresh) -> str:
    """Two solutions of one problem: the same values of squares, the same answers of any loss.

    Where one of them says that it did not converge, there is nothing to compare.

    A certificate is no bound of values: on a graph of 160 rows values at 8.6e-6 were 32 times that
    from the minimizer, of which the other fit was 2e-11 away. Values on a graph that stop early are
    compared by their answers, like those of other losses. Each may be off by 7 % of the largest
    (docs/how-it-works.md), so answers of values that are as near as two such fits are no different.
    Values that do not stop early are compared in the norm that their certificate is measured in,
    the root of the mean square over the rows: one row that hangs on the graph by a thread was off
    by 1e-3, all others by 6e-6.
    """
    if not all(model.solution_.status.name == "CONVERGED" for model in (warm, fresh)):
        return ""
    a, b = training_readout(warm), training_readout(fresh)
    on_points = fresh.objective_.space.tolerance >= EARLY_STOPPED
    off = np.sqrt(np.mean((a - b) ** 2, axis=0)) if on_points else np.abs(a - b)
    largest = np.abs(b).max() or 1.0
    apart = float(off.max() / largest)
    certificate = warm.solution_.optimality + fresh.solution_.optimality
    quadratic, early = fresh.objective_.loss.quadratic, certificate > 1e-7 and on_points
    room = 1e-4 + 100.0 * certificate
    if quadratic and not early and not apart <= room:
        return f"warm and fresh values differ by {apart:.1e}"
    if w.kind != CLASSES:
        return ""
    other = warm.transduction_ != fresh.transduction_
    if quadratic and early:
        other &= np.abs(a - b).max(axis=1) > 2.0 * EARLY_OFF * largest
    share = float(np.mean(other))
    return f"warm and fresh answers differ at {share:.0%} of the rows" if share > 0.02 else ""


def _changed(rng: Rng, w: World) -> None:
    """One label more; or one less, or another value of it, where its class keeps another one."""
    how, missing = rng.random(), np.flatnonzero(~w.labeled)
    if how < 0.5 and len(missing):
        new = (
            np.flatnonzero(~w.labeled & (w.truth == w.truth.max()))
            if w.kind == CLASSES
            else missing
        )
        w.labeled[rng.choice(new if len(new) and rng.random() < 0.3 else missing)] = True
        return
    at = int(rng.choice(np.flatnonzero(w.labeled)))
    if w.kind == CLASSES and (w.truth[w.labeled] == w.truth[at]).sum() < 2:
        return
    if how < 0.75:
        w.labeled[at] = w.labeled.sum() < 3
    else:
        w.truth[at] = w.truth[rng.choice(np.flatnonzero(w.labeled))]


def pipelines(use: Use, heard: list, rng: Rng) -> str:
    """A pipeline answers as its parts by hand, and again after a pickle."""
    w = use.world
    pipe = make_pipeline(MaxAbsScaler(), clone(use.model)).fit(w.X, w.y())
    Z = MaxAbsScaler().fit_transform(w.X)
    hand = clone(use.model).fit(Z, w.y())
    rows = rng.choice(w.n, min(w.n, 20), replace=False)
    answers = pipe.predict(w.X), hand.predict(Z)
    if not equal(*answers):
        return "a pipeline answers otherwise than its parts"
    if not equal(pickle.loads(pickle.dumps(pipe)).predict(w.X[rows]), answers[0][rows]):
        return "a pickled pipeline answers otherwise"
    if rng.random() < 0.2:
        return _searched(use, pipe)
    return over_a_table(use, rng) if rng.random() < 0.5 else ""


def over_a_table(use: Use, rng: Rng) -> str:
    """Numbers with gaps, categories and texts: the pipeline answers as its parts by hand."""
    w, frame = use.world, as_frame(rng, use.world)
    model = clone(use.model)
    pipe = pick(
        rng,
        make_pipeline(_by_columns(rng), model),
        make_pipeline(TableVectorizer(), SimpleImputer(), model),
        tables.pipeline(model),
    )
    pipe.steps.insert(-1, ("seen", _Seen()))
    pipe.fit(frame, w.y())
    Z = pipe["seen"].rows_  # transform may round otherwise, and other neighbors tie then
    by_hand = clone(use.model).fit(Z, w.y()).predict(Z)
    answers = pipe.predict(frame)
    if not equal(answers, by_hand):
        return "a pipeline over a table answers otherwise than its parts"
    some = rng.permutation(w.n)[:20]
    if not equal(pipe.predict(frame.iloc[some]), answers[some]):
        return "a pipeline over a table answers some of its rows otherwise"
    return ""


class _Seen(TransformerMixin, BaseEstimator):
    """Keeps the rows that the next step is fitted with."""

    def fit(self, X, y=None):
        self.rows_ = X
        return self

    def transform(self, X):
        return X


def _by_columns(rng: Rng) -> ColumnTransformer:
    parts = [
        ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), make_column_selector("^x")),
        ("kind", OneHotEncoder(handle_unknown="ignore"), ["kind"]),
        ("text", TfidfVectorizer(), "text"),
    ]
    return ColumnTransformer(parts, sparse_threshold=pick(rng, 0.0, 1.0))


def grouped(use: Use, heard: list, rng: Rng) -> str:
    """Groups of one row change nothing, and copies in one group are no better than one row.

    Errors at few rows have heavy tails, and an interval may miss: what is wrong is wrong again when
    other rows are labeled.
    """
    w = use.world
    plain = clone(use.model).fit(w.X, w.y())
    wrong = _two_fits(w, clone(use.model).fit(w.X, w.y(), groups=rng.permutation(w.n)), plain)
    if wrong:
        return f"with and without groups of one row: {wrong}"
    if w.labeled.sum() < FEW_VALUES:
        return ""
    return _of_copies(use, rng) and _of_copies(replace(use, world=_relabeled(rng, w)), rng)


def _of_copies(use: Use, rng: Rng) -> str:
    """The error that a model tells of copied rows.

    Unlabeled rows are copied too, and the error is that of these: copies crowd the graph, and a
    left-out label among copies of labels is not like a row that has none.
    """
    w = use.world
    few = rng.permutation(hidden(use))[: w.labeled.sum()]
    copied = np.concatenate([np.flatnonzero(w.labeled), few])
    origin = np.concatenate([np.arange(w.n), np.repeat(copied, 2)])
    copies = replace(w, X=w.X[origin], truth=w.truth[origin], labeled=w.labeled[origin])
    model = clone(use.model).fit(copies.X, copies.y(), groups=origin)
    return claims(replace(use, world=copies), model, few)


def _relabeled(rng: Rng, w: World) -> World:
    """As many other rows labeled, of classes as many of each."""
    labeled = w.labeled.copy()
    for c in np.unique(w.truth) if w.kind == CLASSES else [None]:
        rows = w.truth == c if c is not None else slice(None)
        labeled[rows] = rng.permutation(labeled[rows])
    return replace(w, labeled=labeled)


def weighted(use: Use, heard: list, rng: Rng) -> str:
    """Equal weights change nothing, and a label of weight 0 is none."""
    w = use.world
    plain = clone(use.model).fit(w.X, w.y())
    equal = clone(use.model).fit(
        w.X, w.y(), sample_weight=np.full(w.n, 10.0 ** rng.integers(-3, 4))
    )
    wrong = _two_fits(w, equal, plain)
    if wrong:
        return f"with and without equal weights: {wrong}"
    fewer, weight = replace(w, labeled=w.labeled.copy()), rng.random(w.n) + 0.5
    for at in rng.permutation(np.flatnonzero(w.labeled))[:3]:
        fewer.labeled[at] = w.kind == CLASSES and (w.truth[fewer.labeled] == w.truth[at]).sum() < 3
    zeros = np.where(w.labeled & ~fewer.labeled, 0.0, weight)
    models = [
        clone(use.model).fit(w.X, one.y(), sample_weight=zeros if one is w else weight)
        for one in (w, fewer)
    ]
    wrong = _two_fits(w, *models)
    return f"labels of weight 0 and no labels: {wrong}" if wrong else ""


def saved(use: Use, heard: list, rng: Rng) -> str:
    """A model that was saved and loaded says what it said."""
    w = use.world
    model = clone(use.model).fit(w.X, w.y())
    with TemporaryDirectory() as folder:
        save(model, Path(folder) / "model.lapwing")
        loaded = load(Path(folder) / "model.lapwing")
    new = _moved(w.X[: min(w.n, 20)])
    for name in ("predict", "decision_function", "predict_proba", "novelty"):
        for X in (w.X, new) if hasattr(model, name) else ():
            if not equal(getattr(loaded, name)(X), getattr(model, name)(X)):
                return f"{name} of a loaded model differs"
    return "" if equal(loaded.transduction_, model.transduction_) else "another transduction"


def _moved(X: Any) -> Any:
    """Rows that no fit has seen."""
    return X * 1.01 if sp.issparse(X) else X + 0.01 * X.std(axis=0)


def in_blocks(use: Use, heard: list, rng: Rng) -> str:
    """A fit on Dask arrays answers as in memory, where that searches its neighbors exactly, too."""
    w = use.world
    if use.model.recipe.needs_memory:  # it says so itself
        return ""
    rows = np.arange(min(w.n, 250))
    few = replace(w, X=w.X[rows], truth=w.truth[rows], labeled=w.labeled[rows])
    dense = few.X.toarray() if sp.issparse(few.X) else few.X
    blocks = dask.array.from_array(dense, chunks=(int(rng.integers(30, 120)), -1))
    if sp.issparse(few.X):
        blocks = blocks.map_blocks(sp.csr_array, dtype=float)
    model = clone(use.model).set_params(space="graph") if _ruled(use.model) else clone(use.model)
    memory = clone(model).fit(few.X, few.y())
    apart = distributed.fit(model, blocks, few.y())
    return _two_fits(few, apart, memory)


def _ruled(model: Any) -> bool:
    """Whether the settings are given, so that memory and blocks could take different spaces."""
    return model.get_params(deep=False).get("gamma_A") == "rule"


def _searched(use: Use, pipe) -> str:
    """A grid search over labeled folds refits what it has found."""
    w, (step, model) = use.world, pipe.steps[-1]
    known = "gamma_A" in model.get_params(deep=False)
    grid = {f"{step}__gamma_A": [1e-4, 1e-2]} if known else {f"{step}__tol": [None]}
    found = GridSearchCV(pipe, grid, cv=LabeledKFold(2), error_score="raise").fit(w.X, w.y())
    return "" if np.isfinite(found.best_score_) else "a grid search without a score"
