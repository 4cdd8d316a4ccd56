"""What SSSL, LapS3L and LSMR share: least squares in the leading eigenvectors of the kernel."""

from __future__ import annotations

import numbers

import numpy as np
from scipy.sparse.linalg import LinearOperator

from ..kernels import FunctionKernel, Precomputed
from ..linalg.memory import available_bytes, readable
from ..linalg.psd import check_psd
from ..losses import Squared
from ..objective import Objective
from ..solvers import AGD, CG, LabelSylvester, Solver
from ..spaces import Blockwise, Eigen, LabelCoupled, Space, WithIntercept
from ..spaces.eigen import FEATURE_MAPS
from .base import Regressor
from .targets import Targets

SOLVERS: dict[str, type[LabelSylvester] | type[AGD] | type[CG]] = {
    "auto": LabelSylvester,
    "sylvester": LabelSylvester,
    "agd": AGD,
    "cg": CG,
}

LABEL_RULE = 1e-3


class EigenRegressor(Regressor):
    """min over W: (1/l)‖X_l W − Y_l‖² + (γ_I/n²) tr(WᵀXᵀMXW) + γ_M tr(W L_m Wᵀ); abstract.

    Subclasses differ in which of the weights they have; those they lack are 0.
    """

    kernel: object
    n_components: object
    feature_map: str
    rank_tol: float
    space = "auto"  # the eigenvectors are the space
    _solver_names = tuple(SOLVERS)

    def fit(self, X, y, sample_weight=None):
        """Learn from the labelled and the unlabelled rows of X.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
            All points. With ``kernel="precomputed"``, the (n, n) Gram matrix.
        y : array of shape (n,) or (n, t)
            NaN where a row, or a single entry, is not observed.
        sample_weight : array of shape (n,), optional
            Enters the loss only; 0 means unlabelled.

        Returns
        -------
        self
        """
        X, targets, weights = self._validate(X, y, sample_weight)
        self.kernel_ = self._build_kernel(X)
        gamma_I = self._gamma_I(X)
        self.label_laplacian_ = self._label_laplacian(targets)
        operator = self._operator(X, targets.codes, gamma_I)
        space = self._eigen_space(X, int(targets.labelled.sum()))
        gamma_M = self._gamma_M(space)
        coupled = self._coupled(space, gamma_M)
        objective = Objective(Squared(), targets.Y, weights, coupled, operator, gamma_M, gamma_I)
        self._solve(objective)
        self._store(objective, targets, operator)
        return self

    def _loss(self):
        return Squared()

    def _gamma_I(self, X) -> float:
        return 0.0

    def _gamma_M(self, space: Eigen) -> float:
        return 0.0

    def _label_laplacian(self, targets: Targets) -> np.ndarray:
        return np.zeros((targets.Y.shape[1],) * 2)

    def _eigen_space(self, X, n_labelled: int) -> Eigen:
        n = X.shape[0]
        s = self.n_components
        if isinstance(s, str):
            s = automatic_components(n_labelled)
        gram = self._gram(X)
        return Eigen.from_gram(
            gram, min(int(s), n), self.feature_map, self.kernel_, X, self.rank_tol
        )

    def _gram(self, X):
        """K, or its products with K recomputed in blocks where K does not fit the memory."""
        n = X.shape[0]
        needed, available = 3 * 8 * n * n, available_bytes()
        if available is None or needed <= available or isinstance(self.kernel_, Precomputed):
            K = self.kernel_(X)
            if isinstance(self.kernel_, Precomputed | FunctionKernel):
                check_psd(K, "The kernel's Gram matrix")
            return K
        if isinstance(self.n_components, str) or self.n_components > n // 20:
            raise MemoryError(
                f"The eigenvectors of {n} points need about {readable(needed)} of memory, but "
                f"only {readable(available)} is available. With n_components of at most "
                f"{n // 20} they are found without the Gram matrix."
            )
        blocks = Blockwise(self.kernel_, X)
        return LinearOperator((n, n), lambda v: blocks.evaluate(v.reshape(n, -1)), dtype=float)

    def _coupled(self, space: Eigen, gamma_M: float) -> Space:
        inner: Space = LabelCoupled(space, self.label_laplacian_) if gamma_M else space
        return WithIntercept(inner) if self.fit_intercept else inner

    def _choose_solver(self, objective, **progress) -> Solver:
        if isinstance(self.solver, Solver):
            return self.solver
        limit = {} if self.max_iter is None else {"max_iter": self.max_iter}
        return SOLVERS[self.solver](tol=self.tol, **limit, **progress)

    def _check_parameters(self):
        super()._check_parameters()
        s = self.n_components
        whole = isinstance(s, numbers.Integral) and not isinstance(s, bool)
        if s != "auto" and not (whole and s >= 1):
            raise ValueError(
                f"n_components={s!r} must be 'auto' or a positive integer: how many eigenvectors "
                "of the kernel to use."
            )
        if self.feature_map not in FEATURE_MAPS:
            raise ValueError(
                f"feature_map={self.feature_map!r} is unknown: give one of {tuple(FEATURE_MAPS)}."
            )
        if not isinstance(self.rank_tol, numbers.Real) or not 0 <= self.rank_tol < 1:
            raise ValueError(f"rank_tol={self.rank_tol!r} must be a number with 0 <= rank_tol < 1.")

    def _store(self, objective, targets, operator):
        super()._store(objective, targets, operator)
        self.gamma_M_ = self.__dict__.pop("gamma_A_")
        core = objective.space.space if self.fit_intercept else objective.space
        core = core.space if isinstance(core, LabelCoupled) else core
        self.eigenvalues_ = core.eigenvalues
        self.n_components_ = core.n_coef


def automatic_components(n_labelled: int) -> int:
    """s = l/10, but at least 10 where twice as many rows are labelled; never below 1.

    Least squares on half as many features as labelled rows is already wild outside them: on the
    MT data sets a tenth was the best of a tenth, a fifth and a third for 9 of 13.
    """
    return max(1, n_labelled // 10, min(10, n_labelled // 2))
