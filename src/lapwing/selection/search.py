"""The search: kernels without a graph in every frame, then graphs in the best two frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..graphs.scales import warn_of_scales
from ..kernels import RBF, Precomputed, get_kernel
from ..losses import Loss
from ..operators import Operator, ZeroOperator
from ..parameters.arguments import is_auto
from ..regularizers import get_regularizer
from ..spaces import Exact, GraphValuesSpace, PointDeformation, RatioSections
from ..spaces.choose import asks_for_graph, on_graph
from . import candidates
from .candidates import Gammas
from .comparison import Comparison, Part
from .framed import Framed
from .frames import PLAIN, few_entries, frames
from .leave_one_out import affordable, held_out_grid, readouts, refitted_grid, shared_pieces
from .posterior import posterior_weights
from .rules import spelled, vanishes
from .sample import Sample
from .selection import Selection, as_typed

LARGEST = 4000
"""The most rows of a given matrix for which exact fits are compared."""

WORTH = 0.02
"""A frame with less posterior weight is not compared with a graph."""

Say = Callable[[str], None]


def select(
    sample: Sample,
    rows: Any,
    given: dict[str, Any],
    *,
    space: Any,
    loss: Loss | None,
    built: dict[int, Any],
    say: Say,
) -> Selection:
    """Choose the parameters that are "auto" among kernel, regularizer, γ_A, γ_I and intercept.

    All settings are compared by leave-one-out of the squared loss, in closed form. The choice is
    the medoid of their posterior weights (:mod:`.posterior`). :mod:`.candidates` lists all
    settings. Kernels without a graph are compared in every frame; this needs only l × l matrices.
    The frame of the default and the best other frame are compared with all graphs: if only the
    better of the two had them, near draws would change with a few more rows. If neither the
    regularizer nor γ_A is given, a fit with a graph has values on its points
    (:meth:`_Search.with_space`), and the graph is that of all rows. Otherwise this is so above
    8,000 rows.

    If ``loss`` is not the squared loss, leave-one-out of that loss chooses γ_A once more, provided
    that its fits do not take too long.

    Parameters
    ----------
    sample : Sample
        The rows and labels of the search.
    rows : Points
        All rows, in memory or in blocks (:class:`lapwing.estimators.points.Points`).
    given : dict
        The five parameters, as the user passed them.
    space : str or rule
    loss : Loss or None
        The loss of the fit. None is the squared loss.
    built : dict
        The search adds the operators that it built over all rows, by the id of their regularizer.
    say : callable
        A function that receives progress messages.

    Returns
    -------
    Selection
    """
    search = _Search(sample, rows, given, space, built, say)
    found = search.run()
    if loss and not loss.quadratic and found.n_candidates:
        found = search.by_own_loss(loss, found)
    return search.with_space(found)


class _Search:
    def __init__(self, sample: Sample, rows: Any, given, space, built: dict, say: Say):
        self.sample, self.given, self.space, self.built, self.say = sample, given, space, built, say
        auto = {name: is_auto(value) for name, value in given.items()}
        self.kernel = None if auto["kernel"] else get_kernel(given["kernel"])
        self.regularizer = None if auto["regularizer"] else get_regularizer(given["regularizer"])
        precomputed = bool(self.kernel and self.kernel.precomputed)
        if self.kernel:
            rows.kernel(self.kernel, sample.random_state)  # raises an error if values overflow
        # at every size: the normalized Laplacian does not penalize √degree, which is rough, and
        # functions of a kernel are not (docs/choosing.md)
        most = 0 if auto["regularizer"] and auto["gamma_A"] else None
        chosen = on_graph(space, self.kernel or RBF(), sample.X, rows.n, most)
        self.everywhere = chosen or (asks_for_graph(space) and not precomputed)
        self.graphed = rows if self.everywhere else sample.points
        words = sample.exclusive and not precomputed and few_entries(sample.X)
        self.degrees = [0] if self.regularizer else candidates.degrees(words)
        self.how: bool | str = True if sample.exclusive else "bistochastic"
        self.ambient = candidates.ambient(sample.exclusive)
        self.smooth = not vanishes(given["gamma_I"])
        self.linear_only = isinstance(space, str) and space == "linear"
        self.comparison = Comparison(sample, given)

    def run(self) -> Selection:
        own = self.kernel, self.regularizer, self.graphed
        found = [PLAIN] if self.kernel else frames(self.sample.X)
        views = [Framed(self.sample, frame, i, *own) for i, frame in enumerate(found)]
        # with a matrix over all rows there is no smaller sample; more rows would take too long
        if not self.everywhere and self.sample.n > LARGEST:
            reason = f"A matrix over {self.sample.n} rows is too large to search with: the default."
            return self._first(views[0], reason)
        if not self.sample.judge.telling.any():  # the choice is the default
            reason = "No label can be left out, so the documented default is taken."
            return self._first(views[0], reason)
        alone = is_auto(self.given["gamma_I"]) or not self.smooth
        ranking = Comparison(self.sample, self.given)
        self.say(f"comparing kernels in {len(views)} frames by leave-one-out")
        for view in views:
            self._alone(view, [ranking, self.comparison] if alone else [ranking])
        if self.smooth:
            for view in self._worth(views, ranking):
                self._graph(view, default=view is views[0])
        # labels choose the frames that get a graph: each frame could have had these settings
        possible = len(views) * len(self.comparison.part)
        return self._said(replace(self.comparison.selection(), possible=possible))

    def _worth(self, views: list[Framed], ranking: Comparison) -> list[Framed]:
        """The frame of the default, and the best other frame if it has enough weight."""
        weights = ranking.frame_weights()
        others = sorted(range(1, len(views)), key=lambda i: -weights[i])[:1]
        return [views[0], *(views[i] for i in others if weights[i] > WORTH)]

    def _part(self, view: Framed, kernel, regularizer, M: Operator) -> Part:
        b = candidates.intercept(self.given["fit_intercept"], M, self.sample.exclusive)
        typed = {"kernel": kernel, "regularizer": regularizer, "fit_intercept": b}
        return Part(typed, view.index, float(M.unreached(view.codes >= 0).mean()))

    def _over_graph(self, view: Framed, degree) -> tuple:
        """The part of one graph, its kernel on the transformed points, M, and both rules for γ."""
        typed, inner = view.kernels(self.linear_only)[0]
        if self.everywhere and view.frame.words:
            typed = RBF("local")
        regularizer, M, rule_I, said = view.smooth(self.how, degree)
        if self.everywhere:
            self.built[id(regularizer)] = M, said
        part = self._part(view, typed, regularizer, M if self.smooth else ZeroOperator(M.n))
        return part, inner, M, view.block(inner)[2], rule_I

    def _alone(self, view: Framed, into: Iterable[Comparison]) -> None:
        """Add every kernel without a graph. The first one is for graphs if there are more."""
        regularizer = view.without_graph(self.how, self.degrees[0])
        kernels = view.kernels(self.linear_only)
        for typed, inner in kernels[1:] or kernels:
            gram, beside, rule = view.block(inner)
            sizes = candidates.sizes(self.given["gamma_A"], rule, self.ambient)
            part = self._part(view, typed, regularizer, ZeroOperator(len(view.codes)))
            self._add(part, [(a, 0.0) for a in sizes], rule, gram, beside, into)

    def _graph(self, view: Framed, default: bool) -> None:
        """Add one kernel with all graphs and all weights."""
        for degree in self.degrees:
            part, inner, M, rule_A, rule_I = self._over_graph(view, degree)
            if default and not np.isfinite(rule_A):
                raise ValueError("k(x, x) overflows: scale the columns of X (StandardScaler).")
            self.say(f"comparing weights for {' '.join(str(part.settings['regularizer']).split())}")
            pairs = candidates.weights(self.given, rule_A, rule_I, self.ambient)
            sections = self._on_points if self.everywhere else self._dense
            for own, gram, beside in sections(view, inner, M, pairs, rule_A, rule_I):
                first = default and own[0] == pairs[0]
                self._add(part, own, rule_A, gram, beside, [self.comparison], first)
            default = False

    def _add(self, part: Part, pairs, rule: float, gram, beside, into, default=False) -> None:
        """Add settings of one ratio from γ_A K̃ (labels × labels, and voters × labels)."""
        gammas = [a * rule for a, _ in pairs]
        free = np.ones((len(gram), 1)) if part.settings["fit_intercept"] else None
        s, known = self.sample, np.isfinite(beside).all()  # else the kernel overflows
        systems = shared_pieces(gram, free, s.w, s.Y.shape[1]) if known else []
        held = held_out_grid(systems, s.Y, s.w, gammas, s.judge.groups)
        said = readouts(systems, s.Y, gammas, beside)
        for comparison in into:
            comparison.add(part, pairs, held, said, (systems, gammas, gram), default)

    def _dense(self, view, inner, M: Operator, pairs: list[Gammas], rule_A, rule_I):
        """K̃ of the sample for each ratio λ/γ_A."""
        ratio = {pair: _ratio(pair, rule_A, rule_I) for pair in pairs}
        space = Exact(view.gram(inner), Precomputed(), None)
        rows, voters = self.sample.rows, self.sample.voters
        grams = RatioSections(space, M, rows, list(dict.fromkeys(ratio.values())), voters)
        for one in dict.fromkeys(ratio.values()):
            yield [pair for pair in pairs if ratio[pair] == one], *grams.sections(one)

    def _on_points(self, view, inner, M: Operator, pairs: list[Gammas], rule_A, rule_I):
        """K̃ of the graph of all rows. γ_A is so small there that one ratio is enough."""
        first = pairs[0]
        pairs = [p for p in pairs if _ratio(p, rule_A, rule_I) == _ratio(first, rule_A, rule_I)]
        gamma, tols = first[0] * rule_A, PointDeformation.COMPARED
        K = PointDeformation(GraphValuesSpace(M.n), M, gamma, first[1] * rule_I, tols)
        rows, voters = (self.sample.kept[at] for at in (self.sample.rows, self.sample.voters))
        yield pairs, gamma * K.gram(rows).shared, gamma * K.beside(rows, voters)

    def with_space(self, found: Selection) -> Selection:
        """Add ``space="graph"`` to the choice if the search used values on the points."""
        if not (self.everywhere and is_auto(self.space)) or vanishes(found.choice["gamma_I"]):
            return found
        return replace(found, choice={**found.choice, "space": "graph"})

    def _said(self, found: Selection) -> Selection:
        if is_auto(self.given["gamma_I"]) and vanishes(found.choice["gamma_I"]):
            points, kernel = self.sample.points, found.settings[found.part[found.best_at]]["kernel"]
            built = kernel.build(points.X, self.sample.random_state)
            warn_of_scales(points.seen_by_graphs(built))  # no graph will warn
        return found

    def _first(self, view: Framed, reason: str) -> Selection:
        """The documented default, if no settings can be compared."""
        part, _, _, rule_A, rule_I = self._over_graph(view, self.degrees[0])
        gammas = map(spelled, candidates.weights(self.given, rule_A, rule_I, self.ambient)[0])
        own = {**part.settings, **dict(zip(("gamma_A", "gamma_I"), gammas, strict=True))}
        return Selection(as_typed(own, self.given), reason)

    def by_own_loss(self, loss: Loss, found: Selection) -> Selection:
        """Choose γ_A again at the chosen ratio, by leave-one-out of the loss of the fit.

        The prior gives half to the choice of the squared loss and half to the other values.
        """
        sample, judge, at = self.sample, self.sample.judge, found.best_at
        system = next(s for s in self.comparison.systems if 0 <= at - s.first < len(s.gammas))
        apart = np.abs(np.log(np.array(system.gammas) / system.gammas[at - system.first]))
        most = affordable(len(sample.rows), sample.Y.shape[1])
        near = np.argsort(apart, kind="stable")[:most].tolist()
        if len(near) < 2:
            return found
        self.say(f"comparing γ_A by leave-one-out of {type(loss).__name__}")
        gammas = [system.gammas[i] for i in near]
        b = system.pieces[0].system.free.size > 0
        held = refitted_grid(loss, system.gram, b, sample.Y, sample.w, gammas, judge.groups)
        if not held:
            return found
        prior = np.r_[0.5, np.full(len(near) - 1, 0.5 / (len(near) - 1))]
        totals = judge.total(judge.of(np.array(held)))
        weights = posterior_weights(prior, totals, judge.size())
        best = system.first + near[int(weights.argmax())]
        if best == at:
            return found
        why = f"{found.reason} Leave-one-out of {type(loss).__name__} prefers another γ_A."
        return found.chosen(best, self.given, why)


def _ratio(pair: Gammas, rule_A: float, rule_I: float) -> float:
    """λ/γ_A, rounded so that equal ratios compare equal."""
    return float(f"{pair[1] * rule_I / (pair[0] * rule_A):.10g}")
