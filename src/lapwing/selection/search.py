"""The search: kernels alone in every frame, then graphs in the frames that matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..graphs.scales import warn_of_scales
from ..kernels import Precomputed, check_magnitude, get_kernel
from ..losses import Loss
from ..operators import Operator
from ..regularizers import get_regularizer
from ..spaces import Exact, GraphValuesSpace, PointDeformation, RatioSections, on_graph
from . import candidates as candidates
from .candidates import Weights
from .comparison import Comparison, Part
from .framed import Framed
from .frames import PLAIN, few_entries, frames
from .own_loss import affordable, refitted_grid
from .posterior import posterior_weights
from .problem import Problem, sampled, sampled_rows
from .rules import multiple_of_rule
from .selection import Selection, Trial

GRAPH_FROM = 500
"""Rows above which graph and weights, where both are "auto", are compared and fitted with values on
the points. The normalized Laplacian does not see √degree, which is rough, and functions of a narrow
kernel are not: the more rows, the more M costs a function that is constant along a cluster (noisy
moons of 6,000 rows, three labels each: 5.8 % errors, with values on the points 0.2)."""

LARGEST = 4000
"""Rows above which a matrix over the rows, none of which can be left out, is not searched with."""

WORTH = 0.02
"""Posterior weight below which a frame is not looked at any further."""

Say = Callable[[str], None]


def select(
    X,
    Y: np.ndarray,
    weights: np.ndarray,
    codes: np.ndarray,
    n_classes: int,
    *,
    given: dict[str, Any],
    points: Callable,
    space="auto",
    random_state=None,
    loss: Loss | None = None,
    n_rows: int | None = None,
    built: dict | None = None,
    say: Say = lambda stage: None,
) -> Selection:
    """Choose what is "auto" among kernel, regularizer, γ_A, γ_I and the intercept.

    All settings are compared by leave-one-out of the squared loss, in closed form; the choice is
    the medoid of their posterior weights (:mod:`.posterior`). Kernels without a graph are compared
    in every frame, which costs l × l; the default's frame and the best other one are compared with
    a graph, all graphs in the better of the two (:mod:`.candidates` lists everything). Where the
    fit takes values on the points of a graph (above 500 rows, or above 8,000 where the regularizer
    or γ_A is given), the graph is that of all rows.
    Where ``loss`` is another one than the squared loss, γ_A is weighed once more by leave-one-out
    of that loss, where that is affordable (:mod:`.own_loss`).

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d), or the Gram matrix
    Y, weights : arrays of shape (n, t) and (n, 1) or (n, t)
    codes : integer array of shape (n,)
        Class codes, −1 where unlabeled.
    n_classes : int
        0 where targets are no classes.
    given : dict
        The five parameters, as they were typed.
    points : callable
        (kernel, X) ↦ what a graph sees.
    space : str or rule
    random_state : int, RandomState or None
    loss : Loss, optional
        That of the fit; None is the squared loss.
    n_rows : int, optional
        How many rows there are, where X is already a sample of them.
    built : dict, optional
        Takes the operators over all rows that were built, by the id of their regularizer.
    say : callable
        Is told what the search is doing.

    Returns
    -------
    Selection
    """
    search = _Search(
        X, Y, weights, codes, n_classes, given, points, space, random_state, n_rows, built, say
    )
    found = search.run()
    if loss is not None and not loss.quadratic and found.best is not None:
        found = search.by_own_loss(loss, found)
    return search.with_space(found)


class _Search:
    def __init__(
        self,
        X,
        Y,
        weights,
        codes,
        n_classes,
        given,
        points,
        space,
        random_state,
        n_rows,
        built,
        say,
    ):
        self.given, self.space, self.say = given, space, say
        self.built = {} if built is None else built
        self.kernel = None if candidates.is_auto(given["kernel"]) else get_kernel(given["kernel"])
        if self.kernel is not None:
            check_magnitude(self.kernel.build(X, random_state), X)
        auto = candidates.is_auto(given["regularizer"])
        self.regularizer = None if auto else get_regularizer(given["regularizer"])
        precomputed = self.kernel is not None and self.kernel.precomputed
        rows_given = _over_given_rows(self.regularizer)
        if not n_classes:  # °C or K: the zero of real targets tells nothing
            Y = _centered(Y, weights)
        self.problem = sampled(
            X, Y, weights, codes, n_classes, random_state=random_state, points=points,
            precomputed=precomputed, whole=rows_given,
        )  # fmt: skip
        self.kept = sampled_rows(weights, codes, rows_given)[1]
        self.X, self.n = X, X.shape[0] if n_rows is None else n_rows
        self.too_large = rows_given and self.problem.n > LARGEST
        kernel = self.kernel or candidates.RBF()
        ours = auto and candidates.is_auto(given["gamma_A"])
        large = on_graph(space, kernel, X, self.n, GRAPH_FROM if ours else None)
        self.everywhere = large and self.n == X.shape[0]
        self.elsewhere = large and not self.everywhere
        self.words = bool(n_classes) and not precomputed and few_entries(self.problem.X)
        self.how: bool | str = True if n_classes else "bistochastic"
        self.comparison = Comparison(self.problem, given)
        self._last: dict[int, tuple] = {}

    def run(self) -> Selection:
        views = self._views()
        if self.too_large:
            reason = (
                f"A matrix over {self.problem.n} rows is too large to search with: the default."
            )
            return self._first(views[0], reason)
        if not self.comparison.telling.any():  # weights are the prior, whose medoid is the default
            return self._first(views[0], "no label can be left out, so the default is taken")
        smooth = not _vanishes(self.given["gamma_I"])
        alone = candidates.is_auto(self.given["gamma_I"]) or not smooth
        ranking = Comparison(self.problem, self.given)
        self.say(f"comparing kernels in {len(views)} frames by leave-one-out")
        for view in views:
            for typed, inner in view.kernels(self._linear_only):
                self._alone(view, typed, inner, [ranking, self.comparison] if alone else [ranking])
        if smooth:
            for view in self._worth(views, ranking):
                self._graph(view, [0], default=view is views[0])
            if self.elsewhere:  # a sample's graph is another one: it tells of the default alone
                return self._said(self.comparison.selection())
            self._graph(self._leading(views), range(1, len(self._graphs)))
        return self._said(self.comparison.selection())

    @property
    def _linear_only(self) -> bool:
        return isinstance(self.space, str) and self.space == "linear"

    @property
    def _graphs(self) -> list:
        if self.regularizer is not None:
            return [0]
        return candidates.degrees(self.words)

    def _views(self) -> list[Framed]:
        whole = self.X if self.everywhere else None
        found = [PLAIN] if self.kernel is not None else frames(self.problem.X)
        return [
            Framed(self.problem, frame, i, self.kernel, self.regularizer, whole)
            for i, frame in enumerate(found)
        ]

    def _worth(self, views: list[Framed], ranking: Comparison) -> list[Framed]:
        """The default's frame, and the best other one if it has any weight."""
        if len(views) == 1:
            return views
        weights = ranking.frame_weights()
        other = max(range(1, len(views)), key=lambda i: weights.get(i, 0.0))
        return [views[0], *([views[other]] if weights.get(other, 0.0) > WORTH else [])]

    def _leading(self, views: list[Framed]) -> Framed:
        """Of the frames with a graph, the one of largest weight."""
        seen = {p.frame for p in self.comparison.parts if not p.alone}
        weights = self.comparison.frame_weights()
        return views[max(seen, key=lambda i: weights[i])]

    def _alone(self, view: Framed, typed, inner, into: Iterable[Comparison]) -> None:
        gram, beside, rule_A = view.block(inner)
        pairs = candidates.ambient_weights(self.given["gamma_A"], rule_A)
        regularizer = view.without_graph(self.how, self._graphs[0])
        part = Part(view.index, typed, regularizer, self._intercept(None), alone=True)
        for comparison in into:
            comparison.add(part, pairs, gram, beside)

    def _intercept(self, operator: Operator | None) -> bool:
        return candidates.intercept(self.given["fit_intercept"], operator)

    def _graph(self, view: Framed, which: Iterable[int], default: bool = False) -> None:
        """One kernel over some graphs, all weights."""
        typed, inner = view.kernels(self._linear_only)[0]
        for g in which:
            regularizer, M, rule_I, said = view.smooth(self.how, self._graphs[g])
            self.say(f"comparing weights over {' '.join(str(regularizer).split())}")
            part = Part(
                view.index, typed, regularizer, self._intercept(M), unreached=self._unreached(M)
            )
            if self.everywhere:
                self.built[id(regularizer)] = M, said
                self._add_on_points(part, M, rule_I, view, inner, default and g == 0)
            else:
                self._add_dense(part, M, rule_I, view, inner, default and g == 0)

    def _add_dense(self, part: Part, M: Operator, rule_I: float, view, inner, default) -> None:
        problem = self.problem
        K, rule_A = view.gram(inner)
        pairs = candidates.weights(self.given["gamma_A"], self.given["gamma_I"], rule_A, rule_I)
        pairs = pairs[:1] if self.elsewhere else pairs
        ratios = list(dict.fromkeys(pair.ratio for pair in pairs))
        space = Exact(K, Precomputed(), None)
        grams = RatioSections(space, M, problem.rows, ratios, problem.voters)
        self._last[id(part.regularizer)] = grams.at, rule_A, rule_I
        for ratio in ratios:
            own = [pair for pair in pairs if pair.ratio == ratio]
            self.comparison.add(part, own, *grams.sections(ratio), default and ratio == ratios[0])

    def _add_on_points(self, part: Part, M: Operator, rule_I: float, view, inner, default) -> None:
        """K̃ of the graph of all rows; its ridge is so small that only one ratio is needed."""
        problem = self.problem
        rule_A = view.block(inner)[2]
        pairs = candidates.weights(self.given["gamma_A"], self.given["gamma_I"], rule_A, rule_I)
        pairs = [pair for pair in pairs if pair.ratio == pairs[0].ratio]
        first = pairs[0]
        space = GraphValuesSpace(M.n)
        tols = PointDeformation.COMPARED
        deformation = PointDeformation(space, M, first.gamma_A, first.lam, tols)
        rows, voters = self.kept[problem.rows], self.kept[problem.voters]
        kernel = first.gamma_A * deformation.gram(rows).shared
        beside = first.gamma_A * deformation.beside(rows, voters)
        self._last[id(part.regularizer)] = (lambda ratio: kernel), rule_A, rule_I
        self.comparison.add(part, pairs, kernel, beside, default)

    def with_space(self, found: Selection) -> Selection:
        """The choice with ``space="graph"``, where it was made with values on the points."""
        smooth = not _vanishes(found.choice["gamma_I"])
        if not (self.everywhere and smooth and candidates.is_auto(self.space)):
            return found
        return replace(found, choice={**found.choice, "space": "graph"})

    def _unreached(self, M: Operator) -> float:
        codes = self.problem.all_codes if self.everywhere else self.problem.codes
        return float(M.unreached(codes >= 0).mean())

    def _said(self, found: Selection) -> Selection:
        best = found.best
        if best is not None and candidates.is_auto(self.given["gamma_I"]) and not best.gamma_I:
            built = best.kernel.build(self.X, self.problem.random_state)
            warn_of_scales(self.problem.points(built, self.X))  # no graph will say it
        return found

    def _first(self, view: Framed, reason: str) -> Selection:
        """The documented default, where nothing can be compared."""
        typed, inner = view.kernels(self._linear_only)[0]
        regularizer, M, rule_I, said = view.smooth(self.how, self._graphs[0])
        if self.everywhere:
            self.built[id(regularizer)] = M, said
        rule_A = view.block(inner)[2]
        pair = candidates.weights(self.given["gamma_A"], self.given["gamma_I"], rule_A, rule_I)[0]
        b = self._intercept(M if pair.lam else None)
        parts = {"kernel": typed, "regularizer": regularizer, "fit_intercept": b}
        first = Trial(parts, pair.typed_A, pair.typed_I, np.empty(0))
        return Selection(self.comparison.as_typed(first), reason)

    def by_own_loss(self, loss: Loss, found: Selection) -> Selection:
        """γ_A weighed again at the chosen ratio, by leave-one-out of the fit's own loss.

        The prior is what the squared loss has left: half for its choice, half for the others.
        """
        best, problem = found.best, self.problem
        assert best is not None
        known = self._last.get(id(best.regularizer)) if best.gamma_I else None
        if best.gamma_I and known is None:
            return found
        near = _same_ratio(found)
        near = near[: affordable(len(problem.rows), problem.Y.shape[1])]
        if len(near) < 2:
            return found
        gram, rule_A = self._chosen_gram(best, known)
        self.say(f"comparing γ_A by leave-one-out of {type(loss).__name__}")
        gammas = [float(found.gamma_A[i]) * rule_A for i in near]
        held = refitted_grid(loss, gram, bool(best.fit_intercept), problem.Y, problem.w, gammas)
        if held is None:
            return found
        prior = np.full(len(near), 0.5 / (len(near) - 1))
        prior[0] = 0.5
        losses = self.comparison.row_losses(np.array(held))
        weights = posterior_weights(prior, self.comparison.total(losses), losses.shape[1])
        at = near[int(weights.argmax())]
        if at == found.best_at:
            return found
        why = f"{found.reason} Leave-one-out of {type(loss).__name__} prefers another γ_A."
        choice = self.comparison.as_typed(found.trial(at))
        return replace(found, best_at=at, reason=why, choice=choice)

    def _chosen_gram(self, best, known) -> tuple[np.ndarray, float]:
        if known is not None:
            at, rule_A, rule_I = known
            ratio = float(f"{best.gamma_I * rule_I / (best.gamma_A * rule_A):.10g}")
            return at(ratio), rule_A
        for view in self._views():
            for typed, inner in view.kernels(self._linear_only):
                if typed is best.kernel or repr(typed) == repr(best.kernel):
                    gram, _, rule_A = view.block(inner)
                    return gram, rule_A
        raise AssertionError("the chosen kernel is among those compared")


def _same_ratio(found: Selection) -> list[int]:
    """The settings that differ from the choice in γ_A at one ratio, the nearest first."""
    A, I, at = found.gamma_A, found.gamma_I, found.best_at
    same = (found.part == found.part[at]) & np.isclose(I * A[at], I[at] * A, rtol=1e-6, atol=0.0)
    near = np.flatnonzero(same)
    return near[np.argsort(np.abs(np.log10(A[near] / A[at])), kind="stable")].tolist()


def _centered(Y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Y without the weighted mean of what was observed in each column."""
    w = np.broadcast_to(weights, Y.shape)
    total = w.sum(axis=0)
    mean = np.where(w > 0, w * Y, 0.0).sum(axis=0) / np.where(total > 0, total, 1.0)
    return Y - mean


def _vanishes(gamma) -> bool:
    return (multiple_of_rule(gamma) if isinstance(gamma, str) else gamma) == 0


def _over_given_rows(regularizer) -> bool:
    """Whether it holds a matrix over the rows of X, none of which can then be left out."""
    if regularizer is None:
        return False
    parts = regularizer.get_params(deep=True).values()
    return any(sp.issparse(part) or np.ndim(part) == 2 for part in parts)


__all__ = ["Problem", "Weights", "select"]
