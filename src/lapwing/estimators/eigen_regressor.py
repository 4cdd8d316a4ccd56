"""What SSSL, LapS3L and LSMR share: least squares in the leading eigenvectors of the kernel."""

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator

from ..exceptions import MemoryLimitWarning, warn
from ..linalg.eigenpairs import LANCZOS_SHARE, top_eigenpairs
from ..linalg.memory import available_bytes, readable
from ..linalg.psd import check_psd
from ..objective import Objective
from ..operators import Operator
from ..parameters.arguments import parameters
from ..parameters.checks import check_option, is_count, is_number
from ..regularizers import Regularizer
from ..selection import Axis, in_numbers, intrinsic_rule
from ..spaces import Blockwise, CoregionalizedOutputs, Eigen, Space, WithFreeFunctions
from ..spaces.eigen import FEATURE_MAPS
from ..targets import Targets
from .choice import choose_axes, common_scale, holds_rows
from .parameters import SolverParams
from .parts_to_try import INTRINSIC, kernel_axis
from .regressor import Regressor

LABEL_RULE = 1e-3


@parameters
class EigenRegressor(SolverParams, Regressor):
    """min over W: (1/l)‖X_l W − Y_l‖² + (γ_I/n²) tr(WᵀXᵀMXW) + γ_M tr(W L_m Wᵀ); abstract.

    Subclasses differ in which of the weights they have; those they lack are 0.
    """

    kernel: Any = "auto"
    n_components: Any = "auto"
    feature_map: Any = "KU"
    fit_intercept: Any = True
    rank_tol: Any = 1e-11

    loss = "squared"
    space = "auto"  # the eigenvectors are the space
    _cache_keys = ("kernel", "n_components", "gamma_I", "gamma_M")

    def _select(self, X, targets, weights, n_rows=None):
        """Kernel, number of eigenvectors, smoothness and label coupling, by leave-one-out."""
        scaled = common_scale(self, self._weights)
        smooth = (1.0, 0.0) if scaled == ("gamma_I",) else INTRINSIC
        axes = [
            kernel_axis(self.space),
            Axis("n_components", more_components(int(targets.labeled.sum())), weight=False),
        ]
        tried = {"gamma_I": smooth, "gamma_M": (1.0, 0.0) if scaled else INTRINSIC}
        axes += [Axis(name, tried[name]) for name in self._weights]
        whole = holds_rows(getattr(self, "regularizer", None))
        return choose_axes(self, X, targets, weights, axes, scaled, whole=whole)

    def _objective(self, X, targets: Targets, weights) -> Objective:
        self.kernel_ = self._build_kernel(X)
        self.label_laplacian_ = self._label_laplacian(targets)
        self._say("graph and regularizer")
        operator = self._operator(X, targets.codes, self._weight("gamma_I"))
        gamma_I = self._between_rows(operator)
        self._say(f"eigenvectors of the kernel over {X.shape[0]} points")
        space = self._eigen = self._eigen_space(X, int(targets.labeled.sum()))
        gamma_M = self._between_labels(space)
        coupled = self._coupled(space, gamma_M)
        return Objective(self._loss(), targets.Y, weights, coupled, operator, gamma_M, gamma_I)

    def _weight(self, name: str) -> float | str:
        """A parameter of the equation, 0 where the estimator does not have it."""
        return self._part(name) if name in self._weights else 0.0

    def _between_rows(self, operator: Operator) -> float:
        """γ_I as a number; "auto" is the rule."""
        gamma_I = self._weight("gamma_I")
        if isinstance(gamma_I, str):
            rule = self._cached(lambda: intrinsic_rule(operator), "rule", operator)
            gamma_I = in_numbers(gamma_I, rule * operator.n**2)
        return float(gamma_I)

    def _between_labels(self, space: Eigen) -> float:
        """γ_M as a number; "auto" is 1e-3 times the mean square of the features."""
        gamma_M = self._weight("gamma_M")
        if isinstance(gamma_M, str):
            size = space.n_points * max(1, space.n_coef)
            gamma_M = in_numbers(gamma_M, LABEL_RULE * float(np.sum(space.scale**2)) / size)
        return float(gamma_M)

    def _label_laplacian(self, targets: Targets) -> np.ndarray:
        return np.zeros((targets.Y.shape[1],) * 2)

    def _eigen_space(self, X, n_labeled: int) -> Eigen:
        n = X.shape[0]
        wanted = self._part("n_components")
        s = automatic_components(n_labeled) if isinstance(wanted, str) else int(wanted)
        return self._cached(lambda: self._eigenvectors(X, min(s, n)), "eigen", self.kernel_, s)

    def _eigenvectors(self, X, s: int) -> Eigen:
        """The s leading ones; copies that share a kernel take them from whoever found more."""
        found = self._cached(dict, "eigenpairs", self.kernel_)
        if found.get("s", 0) < s:
            found |= {"s": s, "pairs": top_eigenpairs(self._gram(X, s), s, self.rank_tol)}
        values, vectors = found["pairs"]
        power = FEATURE_MAPS[self.feature_map]
        return Eigen(vectors[:, :s], values[:s], power, self.kernel_, X)

    def _gram(self, X, s: int):
        """K, or products with K recomputed in blocks where K does not fit the memory."""
        n = X.shape[0]
        needed, available = 3 * 8 * n * n, available_bytes()  # K, LAPACK's copy, the vectors
        if available is None or needed <= available or self.kernel_.precomputed:
            K = self.kernel_(X)
            if self.kernel_.user_given:
                check_psd(K, "The kernel's Gram matrix")
            return K
        text = f"The eigenvectors of {n} points need about {readable(needed)} of memory, but only "
        text += f"{readable(available)} is available"
        if s * LANCZOS_SHARE >= n:
            raise MemoryError(
                f"{text}. With n_components below {n // LANCZOS_SHARE} they are found without "
                "the Gram matrix."
            )
        warn(
            f"{text}: every product recomputes K in blocks, which is slow.",
            MemoryLimitWarning,
        )
        blocks = Blockwise(self.kernel_, X)
        return LinearOperator((n, n), lambda v: blocks.evaluate(v.reshape(n, -1)), dtype=float)

    def _coupled(self, space: Eigen, gamma_M: float) -> Space:
        inner: Space = space
        if gamma_M:
            mu, V = np.linalg.eigh(self.label_laplacian_)
            inner = CoregionalizedOutputs(
                space, V, mu=np.where(mu > 1e-12 * max(mu[-1], 0.0), mu, 0.0)
            )
        return WithFreeFunctions(inner) if self._part("fit_intercept") else inner

    def _check_parameters(self):
        super()._check_parameters()
        own = getattr(self, "regularizer", None)
        if isinstance(own, Regularizer) and own.adds_points:
            raise ValueError(
                f"{own!r} adds points to the rows, and {type(self).__name__} uses the eigenvectors "
                "of the kernel over the rows alone: use LapRLSRegressor or VectorValuedRegressor "
                "with Invariance."
            )
        s = self.n_components
        if s not in ("auto", "rule") and not is_count(s):
            raise ValueError(
                f"n_components={s!r} must be 'auto', 'rule' or a positive integer: how many "
                "eigenvectors of the kernel to use."
            )
        check_option("feature_map", self.feature_map, tuple(FEATURE_MAPS))
        if not is_number(self.rank_tol) or not 0 <= self.rank_tol < 1:
            raise ValueError(f"rank_tol={self.rank_tol!r} must be a number with 0 <= rank_tol < 1.")

    def _store(self, objective, targets, operator):
        super()._store(objective, targets, operator)
        self.gamma_M_ = self.__dict__.pop("gamma_A_")
        self.eigenvalues_ = self._eigen.eigenvalues
        self.n_components_ = self._eigen.n_coef


def automatic_components(n_labeled: int) -> int:
    """s = l/10, but at least 10 where twice as many rows are labeled; never below 1.

    Least squares on half as many features as labeled rows is already wild outside them: of a
    tenth, a fifth and a third of l, a tenth was SSSL's best on 10 of the 13 MT data sets.
    """
    return max(1, n_labeled // 10, min(10, n_labeled // 2))


def more_components(n_labeled: int) -> tuple:
    """The rule's number of eigenvectors, and half, twice and four times as many."""
    s = automatic_components(n_labeled)
    others = {max(1, s // 2), 2 * s, 4 * s}
    return ("rule", *sorted(k for k in others if k != s and 2 * k <= n_labeled))
