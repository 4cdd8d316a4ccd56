"""The recipe of one kernel and one regularizer on rows, and the base class of all recipes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from ...losses import Loss, loss_for
from ...operators import Operator
from ...problem import NORM, Problem, Solution, Term
from ...selection import Selection, ambient_rule, in_numbers, intrinsic_rule
from ...solvers import check_solver_loss
from ...spaces import Space, WithFreeFunctions
from ...targets import Targets
from ..points import Points
from ..settings import DEFAULTS, Settings
from .choice import Choices, choose, holds_rows


@dataclass(frozen=True)
class Data:
    """The data of a fit: the rows, the targets, the weights in the loss, and the groups.

    Labels of one group, (n,), are left out together.
    """

    points: Points
    targets: Targets
    weights: np.ndarray
    groups: np.ndarray

    def take(self, rows: np.ndarray, precomputed: bool = False) -> Data:
        """The data of some rows, with their weights unchanged."""
        points = self.points.take(rows, precomputed)
        return Data(points, self.targets.take(rows), self.weights[rows], self.groups[rows])


@dataclass(frozen=True)
class Functions:
    """The set of functions to search, and the parts built for it.

    Attributes
    ----------
    space : Space
        The set of functions.
    mean_square : callable
        The mean of k(x, x), the unit of γ_A. It is called if γ_A is a multiple of its rule.
    fitted : dict
        Attributes of the fitted estimator, such as ``kernel_``.
    """

    space: Space
    mean_square: Callable[[], float]
    fitted: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Compiled:
    """A problem and its functions.

    Attributes
    ----------
    problem : Problem
        The problem.
    functions : Functions
        Its functions.
    kept : Sections, optional
        The sections of K̃ at the labels, for warm starts (:mod:`lapwing.estimators.warm`).
    """

    problem: Problem
    functions: Functions
    kept: Any = None


class Recipe:
    """One scalar function per column with γ_A ‖f‖² + (γ_I/n²) ⟨f, M f⟩, as in LapRLS and LapSVM.

    A new family overrides the methods in which it differs: the functions (:meth:`functions`), the
    terms (:meth:`terms`), the choices (:meth:`choices`), the checks (:meth:`check`,
    :meth:`check_targets`), and further attributes of the fitted estimator (:meth:`fitted`).
    """

    needs_memory = ""
    """The reason why the recipe cannot work on a Dask array; empty if it can."""

    def check(self, p: Settings) -> None:
        """An error for parameters that do not go together."""

    def check_targets(self, p: Settings, targets: Targets) -> None:
        """An error for parameters that do not go with the targets, before any work."""

    def loss(self, p: Settings, targets: Targets) -> Loss:
        """The loss V: any loss for this kind of targets, or one of the estimator's own."""
        model = p.model
        if not model._losses:
            return loss_for(p.loss, "classification" if is_classifier(model) else "regression")
        if p.loss not in model._losses:
            raise ValueError(
                f"loss={p.loss!r} is none of {type(model).__name__}'s: give one of "
                f"{tuple(model._losses)}, or use ManifoldClassifier for any other loss."
            )
        return model._losses[p.loss]()

    def functions(self, p: Settings, data: Data) -> Functions:
        """The set of functions to search."""
        points = data.points
        kernel = points.kernel(p.kernel, p.random_state)
        points.say(f"functions over {points.n} points")
        space = with_intercept(p, points, points.space(p, kernel, data.targets))
        return Functions(space, lambda: points.mean_square(kernel), {"kernel_": kernel})

    def operator(self, p: Settings, data: Data, functions: Functions) -> Operator:
        """M of the intrinsic term."""
        return data.points.operator(p, functions.fitted["kernel_"], data.targets)

    def terms(self, p: Settings, data: Data, functions: Functions) -> tuple[Term, ...]:
        """The penalties of the functions."""
        data.points.say("graph and regularizer")
        M = self.operator(p, data, functions)
        gamma_A = p.gamma_A
        if isinstance(gamma_A, str):
            gamma_A = in_numbers(gamma_A, ambient_rule(np.asarray(functions.mean_square())))
        return Term(float(gamma_A), NORM, "gamma_A"), intrinsic_term(p, data.points, M)

    def compile(self, p: Settings, data: Data) -> Compiled:
        """The problem of these parameters and data. Existing parts come from the shelf."""
        targets, shelf = data.targets, data.points.shelf
        loss = self.loss(p, targets).build(targets.Y, targets.observed)
        check_solver_loss(p.solver, loss)
        # The space comes first: a lack of memory is an error before neighbors are searched.
        functions = self.functions(p, data)
        terms = self.terms(p, data, functions)
        problem = Problem.of(loss, targets.Y, data.weights, functions.space, terms)
        problem = problem.sharing(shelf.get("problem"))
        shelf.put(problem, "problem")
        return Compiled(problem, functions)

    def choices(self, p: Settings, data: Data) -> Choices:
        """The parameters that may be chosen, beside a kernel, a regularizer and their weights."""
        return Choices(whole=holds_rows(getattr(p.model, "regularizer", None)))

    def choose(self, p: Settings, data: Data) -> Selection | None:
        """The chosen values for "auto"; None if no parameter is "auto"."""
        if not any(map(p.is_open, DEFAULTS)):
            return None
        return choose(self, p, data)

    def fitted(
        self, p: Settings, data: Data, compiled: Compiled, solution: Solution
    ) -> dict[str, Any]:
        """Further attributes of the fitted estimator."""
        return {}


def with_intercept(p: Settings, points: Points, space: Space) -> Space:
    """The space with a constant without a penalty, if ``fit_intercept`` is True."""
    if not p.fit_intercept:
        return space
    return points.shelf.once(lambda: WithFreeFunctions(space), "intercept", space)


def intrinsic_term(p: Settings, points: Points, M: Operator) -> Term:
    """(γ_I/n²) ⟨f, M f⟩, with γ_I as a number or by rule (:mod:`lapwing.selection.rules`)."""
    gamma_I = p.gamma_I
    if isinstance(gamma_I, str):
        rule = points.shelf.once(lambda: intrinsic_rule(M), "rule", M)
        gamma_I = in_numbers(gamma_I, rule * points.n**2)
    return Term(float(gamma_I) / points.n**2, M, "gamma_I")
