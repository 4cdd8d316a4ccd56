"""Data whose answer is known, and estimators as people call them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.datasets import make_blobs, make_friedman1, make_moons, make_swiss_roll

from lapwing import estimators as lw
from lapwing.outputs import Flat, Ordinal, OutputGraph, Ring

from .cases import Rng, pick

CLASSES, VALUES, LABELS, SEVERAL = "classes", "values", "labels", "several values"


@dataclass
class World:
    """Rows, the truth at all of them, and which are labeled."""

    words: str
    X: Any
    truth: np.ndarray
    labeled: np.ndarray
    kind: str

    @property
    def n(self) -> int:
        return self.X.shape[0]

    def y(self, n: int | None = None, labeled: np.ndarray | None = None) -> np.ndarray:
        """The truth with what is not labeled hidden, at the first n rows."""
        known = (self.labeled if labeled is None else labeled)[:n]
        if self.kind == CLASSES:
            return np.where(known, self.truth[:n], -1)
        found = self.truth[:n].astype(float)
        found[~known] = np.nan
        return found

    def error(self, predicted: np.ndarray, rows: np.ndarray) -> float:
        """The share of wrong answers, or each target's mean squared error over its variance."""
        truth, found = self.truth[rows], np.asarray(predicted)
        if self.kind in (CLASSES, LABELS):
            return float(np.mean(truth != found))
        variance = np.var(self.truth, axis=0)
        return float(np.mean((truth - found) ** 2 / np.where(variance > 0, variance, 1.0)))


@dataclass
class Use:
    """A world, a model and the relation that is looked at."""

    seed: int
    name: str
    world: World
    model: Any
    real: bool = False

    def __str__(self) -> str:
        w = self.world
        words = f"{w.words}, {w.n} × {w.X.shape[1]}, {int(w.labeled.sum())} labels"
        return f"seed {self.seed}: {self.name}: {' '.join(repr(self.model).split())} on {words}"


def hidden(use: Use, n: int | None = None) -> np.ndarray:
    """The unlabeled ones of all rows, or of the first n."""
    return np.flatnonzero(~use.world.labeled[:n])


def equal(a: Any, b: Any) -> bool:
    """The same answers, numbers to six digits."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind != "f":
        return bool((a == b).all())
    return bool(np.abs(a - b).max() <= 1e-6 * (np.abs(b).max() or 1.0))


def draw_world(rng: Rng, n: int, kind: str, chance: bool = False) -> World:
    """n rows in random order, labels spread over the classes; by coin flips if ``chance``."""
    X, truth, words = _points(rng, n) if kind in (CLASSES, LABELS) else _values(rng, n)
    if kind == SEVERAL:
        truth = np.column_stack([truth, truth**2, np.roll(truth, 1)])[:, : int(rng.integers(2, 4))]
    if kind == LABELS:
        truth = np.column_stack([truth % 2, truth > 0, truth == truth.max()]).astype(float)
    if chance:
        truth, words = rng.permutation(truth), f"{words} with shuffled labels"
    return World(words, X, truth, _labeled(rng, truth, kind), kind)


def with_more_labels(rng: Rng, world: World) -> World:
    """Up to half of the rows labeled: more labels than the limits on their number allow."""
    share = pick(rng, 0.2, 0.35, 0.5)
    return replace(world, labeled=world.labeled | (rng.random(world.n) < share))


def near_chance(rng: Rng, world: World) -> World:
    """Labels of which four fifths are shuffled, so that the others tell a little."""
    some = np.flatnonzero(rng.random(world.n) < 0.8)
    truth = world.truth.copy()
    truth[some] = truth[rng.permutation(some)]
    return replace(world, truth=truth, words=f"{world.words} near chance")


def as_frame(rng: Rng, world: World) -> pd.DataFrame:
    """The columns of a table: numbers with gaps, one category, and words as many as x is large."""
    X = world.X.toarray() if sp.issparse(world.X) else world.X
    X = X[:, :6]
    found = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    found.loc[rng.random(world.n) < 0.05, "x0"] = np.nan
    found["kind"] = np.array(["low", "middle", "high"])[
        np.digitize(X[:, 0], np.quantile(X[:, 0], [0.3, 0.7]))
    ]
    ranks = np.argsort(np.argsort(X, axis=0), axis=0) * 8 // world.n
    found["text"] = [" ".join(f"word{j}{r}" for j, r in enumerate(row)) for row in ranks]
    return found


def _labeled(rng: Rng, truth: np.ndarray, kind: str) -> np.ndarray:
    n, each = len(truth), int(pick(rng, 2, 3, 5, 10))
    labeled = np.zeros(n, dtype=bool)
    if kind != CLASSES:
        labeled[rng.permutation(min(n, 50))[: max(6, 3 * each)]] = True
        return labeled
    for c in np.unique(truth):
        labeled[np.flatnonzero(truth == c)[:each]] = True
    return labeled


def _points(rng: Rng, n: int) -> tuple[Any, np.ndarray, str]:
    state = int(rng.integers(2**31))
    words = pick(rng, "moons", "blobs", "nuisance", "counts", "units")
    if words == "moons":
        X, truth = make_moons(n, noise=0.08, random_state=state)
        return X, truth, words
    q, d = int(rng.integers(2, 5)), int(pick(rng, 2, 5, 12))
    sizes = 4 + rng.multinomial(n - 4 * q, rng.dirichlet(np.full(q, 3.0)))
    spread = pick(rng, 0.5, 1.0, 2.0)
    X, truth = make_blobs(sizes, d, cluster_std=spread, random_state=state)
    if words == "nuisance":  # columns without a class, three times as wide as those with one
        X = np.hstack([X, 3.0 * X.std() * rng.standard_normal((n, int(rng.integers(1, 9))))])
    elif words == "counts":
        rates = np.exp(rng.standard_normal((q, 60)))
        X = sp.csr_array(np.log1p(rng.poisson(rates[truth]).astype(float)))
    elif words == "units":
        X = X * 10.0 ** rng.integers(-3, 4, d)
    return X, truth, f"{words}, {q} classes"


def _values(rng: Rng, n: int) -> tuple[Any, np.ndarray, str]:
    state, words = int(rng.integers(2**31)), pick(rng, "roll", "friedman", "line")
    if words == "roll":
        X, truth = make_swiss_roll(n, noise=0.1, random_state=state)
    elif words == "friedman":
        X, truth = make_friedman1(n, noise=0.5, random_state=state)
    else:
        X = rng.standard_normal((n, 4))
        truth = X @ rng.standard_normal(4) + 0.1 * rng.standard_normal(n)
    return X, truth * 10.0 ** pick(rng, 0, 0, 0, -4, 4) + pick(rng, 0.0, 0.0, 300.0), words


RULE = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule"}


def plain(rng: Rng) -> dict[str, Any]:
    """Everything chosen, or the fixed rules, in any space."""
    if rng.random() < 0.6:
        return {}
    return RULE | {"space": pick(rng, "auto", "auto", "exact", "graph", "landmarks")}


def draw_model(rng: Rng, kind: str, d: int, choose: bool = True) -> Any:
    """An estimator for targets of that kind; ``choose=False``: with given settings."""
    given = plain(rng) if choose else dict(RULE)
    return MAKERS[kind](rng, given, d)


def _classifier(rng: Rng, given: dict, d: int):
    return pick(
        rng,
        lw.LapRLSClassifier(**given),
        lw.LapRLSClassifier(**given),
        lw.LapSVC(**given, loss=pick(rng, "hinge", "squared_hinge")),
        lw.LapLogisticClassifier(**given),
        lambda rng: lw.StructuredLapSVC(
            **given, output=pick(rng, None, Flat(5), Ring(5), Ordinal(5))
        ),
        lambda rng: _with_views(rng, (lw.CoRLSClassifier, lw.CoMRClassifier), given, d),
    )


def _regressor(rng: Rng, given: dict, d: int):
    return pick(
        rng,
        lw.LapRLSRegressor(**given),
        lw.LapRLSRegressor(**given),
        lw.ManifoldRegressor(**given, loss=pick(rng, "huber", "epsilon_insensitive")),
        lambda rng: _with_views(rng, (lw.CoRLSRegressor, lw.CoMRRegressor), given, d),
    )


def _several_labels(rng: Rng, given: dict, d: int):
    return lw.VectorValuedClassifier(
        **_shared(given), output_kernel=pick(rng, None, OutputGraph(0.5, 1))
    )


def _several_values(rng: Rng, given: dict, d: int):
    related = pick(rng, None, OutputGraph(0.5, 1))
    return pick(
        rng,
        lw.LapRLSRegressor(**given),
        lw.VectorValuedRegressor(**_shared(given), output_kernel=related),
        lw.SSSLRegressor(),
        lw.LapS3LRegressor(),
        lw.LSMRRegressor(),
    )


def _shared(given: dict) -> dict:
    """The settings that estimators of several outputs have too."""
    return {name: value for name, value in given.items() if name in RULE}


def _with_views(rng: Rng, kinds: tuple[Callable, ...], given: dict, d: int):
    cut = max(1, d // 2)
    views = None if d < 2 else [("a", "rbf", slice(0, cut)), ("b", "rbf", slice(cut, d))]
    model = kinds[rng.integers(len(kinds))](views)
    known = model.get_params(deep=False)
    settings = {name: "rule" for name in ("gamma_A", "gamma_C", "gamma_I") if name in known}
    return model.set_params(**settings) if given else model


MAKERS = {CLASSES: _classifier, VALUES: _regressor, LABELS: _several_labels,
          SEVERAL: _several_values}  # fmt: skip
