"""Several views of one X: CoRLS and CoMR (MV)."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

import numpy as np
import scipy.sparse as sp

from ...kernels import get_kernel
from ...linalg.memory import require_bytes
from ...operators import (
    DisagreementOperator,
    MatrixOperator,
    Operator,
    PSDOperator,
    ScaledOperator,
    SumOperator,
    ViewCoupling,
    ZeroOperator,
)
from ...parameters.checks import check_weight, is_number
from ...problem import NORM, Term
from ...regularizers import get_regularizer
from ...selection import AMBIENT_RULE, INTRINSIC_RULE, in_numbers
from ...spaces import (
    Space,
    Views,
    WithIntrinsic,
    refuse_graph,
    space_everywhere,
)
from ...views import (
    SplitRows,
    as_views,
    build_views,
    coupling_operator,
    given_coupling,
    intrinsic_coupling,
    intrinsic_penalties,
    refuse_added_points,
)
from ...views.same_rows import recognizable
from ...views.spec import per_view, view_weights
from ..points import graph_points, in_codes
from ..settings import Settings, vanishes
from .base import Data, Functions, Recipe, with_intercept
from .choice import Choices, holds_rows
from .vector import build_output_kernel, check_output_regularizer, over_outputs, related

COUPLING_RULE = 10.0


class ViewsRecipe(Recipe):
    """One function per view. A coupling pulls the functions together; abstract."""

    needs_memory = "each view holds its rows and its kernel"

    @abstractmethod
    def coupling(self, p: Settings, data: Data, built: dict) -> tuple[Operator, Operator]:
        """The operators of the weights γ_C and γ_I, over the values of the space."""

    @abstractmethod
    def coupling_rule(self, gamma_I: float, n: int, m: int, ambient: float) -> float:
        """The value of gamma_C="rule". ``ambient`` is the mean of γ_j / mean k^j(x, x)."""

    @abstractmethod
    def couplings(self, p: Settings) -> list[str]:
        """The weights among γ_I and γ_C that have an effect."""

    def over(self, p: Settings, views: Views) -> Space:
        """The space of the values that the coupling uses."""
        return views

    def check(self, p):
        refuse_graph(p.space)
        refuse_added_points(as_views(p.views))

    def check_targets(self, p, targets):
        if check_output_regularizer(p, targets) and "gamma_I" not in self.couplings(p):
            raise ValueError(
                "output_regularizer multiplies the views' own penalties (gamma_I), and no view has "
                "one: give a view a regularizer as its fourth entry."
            )

    def functions(self, p, data):
        points = data.points
        names = getattr(p.model, "feature_names_in_", None)
        views, split = points.shelf.once(
            lambda: build_views(as_views(p.views), points.X, names, p.random_state),
            "views", p.views,
        )  # fmt: skip
        points.say(f"{len(views)} views of {split.n} rows")
        built = {"views_": views, **self.gammas(p, views, split)}
        built["_views"] = self._view_space(p, data, views, split, built["gammas_"])
        Q = built["output_kernel_"] = build_output_kernel(p.output_kernel, data.targets)
        space = self.over(p, built["_views"])
        if p.output_kernel is not None or p.output_regularizer is not None:
            space = related(p, space, Q)
        return Functions(with_intercept(p, points, space), lambda: 1.0, built)

    def gammas(self, p: Settings, views, split: SplitRows) -> dict:
        """All weights γ as numbers. The docstrings of the estimators explain "auto" and None."""
        n, m = split.n, len(views)
        pairs = zip(views.kernels, split.blocks, strict=True)
        scales = np.array([float(np.mean(k.diagonal(block))) or 1.0 for k, block in pairs])
        gamma_A = in_numbers(p.gamma_A, AMBIENT_RULE * scales.mean())
        default = scales / scales.mean() if isinstance(p.gamma_A, str) else np.ones(m)
        gammas = per_view(p.gammas, m, "gammas", default, positive=True)
        gamma_I = in_numbers(p.gamma_I, INTRINSIC_RULE * n**2)
        rule = self.coupling_rule(gamma_I, n, m, float(np.mean(gamma_A * gammas / scales)))
        return {
            "gamma_A_": gamma_A,
            "gamma_C_": in_numbers(p.gamma_C, rule),
            "gamma_I_": gamma_I,
            "gammas_": gammas,
        }

    def _view_space(self, p, data: Data, views, split: SplitRows, gammas: np.ndarray) -> Views:
        m = len(views)
        a = view_weights(p.view_weights, m)
        if p.space == "exact":
            require_bytes(
                # Gram matrices, their factors, and one more for the coupling
                8.0 * (2 * m + 1) * split.n**2,
                f"An exact fit of {m} views of {split.n} rows",
                "Use space='blockwise', linear kernels, or fewer rows.",
            )
        build = partial(space_everywhere, p.space, n_views=m)
        spaces = [
            data.points.shelf.once(partial(build, kernel, block), "view", p.space, kernel, j)
            for j, (kernel, block) in enumerate(zip(views.kernels, split.blocks, strict=True))
        ]
        return Views(spaces, split, a, gammas)

    def terms(self, p, data, functions):
        data.points.say("graphs and coupling")
        built, n = functions.fitted, data.points.n
        between, own = self.coupling(p, data, built)
        return (
            Term(built["gamma_A_"], NORM, "gamma_A"),
            Term(built["gamma_C_"] / n**2, between, "gamma_C"),
            Term(built["gamma_I_"] / n**2, over_outputs(p, own), "gamma_I"),
        )

    def own_penalty(self, p: Settings, data: Data, built: dict, j: int) -> PSDOperator:
        """The penalty of view j over the rows that have it."""
        split, regularizer = built["_views"].points, as_views(p.views)[j].regularizer
        kernel, rows = built["views_"].kernels[j], split.rows[j]
        own = get_regularizer("laplacian" if regularizer is None else regularizer)
        codes = data.targets.codes[rows]

        def build() -> PSDOperator:
            part = in_codes(own, data.targets.coding.classes)
            return part.build(graph_points(kernel, split.blocks[j]), codes)

        told = codes.tobytes() if own.reads_labels else None
        return data.points.shelf.once(build, "penalty", own, j, told)

    def choices(self, p, data):
        """The weights of coupling and penalties, the intercept, and output kernels."""
        views = as_views(p.views)
        output = ("output_kernel",) if data.targets.Y.shape[1] > 1 else ()
        parts = [part for view in views for part in (view.kernel, view.regularizer)]
        given = any(get_kernel(view.kernel).precomputed for view in views)
        return Choices(
            axes=(*self.couplings(p), "gamma_A", "fit_intercept", *output),
            on_rows=False,
            whole=given or holds_rows(*parts, getattr(p.model, "coupling", None)),
            following=("gamma_C",),
        )

    def fitted(self, p, data, compiled, solution):
        views, coef = compiled.functions.fitted["_views"], function_coef(compiled, solution)
        ambient = coef[: views.n_coef]
        values = views.evaluate(ambient)
        apart = DisagreementOperator(views.rows, data.points.n).value(values).sum()
        return {
            "coef_": ambient,
            "disagreement_": float(apart / (data.points.n * values.shape[1])),
            "_rows": None,
        }


class CoRLSRecipe(ViewsRecipe):
    """Disagreement between views, or any M over them, and the views' own penalties."""

    def coupling(self, p, data, built):
        views, split = as_views(p.views), built["_views"].points
        given = given_coupling(p.coupling, views, split.n, "coupling")
        if not given.joins_views:
            M = data.points.shelf.once(
                lambda: coupling_operator(given, split), "coupling", p.coupling
            )
            return _WithoutRows(M), ZeroOperator(M.n)
        own = [
            None
            if view.regularizer is None or not p.smooth
            else self.own_penalty(p, data, built, j)
            for j, view in enumerate(views)
        ]
        between = given.build(split)
        return between, ViewCoupling(between.times(0.0), own)

    def couplings(self, p):
        coupled = len(as_views(p.views)) > 1 or p.coupling is not None
        smooth = any(view.regularizer is not None for view in as_views(p.views))
        return ["gamma_I"] * smooth + ["gamma_C"] * coupled

    def coupling_rule(self, gamma_I, n, m, ambient):
        return COUPLING_RULE * ambient * n**2 / max(1, m * (m - 1) // 2)


class CoMRRecipe(ViewsRecipe):
    """An intrinsic g^j over the training rows for each f^j. It stays close to f^j and is smooth."""

    def check(self, p):
        super().check(p)
        if not is_number(p.a_I):
            raise ValueError(f"a_I={p.a_I!r} must be a finite number.")
        check_weight("ridge", p.ridge)
        if p.a_I != 0 and vanishes(p.given("gamma_C")):
            raise ValueError(
                "With gamma_C=0 nothing ties the intrinsic functions to the data, so a_I must be "
                f"0, got {p.a_I!r}."
            )

    def over(self, p, views):
        return WithIntrinsic(views, float(p.a_I))

    def coupling(self, p, data, built):
        intrinsic = []
        for j in range(len(built["views_"])):
            M = self.own_penalty(p, data, built, j)
            if p.ridge:
                eye = MatrixOperator(sp.csr_array(sp.eye_array(M.n)), M.graph)
                M = SumOperator([M, ScaledOperator(eye, p.ridge)])
            intrinsic.append(M)
        split = built["_views"].points
        given = given_coupling(p.coupling, as_views(p.views), split.n, "coupling", intrinsic=True)
        M = data.points.shelf.once(lambda: intrinsic_coupling(given, split), "coupling", p.coupling)
        return (M if given.joins_views else _WithoutRows(M)), intrinsic_penalties(split, intrinsic)

    def couplings(self, p):
        return ["gamma_I", "gamma_C"]

    def coupling_rule(self, gamma_I, n, m, ambient):
        return gamma_I or COUPLING_RULE * ambient * n**2

    def fitted(self, p, data, compiled, solution):
        built = compiled.functions.fitted
        views, coef = built["_views"], function_coef(compiled, solution)
        stacked = coef[views.n_coef :][: views.n_points]
        pairs = zip(built["views_"].names, views.value_slices, strict=True)
        return {
            **super().fitted(p, data, compiled, solution),
            "intrinsic_": {name: stacked[at] for name, at in pairs},
            "_rows": recognizable(data.points.X) if p.a_I != 0 else None,
        }


def function_coef(compiled, solution) -> np.ndarray:
    """The coefficients of each output's own functions, (m, t)."""
    return compiled.problem.space.mixing.mix(solution.coef)


class _WithoutRows(ScaledOperator):
    """M over the values of all views. Its graph joins values and not rows of X."""

    def __init__(self, operator: PSDOperator):
        super().__init__(operator, 1.0)
        self.graph = None
