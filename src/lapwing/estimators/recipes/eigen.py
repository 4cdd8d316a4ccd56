"""SSSL, LapS3L and LSMR: least squares in the leading eigenvectors of the kernel (MT)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse.linalg import LinearOperator

from ...exceptions import MemoryLimitWarning, warn
from ...graphs import label_laplacian
from ...kernels import RBF, Linear
from ...linalg.eigenpairs import LANCZOS_SHARE, top_eigenpairs
from ...linalg.memory import available_bytes, readable
from ...linalg.psd import check_psd
from ...outputs import OutputGraph
from ...parameters.checks import check_option, is_count, is_number
from ...problem import NORM, Term
from ...selection import INTRINSIC_RULE, Axis, in_numbers, multiple_of_rule
from ...spaces import Blockwise, CoregionalizedOutputs, Eigen, Space
from ...spaces.eigen import FEATURE_MAPS
from ...targets import Targets
from ..points import Points, adds_points
from ..settings import Settings
from .base import Functions, Recipe, intrinsic_term, with_intercept

WIDE_FIRST = Axis("kernel", (RBF(), RBF("local"), Linear()), weight=False)
"""The leading eigenvectors of a narrow kernel are single bumps, and few of them carry little."""


COMPONENTS = ("rule", "0.5*rule", "2*rule", "4*rule")
"""The numbers of eigenvectors to compare."""


class EigenRecipe(Recipe):
    """(1/l)‖X_l W − Y_l‖² + (γ_I/n²) tr(WᵀXᵀMXW) + γ_M tr(W L_m Wᵀ). A missing weight γ is 0."""

    needs_memory = "the eigenvectors of the kernel over all rows are held"

    def check(self, p):
        own = getattr(p.model, "regularizer", None)
        if adds_points(own):
            raise ValueError(
                f"{own!r} adds points to the rows, and {type(p.model).__name__} uses the "
                "eigenvectors of the kernel over the rows alone: use LapRLSRegressor or "
                "VectorValuedRegressor with Invariance."
            )
        s = p.given("n_components")
        if s != "auto" and not is_count(s) and not (isinstance(s, str) and multiple_of_rule(s) > 0):
            raise ValueError(
                f"n_components={s!r} must be 'auto', 'rule', a multiple of it such as '2*rule', or "
                "a positive integer: how many eigenvectors of the kernel to use."
            )
        check_option("feature_map", p.feature_map, tuple(FEATURE_MAPS))
        if not is_number(p.rank_tol) or not 0 <= p.rank_tol < 1:
            raise ValueError(f"rank_tol={p.rank_tol!r} must be a number with 0 <= rank_tol < 1.")

    def functions(self, p, data):
        points = data.points
        kernel = points.kernel(p.kernel, p.random_state)
        points.say(f"eigenvectors of the kernel over {points.n} points")
        wanted, l = p.n_components, int(data.targets.labeled.sum())
        s = automatic_components(l, wanted) if isinstance(wanted, str) else int(wanted)
        eigen = eigenvectors(p, points, kernel, min(s, points.n))
        L = between_labels(p, points, data.targets)
        gamma_M = in_numbers(p.gamma_M, INTRINSIC_RULE * mean_feature(eigen))
        built = {
            "kernel_": kernel,
            "label_laplacian_": L,
            "eigenvalues_": eigen.eigenvalues,
            "n_components_": eigen.n_coef,
            "gamma_M_": gamma_M,
        }
        space: Space = eigen
        if gamma_M:
            mu, V = np.linalg.eigh(L)
            mu = np.where(mu > 1e-12 * max(mu[-1], 0.0), mu, 0.0)
            space = CoregionalizedOutputs(eigen, V, mu=mu)
        return Functions(with_intercept(p, data.points, space), lambda: mean_feature(eigen), built)

    def terms(self, p, data, functions):
        """‖f‖² of these functions is tr(W L_m Wᵀ)."""
        data.points.say("graph and regularizer")
        M = self.operator(p, data, functions)
        gamma_M = functions.fitted["gamma_M_"]
        return Term(gamma_M, NORM, "gamma_M"), intrinsic_term(p, data.points, M)

    def choices(self, p, data):
        """Kernel, number of eigenvectors, smoothness and label coupling."""
        scaled = tuple(name for name in ("gamma_I", "gamma_M") if p.has(name))
        more = Axis("n_components", more_components(int(data.targets.labeled.sum())), weight=False)
        axes: tuple[str | Axis, ...] = (WIDE_FIRST, more, *scaled)
        return replace(super().choices(p, data), axes=axes, on_rows=False, scaled=scaled)


def mean_feature(eigen: Eigen) -> float:
    """The mean square of the features: the unit of γ_M."""
    return float(np.sum(eigen.scale**2)) / (eigen.n_points * max(1, eigen.n_coef))


def between_labels(p: Settings, points: Points, targets: Targets) -> np.ndarray:
    """L_m, the Laplacian of the graph of the targets; 0 if there is no such term."""
    if not p.has("label_graph"):
        return np.zeros((targets.Y.shape[1],) * 2)
    given = p.label_graph
    graph = given.rule if isinstance(given, OutputGraph) else given
    return points.shelf.once(
        lambda: label_laplacian(graph, targets.Y, targets.observed),
        "label graph",
        p.label_graph,
        targets.Y.tobytes(),
    )


def eigenvectors(p: Settings, points: Points, kernel, s: int) -> Eigen:
    """The s leading eigenvectors. Fits with the same kernel share the largest set found so far."""
    found = points.shelf.once(dict, "eigenpairs", kernel, p.rank_tol)
    if found.get("s", 0) < s:
        found |= {"s": s, "pairs": top_eigenpairs(_gram(points, kernel, s), s, p.rank_tol)}
    values, vectors = found["pairs"]
    return points.shelf.once(
        lambda: Eigen(vectors[:, :s], values[:s], FEATURE_MAPS[p.feature_map], kernel, points.X),
        "eigen", kernel, s, p.feature_map, p.rank_tol,
    )  # fmt: skip


def _gram(points: Points, kernel, s: int):
    """K, or products with K in blocks if K does not fit in memory."""
    n, X = points.n, points.X
    needed, available = 3 * 8 * n * n, available_bytes()  # K, LAPACK's copy, the vectors
    if needed <= available or kernel.precomputed:
        K = kernel(X)
        if kernel.user_given:
            check_psd(K, "The kernel's Gram matrix")
        return K
    text = f"The eigenvectors of {n} points need about {readable(needed)} of memory, but only "
    text += f"{readable(available)} is available"
    if s * LANCZOS_SHARE >= n:
        raise MemoryError(
            f"{text}. With n_components below {n // LANCZOS_SHARE} they are found without "
            "the Gram matrix."
        )
    warn(f"{text}: every product recomputes K in blocks, which is slow.", MemoryLimitWarning)
    blocks = Blockwise(kernel, X)
    return LinearOperator((n, n), lambda v: blocks.evaluate(v.reshape(n, -1)), dtype=float)


def automatic_components(n_labeled: int, wanted: str = "rule") -> int:
    """s = l/10, but at least 10 if 20 or more rows are labeled, and never below 1; or a multiple.

    With fewer than 20 labeled rows it is l/2. With half as many features as labeled rows, least
    squares is already unstable outside them. Among a tenth, a fifth and a third of l, a tenth was
    SSSL's best on 10 of the 13 MT data sets.

    Examples
    --------
    >>> automatic_components(400), automatic_components(400, "0.5*rule")
    (40, 20)
    """
    return max(1, int(multiple_of_rule(wanted) * max(n_labeled // 10, min(10, n_labeled // 2))))


def more_components(n_labeled: int) -> tuple[str, ...]:
    """The rule's number of eigenvectors, and half, twice and four times as many.

    They are multiples of the rule and not numbers: the search may see fewer labels than the fit.
    """
    sizes = {automatic_components(n_labeled, w): w for w in COMPONENTS[::-1]}
    return tuple(w for s, w in reversed(sizes.items()) if w == "rule" or 2 * s <= n_labeled)
