"""Did the unlabelled points help? A fit against its supervised limit and simple alternatives."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse.csgraph import dijkstra
from sklearn.base import clone, is_classifier
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC, SVR
from sklearn.utils import check_random_state

from .confidence import in_folds
from .estimators.base import ManifoldModel
from .exceptions import ManifoldAssumptionWarning, muted
from .model_selection.labelled_folds import LabelledKFold, LabelledStratifiedKFold
from .objective import reduce
from .solvers import choose_solver

__all__ = ["Comparison", "compare"]

FEW = 30
"""Labelled rows up to which they are left out one by one; above, in ten folds."""

DRAWS = 3
WITHOUT = 0.2
"""How often, and how many of, the unlabelled rows are taken away to see what hangs on them."""

INFLUENTIAL = 50
"""Labels whose influence is computed, at most."""


@dataclass(frozen=True)
class Comparison:
    """What :func:`compare` found.

    Attributes
    ----------
    losses : dict of arrays of shape (l,)
        The loss of each method at each labelled row, without its label: 1 or 0 for a wrong class;
        the squared error over the variance of y for real targets.
    homophily : float
        How often the nearest labelled point along the graph has the same class (for real targets
        1 − half the mean squared difference over the variance); NaN without a graph.
    chance : float
        The same if labels were shuffled.
    unreached : int
        Rows in components of the graph without a label.
    graph_sensitivity : float
        How many predictions change when a fifth of the unlabelled rows is taken away (real
        targets: the mean squared change over the variance).
    label_sensitivity : array of shape (m,)
        The same when one label is taken away.
    label_rows : integer array of shape (m,)
        Which label that is.
    """

    losses: dict[str, np.ndarray] = field(repr=False)
    homophily: float
    chance: float
    unreached: int
    graph_sensitivity: float
    label_sensitivity: np.ndarray = field(repr=False)
    label_rows: np.ndarray = field(repr=False)

    OURS = "semi-supervised"
    LIMIT = "supervised (γ_I = 0)"

    @property
    def means(self) -> dict[str, tuple[float, float]]:
        """Mean loss of each method and its standard error."""
        return {
            name: (float(v.mean()), float(v.std(ddof=1) / np.sqrt(len(v))))
            for name, v in self.losses.items()
        }

    def gain(self, over: str) -> tuple[float, float]:
        """How much lower our mean loss is than another's, and the paired standard error."""
        d = self.losses[over] - self.losses[self.OURS]
        return float(d.mean()), float(d.std(ddof=1) / np.sqrt(len(d)))

    @property
    def doubtful(self) -> bool:
        """Whether the manifold assumption looks false: no gain, or labels strewn on the graph."""
        worse = any(
            gain < -max(error, 1e-12)
            for gain, error in (self.gain(name) for name in self.losses if name != self.OURS)
        )
        return worse or bool(self.homophily <= self.chance)

    @property
    def verdict(self) -> str:
        """One sentence."""
        others = [name for name in self.losses if name != self.OURS]
        if not others:
            return "There is nothing to compare with."
        best = min(others, key=lambda name: self.losses[name].mean())
        gain, error = self.gain(best)
        if gain > error:
            found = f"The unlabelled points helped: {gain:.3f} ± {error:.3f} below {best}"
        elif gain < -error:
            found = f"The unlabelled points misled: {-gain:.3f} ± {error:.3f} above {best}"
        else:
            found = f"No difference that these labels tell from {best} ({gain:+.3f} ± {error:.3f})"
        if self.homophily <= self.chance:
            found += ", and neighbours on the graph share labels no more often than by chance"
        return found + "."

    def __str__(self) -> str:
        rows = [
            f"{name:24} {mean:7.3f} ± {error:.3f}" for name, (mean, error) in self.means.items()
        ]
        l = len(next(iter(self.losses.values())))
        rows += [
            f"homophily {self.homophily:.2f} (by chance {self.chance:.2f}); rows no label reaches: "
            f"{self.unreached}",
            f"predictions that change: {self.graph_sensitivity:.3f} without a fifth of the "
            f"unlabelled rows, at most {self.label_sensitivity.max(initial=0.0):.3f} without one "
            "label",
            self.verdict,
        ]
        return "\n".join([f"loss at {l} labelled rows, each without its label", *rows])


def compare(estimator: ManifoldModel, X, y, *, random_state=0) -> Comparison:
    """Did the unlabelled points help, and can the answer be relied on?

    Every labelled row is predicted without its label by the estimator, by its own supervised limit
    γ_I = 0, a support vector machine, nearest neighbours and label spreading: one by one up to 30
    labels, else in ten folds, the same for all. The row itself stays among the unlabelled ones
    where a method uses these.

    Parameters
    ----------
    estimator : classifier or regressor of Lapwing
        Not fitted and not changed. One column of targets, or classes.
    X, y
        As for ``fit``.
    random_state : int, RandomState or None, default=0
        Draws the rows that are taken away.

    Returns
    -------
    Comparison
        Print it for the table; :class:`lapwing.inspection.ComparisonDisplay` draws it.

    Warns
    -----
    ManifoldAssumptionWarning
        If something simpler is better by more than one standard error, or labels are not more
        alike along the graph than by chance.

    Examples
    --------
    >>> import lapwing
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(150, labels_per_class=6, random_state=0)
    >>> found = lapwing.compare(lapwing.LapRLSClassifier(kernel="rbf"), X, y)
    >>> found.verdict.startswith("The unlabelled points misled")
    False
    """
    fitted = clone(estimator).fit(X, y)
    if not fitted._confidence.signs and fitted.objective_.n_columns > 1:
        raise ValueError("compare takes classes or a single target; give one column of y.")
    rows = fitted.objective_.rows
    if len(rows) < 4:
        raise ValueError(f"compare needs at least 4 labelled rows, got {len(rows)}.")
    task = _Task(fitted, X, y)
    folds = task.folds()
    losses = {Comparison.OURS: task.loss(in_folds(fitted.objective_, folds))}
    if "gamma_I" in fitted.get_params() and fitted.gamma_I_ != 0:
        limit = clone(fitted).set_params(gamma_I=0.0).fit(X, y)
        losses[Comparison.LIMIT] = task.loss(in_folds(limit.objective_, folds))
    losses |= {
        name: task.alternative(model, folds, transductive)
        for name, model, transductive in task.alternatives()
    }
    homophily, chance = task.homophily()
    found = Comparison(
        losses,
        homophily,
        chance,
        int(fitted.unreached_.sum()),
        task.without_rows(check_random_state(random_state)),
        *task.without_labels(),
    )
    if found.doubtful:
        warnings.warn(found.verdict, ManifoldAssumptionWarning, stacklevel=2)
    return found


class _Task:
    """One fitted model and the questions about it."""

    def __init__(self, fitted: ManifoldModel, X, y):
        self.fitted, self.X, self.y = fitted, X, y
        self.objective = fitted.objective_
        self.rows = self.objective.rows
        self.classes = is_classifier(fitted)
        codes = fitted._confidence.codes
        self.target: np.ndarray = self.objective.y[:, 0] if codes is None else codes
        self.variance = 1.0 if self.classes else float(np.var(self.target)) or 1.0

    def folds(self) -> list[np.ndarray]:
        """Positions among the labelled rows, each once."""
        l = len(self.rows)
        if l <= FEW:
            return list(np.arange(l)[:, None])
        kind = LabelledStratifiedKFold if self.classes else LabelledKFold
        tests = [test for _, test in kind(10, unlabelled=None).split(self.target, self.target)]
        alone = np.setdiff1d(np.arange(l), np.concatenate(tests))
        return [*tests, *alone[:, None]]

    def answers(self, readout: np.ndarray) -> np.ndarray:
        """Class codes, or values, from scores, (n,)."""
        if not self.classes:
            return readout[:, 0]
        return (readout[:, 0] > 0).astype(int) if readout.shape[1] == 1 else readout.argmax(axis=1)

    def loss(self, readout: np.ndarray) -> np.ndarray:
        return self._price(self.answers(readout), self.target)

    def _price(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if self.classes:
            return (a != b).astype(float)
        return (a - b) ** 2 / self.variance

    def alternatives(self):
        tags = self.fitted.__sklearn_tags__().input_tags
        if tags.pairwise or tags.allow_nan:  # no common features to give to others
            return []
        if not self.classes:
            return [
                ("SVR", SVR(C=10.0), False),
                ("3 nearest neighbours", KNeighborsRegressor(3), False),
            ]
        return [
            ("SVC", SVC(C=10.0), False),
            ("nearest neighbour", KNeighborsClassifier(1), False),
            ("label spreading", LabelSpreading(kernel="knn", max_iter=200), True),
        ]

    def alternative(self, model, folds, transductive: bool) -> np.ndarray:
        X = _take(self.X, self.rows)
        out = np.zeros(len(self.rows))
        codes = np.full(self.objective.n_rows, -1)
        for gone in folds:
            kept = np.setdiff1d(np.arange(len(self.rows)), gone)
            if self.classes and len(np.unique(self.target[kept])) < 2:
                out[gone] = self.target[kept][0]
                continue
            with muted():  # those of other methods, about few labels
                if transductive:
                    codes[:] = -1
                    codes[self.rows[kept]] = self.target[kept]
                    out[gone] = model.fit(self.X, codes).transduction_[self.rows[gone]]
                else:
                    fitted = clone(model).fit(_take(X, kept), self.target[kept])
                    out[gone] = fitted.predict(_take(X, gone))
        return self._price(out, self.target)

    def homophily(self) -> tuple[float, float]:
        """Agreement with the nearest labelled point along the graph, and by chance."""
        graph = self.fitted.regularizer_.graph
        chance = 0.0
        if self.classes:
            chance = float(np.sum((np.bincount(self.target) / len(self.target)) ** 2))
        if graph is None:
            return float("nan"), chance
        length = graph.W.copy()
        length.data = 1.0 / np.maximum(length.data, 1e-12)
        D = dijkstra(length, directed=False, indices=self.rows)[:, self.rows]
        np.fill_diagonal(D, np.inf)
        nearest, reached = D.argmin(axis=1), np.isfinite(D.min(axis=1))
        if not reached.any():
            return float("nan"), chance
        price = self._price(self.target, self.target[nearest])[reached].mean()
        return float(1.0 - price if self.classes else 1.0 - price / 2), chance

    def without_rows(self, rng) -> float:
        """How predictions change without a fifth of the unlabelled rows."""
        n = self.objective.n_rows
        hidden = np.setdiff1d(np.arange(n), self.rows)
        if len(hidden) < 5 or self.fitted.__sklearn_tags__().input_tags.pairwise:
            return 0.0
        before, changes = self._now(self.fitted), []
        for _ in range(DRAWS):
            gone = rng.choice(hidden, int(WITHOUT * len(hidden)), replace=False)
            kept = np.setdiff1d(np.arange(n), gone)
            with muted():
                other = clone(self.fitted).fit(_take(self.X, kept), _take(self.y, kept))
            changes.append(self._price(self._now(other), before[kept]).mean())
        return float(np.mean(changes))

    def _now(self, model: ManifoldModel) -> np.ndarray:
        o = model.objective_
        return self.answers(o.space.element(model.solution_.coef).readout)

    def without_labels(self) -> tuple[np.ndarray, np.ndarray]:
        """How predictions change without each of the first 50 labels, and which these are."""
        o = self.objective
        reduced = reduce(o)
        small, before = reduced.objective, self._now(self.fitted)
        out = []
        for i in range(min(len(self.rows), INFLUENTIAL)):
            w = np.where((reduced.source == i)[:, None], 0.0, small.w / (1.0 - o.w[i].max()))
            without = small.relabelled(small.y, w)
            coef = reduced.lift(choose_solver("auto", without).solve(without).coef)
            out.append(self._price(self.answers(o.space.element(coef).readout), before).mean())
        return np.array(out), self.rows[: len(out)]


def _take(A, rows: np.ndarray):
    if hasattr(A, "iloc"):
        return A.iloc[rows]
    return A[rows] if hasattr(A, "shape") else [A[i] for i in rows]
